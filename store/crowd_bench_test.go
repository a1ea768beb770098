package store_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"rostrum/store/auction"
	"rostrum/store/storetest"
)

// bidders is how many people wait for an answer at any moment.
const bidders = 512

// BenchmarkOneLot has a crowd bid on one lot as fast as it is answered, through
// the lane and through one transaction a bid. Run it with -benchtime=20000x or
// more: accepted/s, answered/s and p99-ms are what counts.
func BenchmarkOneLot(b *testing.B) {
	for _, low := range []int{0, 9} {
		b.Run(fmt.Sprintf("lane, %d of 10 too low", low), func(b *testing.B) {
			c := newHotLot(b, low)
			c.run(b, func(offer auction.Offer) (bool, error) {
				o, err := c.PlaceBid(b.Context(), offer)
				return o.Verdict == auction.Accepted, err
			})
		})
		b.Run(fmt.Sprintf("classic transaction, %d of 10 too low", low), func(b *testing.B) {
			c := newHotLot(b, low)
			config, err := pgxpool.ParseConfig(c.URL)
			ok(b, err)
			config.MaxConns = 8 // as many as the lane has
			pool, err := pgxpool.NewWithConfig(b.Context(), config)
			ok(b, err)
			b.Cleanup(pool.Close)
			c.run(b, func(offer auction.Offer) (bool, error) { return classic(b.Context(), pool, offer) })
		})
	}
}

// hotLot is a lot and the people who bid on it.
type hotLot struct {
	*storetest.House
	lot    auction.Auction
	people []auction.Person
	low    int // of ten bids so many are too low
	price  atomic.Int64
}

func newHotLot(b *testing.B, low int) *hotLot {
	h := storetest.Open(b)
	c := &hotLot{House: h, people: h.People(bidders), low: low}
	c.lot = h.Lot(h.Person(true), time.Hour)
	c.price.Store(1000)
	return c
}

// run has everybody bid until b.N bids were answered.
func (c *hotLot) run(b *testing.B, place func(auction.Offer) (accepted bool, err error)) {
	var left, accepted atomic.Int64
	left.Store(int64(b.N))
	latencies := make([][]time.Duration, len(c.people))
	b.ResetTimer()
	began := time.Now()
	var wg sync.WaitGroup
	for i, who := range c.people {
		wg.Go(func() {
			for n := left.Add(-1); n >= 0; n = left.Add(-1) {
				amount := "1"
				if int(n%10) >= c.low {
					amount = fmt.Sprint(c.price.Add(10))
				}
				sent := time.Now()
				yes, err := place(c.Offer(c.lot, who, amount))
				if err != nil {
					b.Error(err)
					return
				}
				latencies[i] = append(latencies[i], time.Since(sent))
				if yes {
					accepted.Add(1)
				}
			}
		})
	}
	wg.Wait()
	seconds := time.Since(began).Seconds()
	all := slices.Concat(latencies...)
	slices.Sort(all)
	b.ReportMetric(float64(accepted.Load())/seconds, "accepted/s")
	b.ReportMetric(float64(b.N)/seconds, "answered/s")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds())/1000, "p99-ms")
	var logged int64
	ok(b, c.SQL.QueryRow(b.Context(), `SELECT count(*) FROM bid WHERE auction_id = $1`, c.lot.ID).Scan(&logged))
	if logged != accepted.Load() {
		b.Errorf("%d bids in the log, %d were accepted", logged, accepted.Load())
	}
}

// classic is one transaction a bid, as it is usually written: lock the row,
// judge here, write.
func classic(ctx context.Context, pool *pgxpool.Pool, o auction.Offer) (accepted bool, err error) {
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		var open bool
		err := tx.QueryRow(ctx, `SELECT status = 'OPEN' AND end_time > clock_timestamp() AND $2 >= current_price + min_increment
			FROM auction WHERE id = $1 FOR NO KEY UPDATE`, o.AuctionID, o.Amount).Scan(&open)
		if err != nil || !open {
			return err
		}
		var version int64
		err = tx.QueryRow(ctx, `UPDATE auction SET current_price = $2, leader_id = $3, bid_count = bid_count + 1, version = version + 1
			WHERE id = $1 RETURNING version`, o.AuctionID, o.Amount, o.BidderID).Scan(&version)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO bid (auction_id, version, bidder_id, amount, request_id, created_at)
			VALUES ($1, $2, $3, $4, $5, clock_timestamp())`, o.AuctionID, version, o.BidderID, o.Amount, [16]byte(o.RequestID))
		accepted = err == nil
		return err
	})
	return accepted && err == nil, err
}
