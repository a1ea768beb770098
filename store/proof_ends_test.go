package store_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"rostrum/store/auction/history"
)

// Somebody holds each lot over its end and does with it, in turn, all that lets
// the usual statement accept bids too late, while bids wait for it.
func TestTheRulesHoldWhereALotIsHeldOverItsEnd(t *testing.T) {
	t.Parallel()
	long, seed := torture(t)
	waves := 2
	if long > 0 {
		waves = 500 / len(holdings)
	}
	var sum history.Tally
	waited := 0
	for wave := range waves {
		t.Run(fmt.Sprint("wave ", wave), func(t *testing.T) {
			p := newProof(t, seed, 0)
			sum = sum.Plus(p.overTheEnds(wave))
			waited += p.waited()
		})
	}
	t.Logf("%d lots: %s; %d bids came before the end and were judged after it", waves*len(holdings), tell(sum), waited)
}

func (p *proof) overTheEnds(wave int) history.Tally {
	random := rand.New(rand.NewPCG(p.seed, uint64(wave)))
	for i := range holdings {
		p.list(300*time.Millisecond+millis(random, 0, 60), i, 3, 6)
	}
	stop := p.open()
	var wait sync.WaitGroup
	for i, l := range p.lots {
		end := l.begin.EndTime
		from, until := end.Add(-millis(random, 60, 140)), end.Add(millis(random, 1, 80))
		released := make(chan struct{})
		p.bidOn(p.t.Context(), wave, l, &wait)
		wait.Go(func() {
			pause(p.t.Context(), from.Sub(p.Now()))
			p.hold(l, holdings[i].hold, holdings[i].release, nil, released)
		})
		wait.Go(func() {
			pause(p.t.Context(), until.Sub(p.Now()))
			close(released)
		})
	}
	wait.Wait()
	p.settled()
	stop()
	return p.prove()
}

// waited counts the bids that were asked for before a lot's end and judged after
// it: those that waited over it.
func (p *proof) waited() (n int) {
	for _, l := range p.lots {
		for _, a := range p.recorder.Answers(l.begin.ID) {
			asked := a.Told.Now.Add(a.Call - a.Return) // or a little later
			if a.Kind == history.Bid && !a.Unknown() && asked.Before(l.begin.EndTime) && !a.Told.Now.Before(l.begin.EndTime) {
				n++
			}
		}
	}
	return n
}
