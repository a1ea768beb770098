package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"rostrum/store/auction"
	"rostrum/store/auction/history"
	"rostrum/store/storetest"
)

// Several clients bid through three instances on one PostgreSQL while trouble
// is made, and all that they were told must be explained by one order in which
// the rules were kept. `make test` proves a round of each; `make torture` goes
// on for as long as ROSTRUM_TORTURE says, from ROSTRUM_SEED on.
func TestTheRulesHoldWhateverHappens(t *testing.T) {
	t.Parallel()
	long, seed := torture(t)
	for _, trouble := range troubles {
		t.Run(trouble.name, func(t *testing.T) {
			t.Parallel()
			var sum history.Tally
			until := time.Now().Add(long / time.Duration(len(troubles)) * 2) // two at a time
			round := 0
			for ; round == 0 || time.Now().Before(until) && !t.Failed(); round++ {
				t.Run(fmt.Sprint("round ", round), func(t *testing.T) {
					p := newProof(t, seed, trouble.lines)
					p.long = long > 0
					sum = sum.Plus(p.round(round, trouble.make))
				})
			}
			t.Logf("%s, %d rounds: %s", trouble.name, round, tell(sum))
		})
	}
}

// torture is how long the proofs go on, 0 for the short form, and the seed that
// all offers are made from.
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
	t.Logf("the seed is %d: the same offers come from ROSTRUM_SEED=%d", seed, seed)
	return long, seed
}

// round plays a number of small lots and one that is rushed at, all over within
// a second or two, and proves them.
func (p *proof) round(round int, troubles []trouble) history.Tally {
	for number := range 8 {
		p.list(700*time.Millisecond+time.Duration(number)*20*time.Millisecond, number, 2+number%4, 8)
	}
	p.list(900*time.Millisecond, 100, proofClients-2, 60)
	stop := p.open()
	ctx, calm := context.WithCancel(context.Background())
	trouble := p.makeTrouble(ctx, troubles, round)
	trouble.Go(func() { p.flicker(ctx, rand.New(rand.NewPCG(p.seed, uint64(round)))) })
	var bidding sync.WaitGroup
	random := rand.New(rand.NewPCG(p.seed, uint64(round)))
	for _, l := range p.lots {
		p.actOn(l, random, &bidding)
		p.bidOn(p.t.Context(), round, l, &bidding)
	}
	bidding.Wait()
	calm()
	trouble.Wait()
	p.settled()
	stop()
	p.learn()
	return p.prove()
}

// settled waits until all lots are over and every instance's watchers know.
func (p *proof) settled() {
	p.t.Helper()
	storetest.Eventually(p.t, func() string {
		return value[string](p.t, p.House, `SELECT coalesce(string_agg(id::text, ', '), '') FROM auction WHERE status = 'OPEN'`)
	})
	for _, l := range p.lots {
		storetest.Eventually(p.t, func() string {
			heard := map[int]bool{}
			for _, a := range p.recorder.Answers(l.begin.ID) {
				if a.Kind == history.Frame && a.Told.Over() {
					heard[a.Client] = true
				}
			}
			if len(heard) < len(p.instances) {
				return fmt.Sprintf("seed %d: of the end of lot %d only %d instances have heard", p.seed, l.begin.ID, len(heard))
			}
			return ""
		})
	}
}

// fewUnknown are few enough for porcupine to try each both ways. Where there are
// more, the log tells it which of them happened.
const fewUnknown = 6

// told is all that was recorded of a lot, with its books.
func (p *proof) told(l *proofLot) (history.Lot, storetest.Books) {
	p.t.Helper()
	books, err := storetest.ReadBooks(p.t.Context(), p.SQL, l.begin.ID)
	ok(p.t, err)
	return history.Lot{Begin: l.begin, Answers: p.recorder.Answers(l.begin.ID), Log: books.Log, Logged: true, Holds: l.holds, Standings: p.standings}, books
}

// prove asks all oracles.
func (p *proof) prove() (all history.Tally) {
	p.t.Helper()
	var late, slow time.Duration
	for _, l := range p.lots {
		lot, books := p.told(l)
		tally, err := lot.Check()
		if err != nil {
			p.t.Errorf("seed %d, lot %d: %v", p.seed, l.begin.ID, err)
		}
		all = all.Plus(tally)
		lot.Logged = false
		if _, err := lot.Check(); err != nil {
			p.t.Errorf("seed %d, lot %d, without the log: %v", p.seed, l.begin.ID, err)
		}
		if l.small {
			lot.Logged = tally.Unknown > fewUnknown
			if err := lot.Linearizable(time.Minute); err != nil {
				p.t.Errorf("seed %d, lot %d: %v", p.seed, l.begin.ID, err)
			}
		}
		afterEnd, afterJudging := books.Lateness(l.begin)
		late, slow = max(late, afterEnd), max(slow, afterJudging)
	}
	wrong, err := storetest.WrongBooks(p.t.Context(), p.SQL)
	ok(p.t, err)
	if len(wrong) > 0 {
		p.t.Errorf("seed %d: %s", p.seed, strings.Join(wrong, "\n"))
	}
	p.t.Logf("seed %d: %s; committed up to %v after judging, %v after the end", p.seed, tell(all), slow, late)
	return all
}

func tell(t history.Tally) string {
	return fmt.Sprintf("%d answers; %d acknowledged bids, %d refusals, %d replays, %d reads and frames; %d unknown, of which %d had happened",
		t.Answers, t.Acknowledged, t.Refused, t.Replayed, t.Seen, t.Unknown, t.Happened)
}

func TestTheSameSeedMakesTheSameOffers(t *testing.T) {
	offers := func(seed uint64) (list []auction.Offer) {
		p := &proof{seed: seed, people: make([]auction.Person, proofClients), House: &storetest.House{Currency: auction.Currency{Code: "USD", Digits: 2}}}
		for client := range 4 {
			plan := p.plan(3, &proofLot{number: 2, clients: 4}, client)
			for range 100 {
				list = append(list, plan.next())
			}
		}
		return list
	}
	if !slices.Equal(offers(7), offers(7)) {
		t.Error("the same seed makes other offers")
	}
	if slices.Equal(offers(7), offers(8)) {
		t.Error("another seed makes the same")
	}
}
