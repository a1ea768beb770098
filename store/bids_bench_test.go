package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
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

// BenchmarkBids has a crowd bid as fast as it is answered, through the lane and
// through one transaction a bid: on one lot with all bids rising, on one lot with
// nine of ten too low, and spread over 100,000 lots. Run it with
// -benchtime=20000x or more: accepted/s, answered/s and p99-ms are what counts.
func BenchmarkBids(b *testing.B) {
	for _, c := range []struct {
		name      string
		lots, low int
	}{{"one lot, rising", 1, 0}, {"one lot, 9 of 10 too low", 1, 9}, {"100000 lots", 100_000, 0}} {
		b.Run(c.name+", lane", func(b *testing.B) {
			h := newHall(b, c.lots, c.low)
			h.run(b, func(offer auction.Offer) (bool, error) {
				o, err := h.PlaceBid(b.Context(), offer)
				return o.Verdict == auction.Accepted, err
			})
		})
		b.Run(c.name+", classic transaction", func(b *testing.B) {
			h := newHall(b, c.lots, c.low)
			config, err := pgxpool.ParseConfig(h.URL)
			ok(b, err)
			config.MaxConns = 8 // as many as the lane has
			pool, err := pgxpool.NewWithConfig(b.Context(), config)
			ok(b, err)
			b.Cleanup(pool.Close)
			h.run(b, func(offer auction.Offer) (bool, error) { return classic(b.Context(), pool, offer) })
		})
	}
}

// hall is some lots and the people who bid on them.
type hall struct {
	*storetest.House
	lots   []auction.Auction
	people []auction.Person
	low    int // of ten bids so many are too low
	price  atomic.Int64
}

func newHall(b *testing.B, lots, low int) *hall {
	h := &hall{House: storetest.Open(b), low: low}
	h.people = h.People(bidders)
	first := h.Lot(h.Person(true), time.Hour)
	h.Exec(`INSERT INTO auction (seller_id, title, starting_price, min_increment, current_price, start_time, end_time, soft_close)
		SELECT seller_id, title, starting_price, min_increment, current_price, start_time, end_time, soft_close
		FROM auction, generate_series(2, $1)`, lots)
	h.Exec(`VACUUM ANALYZE auction`)
	for i := range lots {
		h.lots = append(h.lots, first)
		h.lots[i].ID += int64(i)
	}
	h.price.Store(1000)
	return h
}

// run has everybody bid until b.N bids were answered.
func (h *hall) run(b *testing.B, place func(auction.Offer) (accepted bool, err error)) {
	var left, accepted atomic.Int64
	left.Store(int64(b.N))
	latencies := make([][]time.Duration, len(h.people))
	b.ResetTimer()
	began := time.Now()
	var wg sync.WaitGroup
	for i, who := range h.people {
		wg.Go(func() {
			for n := left.Add(-1); n >= 0; n = left.Add(-1) {
				amount := "1"
				if int(n%10) >= h.low {
					amount = fmt.Sprint(h.price.Add(10))
				}
				sent := time.Now()
				yes, err := place(h.Offer(h.lots[rand.IntN(len(h.lots))], who, amount))
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
	ok(b, h.SQL.QueryRow(b.Context(), `SELECT count(*) FROM bid`).Scan(&logged))
	if logged != accepted.Load() {
		b.Errorf("%d bids in the log, %d were accepted", logged, accepted.Load())
	}
}

// BenchmarkBatch is one call for 1,000 offers on a lot with a log of 20,000 bids,
// commit included: µs/offer is what counts.
func BenchmarkBatch(b *testing.B) {
	h := newHall(b, 1, 0)
	lot := h.lots[0]
	offers := func(low bool) (batch []auction.Offer) {
		for i := range 1000 {
			amount := "1"
			if !low {
				amount = fmt.Sprint(h.price.Add(10))
			}
			batch = append(batch, h.Offer(lot, h.people[i%len(h.people)], amount))
		}
		return batch
	}
	for range 20 {
		_, err := h.Judge(lot.ID, offers(false))
		ok(b, err)
	}
	h.Exec(`VACUUM ANALYZE bid`)
	for _, c := range []struct {
		name string
		low  bool
		call func([]auction.Offer) error
	}{
		{"judged, all accepted", false, func(o []auction.Offer) error { _, err := h.Judge(lot.ID, o); return err }},
		{"judged, all too low", true, func(o []auction.Offer) error { _, err := h.Judge(lot.ID, o); return err }},
		{"refused early", true, func(o []auction.Offer) error { _, err := h.Refuse(lot.ID, o); return err }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				batch := offers(c.low)
				b.StartTimer()
				ok(b, c.call(batch))
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/1000, "µs/offer")
		})
	}
}

// classic is one transaction a bid, as it is usually written, with the rules
// and the rows of the lane: lock the lot, look for the id and the person, judge
// here, write.
func classic(ctx context.Context, pool *pgxpool.Pool, o auction.Offer) (accepted bool, err error) {
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		var open, used, mayBid bool
		err := tx.QueryRow(ctx, `SELECT status = 'OPEN' AND end_time > clock_timestamp() AND seller_id <> $3 AND $2 >= current_price + min_increment
			FROM auction WHERE id = $1 FOR NO KEY UPDATE`, o.AuctionID, o.Amount, o.BidderID).Scan(&open)
		if err != nil {
			return err
		}
		err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM bid WHERE auction_id = $1 AND request_id = $2),
			EXISTS (SELECT FROM account WHERE id = $3 AND suspended_at IS NULL)`, o.AuctionID, [16]byte(o.RequestID), o.BidderID).Scan(&used, &mayBid)
		if err != nil || used || !mayBid || !open {
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
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO outbox (topic, aggregate_id, sequence, created_at, payload)
			VALUES ('bids-accepted', $1, $2, clock_timestamp(), jsonb_build_object('fromVersion', $2::bigint, 'toVersion', $2::bigint))`, o.AuctionID, version)
		accepted = err == nil
		return err
	})
	return accepted && err == nil, err
}
