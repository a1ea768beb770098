package store_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/store/auction/history"
	"rostrum/store/storetest"
)

// proof is a house with several instances that are all bid through, close lots
// and tell their watchers, while everything that anybody is told is recorded.
type proof struct {
	*storetest.House
	t         *testing.T
	seed      uint64
	long      bool
	recorder  *history.Recorder
	instances []*store.Store
	lines     []*badLine // of the instances that have one
	holders   *pgxpool.Pool
	seller    auction.Person
	admin     auction.Person
	people    []auction.Person // who bid
	cat       auction.Person   // is suspended now and then

	mu        sync.Mutex
	lots      []*proofLot
	standings []history.Standing
	unknown   []act
}

type proofLot struct {
	begin   auction.Auction
	small   bool // few enough answers for porcupine
	number  int  // in its round: what the plans of its bidders are made from
	clients int
	offers  int // of each client
	holds   []history.Hold
}

const (
	proofClients = 12
	proofWindow  = 150 * time.Millisecond // the soft close
)

// newProof opens a house for three instances, of which so many have a line that
// can be cut.
func newProof(t *testing.T, seed uint64, lines int) *proof {
	t.Helper()
	h := storetest.Open(t)
	p := &proof{House: h, t: t, seed: seed, recorder: history.NewRecorder(), seller: h.Person(true), people: h.People(proofClients), cat: h.Person(false)}
	var err error
	p.admin, err = h.AddPerson(t.Context(), auction.Person{Email: "admin@example.com", Name: "Admin", Admin: true}, "")
	ok(t, err)
	config, err := pgxpool.ParseConfig(h.URL)
	ok(t, err)
	config.MaxConns = 16
	p.holders, err = pgxpool.NewWithConfig(t.Context(), config)
	ok(t, err)
	t.Cleanup(p.holders.Close)
	for i := range 3 {
		url := h.URL
		if i >= 3-lines {
			line := newBadLine(t, h.URL)
			p.lines = append(p.lines, line)
			url = line.url
		}
		s, err := store.Open(t.Context(), store.Options{URL: url, SoftClose: proofWindow, LaneConns: 4})
		ok(t, err)
		t.Cleanup(s.Close)
		p.instances = append(p.instances, s)
	}
	return p
}

// list lists a lot that ends after d.
func (p *proof) list(d time.Duration, number, clients, offers int) *proofLot {
	p.t.Helper()
	begin, err := p.instances[0].List(p.t.Context(), auction.Listing{SellerID: p.seller.ID, Title: "Antique watch",
		StartingPrice: p.Money("1000"), MinIncrement: p.Money("10"), EndTime: p.Now().Add(d)})
	ok(p.t, err)
	l := &proofLot{begin: begin, number: number, clients: clients, offers: offers, small: clients <= 8 && offers <= 10}
	p.mu.Lock()
	p.lots = append(p.lots, l)
	p.mu.Unlock()
	return l
}

// open runs every instance's feed, watchers and closer until the returned
// function is called.
func (p *proof) open() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var wait sync.WaitGroup
	for i, s := range p.instances {
		p.watch(i, s)
		for _, work := range []func(context.Context, func(error)){s.Feed.Notify, s.Feed.Poll, s.Feed.Listen} {
			wait.Go(func() { work(ctx, func(error) {}) })
		}
		wait.Go(func() { p.close(ctx, s) })
	}
	return func() {
		cancel()
		wait.Wait()
	}
}

// watch records the frames that an instance's hub would send: each lot's newest
// state, once.
func (p *proof) watch(instance int, s *store.Store) {
	var mu sync.Mutex
	known := map[int64]int64{}
	p.mu.Lock()
	for _, l := range p.lots {
		known[l.begin.ID] = 0
	}
	p.mu.Unlock()
	s.Feed.Watch(func(state auction.State) {
		mu.Lock()
		defer mu.Unlock()
		if version, watched := known[state.AuctionID]; watched && version < state.Version {
			known[state.AuctionID] = state.Version
			p.recorder.Add(state.AuctionID, history.Answer{Kind: history.Frame, Client: instance, Return: p.recorder.Now(), Told: state})
		}
	}, func() map[int64]int64 {
		mu.Lock()
		defer mu.Unlock()
		watched := map[int64]int64{}
		for id, version := range known {
			watched[id] = version
		}
		return watched
	})
}

func (p *proof) close(ctx context.Context, s *store.Store) {
	c := closer(s)
	for ctx.Err() == nil {
		n, err := c.Once(ctx)
		p.mustBeUnavailable(ctx, "close lots", err)
		if n > 0 {
			continue
		}
		wait, err := c.NextEnd(ctx, 50*time.Millisecond)
		p.mustBeUnavailable(ctx, "look for the next end", err)
		pause(ctx, max(wait, 5*time.Millisecond))
	}
}

// mustBeUnavailable: whatever happens to the database, nothing else may come of it.
func (p *proof) mustBeUnavailable(ctx context.Context, what string, err error) {
	if err != nil && ctx.Err() == nil && !errors.Is(err, auction.ErrUnavailable) {
		p.t.Errorf("seed %d: %s: %v", p.seed, what, err)
	}
}

// suspend suspends cat or ends that, behind the store's back.
func (p *proof) suspend(suspended bool) {
	s := history.Standing{PersonID: p.cat.ID, Suspended: suspended, Call: p.recorder.Now()}
	_, err := p.SQL.Exec(p.t.Context(), `UPDATE account SET suspended_at = CASE WHEN $2 THEN clock_timestamp() END WHERE id = $1`, p.cat.ID, suspended)
	ok(p.t, err)
	s.Return, s.Known = p.recorder.Now(), p.scene().clock(p.t)
	p.mu.Lock()
	p.standings = append(p.standings, s)
	p.mu.Unlock()
}

// pause waits a moment, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

func millis(random *rand.Rand, from, to int) time.Duration {
	return time.Duration(from+random.IntN(to-from+1)) * time.Millisecond
}
