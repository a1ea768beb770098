package torture_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rostrum/cmd/bench/wire"
	"rostrum/store/auction"
	"rostrum/store/auction/history"
)

const (
	instances = 3
	crowd     = 12 // people, of whom the hot lot has all
	retry     = 20 * time.Millisecond
)

// A crowd bids through three instances while instances, backends and the
// postmaster are killed in turn, and all that anybody was told must be
// explained by one order in which the rules were kept. `make test` has one
// round of each fault; `make torture` goes on for as long as ROSTRUM_TORTURE
// says, from ROSTRUM_SEED on.
func TestTheRulesHoldWhateverIsKilled(t *testing.T) {
	t.Parallel()
	long, seed := torture(t)
	began := time.Now()
	p := newPlace(t, instances, crowd)
	var all counts
	for number := 0; number < len(kinds) || time.Since(began) < long; number++ {
		t.Run(fmt.Sprint("round ", number), func(t *testing.T) {
			r := p.round(t, seed, number, long > 0)
			all = all.plus(r.play())
		})
		if t.Failed() {
			t.Fatalf("the seed is %d, and round %d was the last", seed, number)
		}
	}
	t.Logf("seed %d, in all: %s", seed, all)
	if all.Unknown == 0 {
		t.Error("nobody was left without an answer: the faults did nothing")
	}
}

// torture is how long to go on, 0 for the short form, and the seed.
func torture(t *testing.T) (long time.Duration, seed uint64) {
	t.Helper()
	var err error
	if text := os.Getenv("ROSTRUM_TORTURE"); text != "" {
		long, err = time.ParseDuration(text)
		ok(t, err)
	}
	seed = rand.Uint64N(1_000_000)
	if text := os.Getenv("ROSTRUM_SEED"); text != "" {
		seed, err = strconv.ParseUint(text, 10, 64)
		ok(t, err)
	}
	t.Logf("the seed is %d: the same offers and faults come from ROSTRUM_SEED=%d", seed, seed)
	return long, seed
}

// round is a few small lots and one that all bid on, which are over within
// two seconds, with the faults that are made meanwhile.
type round struct {
	*place
	t        *testing.T
	seed     uint64
	number   int
	long     bool
	faults   []fault
	began    time.Time
	recorder *history.Recorder
	readers  http.Client // of streams
	streams  atomic.Int64
	crowd    sync.WaitGroup

	mu   sync.Mutex
	lots []*lot
}

type lot struct {
	begin   auction.Auction
	number  int // what the scripts are made from
	clients int
	offers  int // of each
	pace    time.Duration
	small   bool // few enough answers for porcupine
	holds   []history.Hold
}

func (p *place) round(t *testing.T, seed uint64, number int, long bool) *round {
	inRound := *p
	inRound.t = t
	r := &round{place: &inRound, t: t, seed: seed, number: number, long: long, faults: faults(seed, number), recorder: history.NewRecorder()}
	r.readers.Transport = &http.Transport{DisableKeepAlives: true}
	r.streams.Store(1000)
	return r
}

func (r *round) play() counts {
	some := 2 // in the short form every other
	if r.long {
		some = 1
	}
	for number := 0; number < 6; number += some {
		r.list(number, time.Duration(1300+150*number)*time.Millisecond, 3+number, 8, 150*time.Millisecond)
	}
	offers := 120
	if r.long {
		offers = 600
	}
	d := 1800 * time.Millisecond
	r.list(100, d, crowd, offers, d/time.Duration(offers))
	r.began = time.Now()
	watching, tired := context.WithTimeout(r.t.Context(), 2*patience)
	defer tired()
	var watchers sync.WaitGroup
	for _, l := range r.lots {
		for _, in := range r.instances {
			watchers.Go(func() { r.watch(watching, l, in) })
		}
		for i := range l.clients {
			c := &client{round: r, lot: l, who: i, person: r.bidders[i], conns: map[line]*wire.Conn{}}
			r.crowd.Go(c.bid)
		}
	}
	var names string
	for _, f := range r.faults {
		names += f.kind + "; "
		if f.kind == holdLots {
			r.holdAll()
			continue
		}
		r.make(f)
	}
	r.crowd.Wait()
	watchers.Wait()
	for _, in := range r.instances {
		r.ready(in)
	}
	tally := r.prove()
	r.t.Logf("seed %d, %s%s", r.seed, names, tally)
	return tally
}

// list lists a lot that ends after d.
func (r *round) list(number int, d time.Duration, clients, offers int, pace time.Duration) {
	r.t.Helper()
	var begin auction.Auction
	r.ask(r.instances[0], "POST", "/auctions", http.StatusCreated, fmt.Appendf(nil,
		`{"title": "A watch", "startingPrice": "1000", "minIncrement": "10", "endTime": %q}`, time.Now().Add(d).UTC().Format(time.RFC3339Nano)),
		func(body []byte) (err error) {
			begin, err = r.ReadLot(body)
			return err
		})
	r.lots = append(r.lots, &lot{begin: begin, number: number, clients: clients, offers: offers, pace: pace, small: offers <= 8})
}
