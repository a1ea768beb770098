package store_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/store/storetest"
)

// dueAtOnce is how many lots end at the same instant.
const dueAtOnce = 100_000

// BenchmarkClosing closes 100,000 lots that are due at one instant, a third of
// them sold, with what else an instance does meanwhile: ranks and notices. On
// 50 other lots 200 bids a second arrive, counted from when they were due.
//
//	go test ./store -run '^$' -bench Closing -benchtime 1x
func BenchmarkClosing(b *testing.B) {
	for _, instances := range []int{1, 2} {
		b.Run(fmt.Sprintf("instances=%d", instances), func(b *testing.B) {
			b.StopTimer()
			for range b.N {
				closeAtOnce(b, instances)
			}
		})
	}
}

func closeAtOnce(b *testing.B, instances int) {
	h := storetest.Open(b)
	seller, people, lots := h.Person(true), h.People(50), []auction.Auction{}
	for range people {
		lots = append(lots, h.Lot(seller, time.Hour))
	}
	h.Exec(`
		INSERT INTO auction (seller_id, title, description, starting_price, min_increment, current_price, leader_id, bid_count, start_time, end_time, soft_close)
		SELECT $1, 'An antique watch, number ' || n, 'Made by ' || md5(n::text) || ' in ' || 1700 + n % 250 || ', with its box and papers, some wear at the edges.',
			100, 1, CASE WHEN n % 3 = 0 THEN 105.5 ELSE 100 END, CASE WHEN n % 3 = 0 THEN $2::bigint END, (n % 3 = 0)::int, now() - interval '1 day', now(), '2 s'
		FROM generate_series(1, $3::int) n`, seller.ID, people[0].ID, dueAtOnce)
	for _, table := range []string{"auction", "lot_search", "lot_rank"} {
		h.Exec(`VACUUM ANALYZE ` + table)
	}
	h.Exec(`CHECKPOINT`)

	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	var background, closers sync.WaitGroup
	defer background.Wait()
	trouble := func(err error) { b.Error(err) }
	var bids lateBids
	background.Go(func() { bids.place(ctx, h, lots, people) })
	b.StartTimer()
	for i := range instances {
		s := h.Store
		if i > 0 {
			s = h.Instance()
		}
		background.Go(func() { s.Feed.Notify(ctx, trouble) })
		background.Go(func() { s.Feed.Listen(ctx, trouble) })
		background.Go(func() { refresh(ctx, b, s) })
		closers.Go(func() { drain(ctx, b, s) })
	}
	closers.Wait()
	b.StopTimer()
	stop()
	background.Wait()
	bids.report(b)
	var wrong int
	ok(b, h.SQL.QueryRow(b.Context(), `SELECT $1 - count(*) FROM auction a JOIN result r ON r.auction_id = a.id AND r.closed_at = a.closed_at
		JOIN outbox e ON e.aggregate_id = a.id AND e.topic = 'auction-closed' WHERE a.status = 'CLOSED' AND lower(a.title) LIKE '%number%'`, dueAtOnce).Scan(&wrong))
	if wrong != 0 {
		b.Errorf("%d lots are not closed with a result and an event", wrong)
	}
}

// drain closes until nothing is due.
func drain(ctx context.Context, b *testing.B, s *store.Store) {
	c := closer(s)
	for {
		n, err := c.Once(ctx)
		if err != nil {
			b.Error(err)
			return
		}
		if n > 0 {
			continue
		}
		if wait, err := c.NextEnd(ctx, time.Second); err != nil || wait == time.Second {
			ok(b, err)
			return
		}
	}
}

func refresh(ctx context.Context, b *testing.B, s *store.Store) {
	for {
		began := time.Now()
		if _, err := s.RefreshRanks(ctx); err != nil && ctx.Err() == nil {
			b.Error(err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(max(5*time.Second, 50*time.Since(began))):
		}
	}
}

// lateBids are how long after its due time each bid was answered.
type lateBids struct {
	mu   sync.Mutex
	late []time.Duration
}

// place places 200 bids a second, whether those before were answered or not.
func (l *lateBids) place(ctx context.Context, h *storetest.House, lots []auction.Auction, people []auction.Person) {
	const every = 5 * time.Millisecond
	var under sync.WaitGroup
	defer under.Wait()
	began := time.Now()
	for i := 0; ; i++ {
		due := began.Add(time.Duration(i) * every)
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Until(due)):
		}
		under.Go(func() {
			offer := h.Offer(lots[i%len(lots)], people[(i+i/len(lots))%len(people)], fmt.Sprint(1010+10*(i/len(lots))))
			if _, err := h.PlaceBid(context.WithoutCancel(ctx), offer); err == nil {
				l.mu.Lock()
				l.late = append(l.late, time.Since(due))
				l.mu.Unlock()
			}
		})
	}
}

func (l *lateBids) report(b *testing.B) {
	slices.Sort(l.late)
	n := len(l.late)
	for name, at := range map[string]int{"bid-p50-ms": n / 2, "bid-p99-ms": n * 99 / 100, "bid-max-ms": n - 1} {
		b.ReportMetric(float64(l.late[at])/1e6, name)
	}
	b.ReportMetric(float64(n), "bids")
}
