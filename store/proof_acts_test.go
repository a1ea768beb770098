package store_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"rostrum/store/auction"
	"rostrum/store/auction/history"
)

// act is what a seller or an admin does to a lot that is bid on.
type act struct {
	lot   *proofLot
	topic string // of the event that tells of it
	call  time.Duration
}

// actOn has some of the small lots edited while the first bids come, and some
// taken out of the sale later on.
func (p *proof) actOn(l *proofLot, random *rand.Rand, wait *sync.WaitGroup) {
	s, later := p.instance(random), millis(random, 200, 800)
	switch {
	case !l.small:
	case l.number%4 == 1:
		wait.Go(func() {
			p.act(act{l, auction.TopicEdited, p.recorder.Now()}, func() (auction.Auction, error) { return s.Edit(p.t.Context(), p.edit(l)) },
				auction.ErrHasBids, auction.ErrEnded)
		})
	case l.number%4 == 3:
		wait.Go(func() {
			pause(p.t.Context(), later)
			p.act(act{l, auction.TopicWithdrawn, p.recorder.Now()}, func() (auction.Auction, error) {
				return s.Withdraw(p.t.Context(), auction.Withdrawal{AuctionID: l.begin.ID, ActorID: p.admin.ID, ByAdmin: true, Reason: "It is broken."})
			}, auction.ErrEnded)
		})
	}
}

// edit doubles the increment.
func (p *proof) edit(l *proofLot) auction.Edit {
	return auction.Edit{AuctionID: l.begin.ID, Version: l.begin.Version, Terms: auction.Listing{SellerID: p.seller.ID, Title: "Wrist watch",
		StartingPrice: l.begin.StartingPrice, MinIncrement: p.Money("20"), EndTime: l.begin.EndTime}}
}

// act records what came of it, and remembers it where nobody knows.
func (p *proof) act(a act, do func() (auction.Auction, error), refusals ...error) {
	lot, err := do()
	switch {
	case err == nil:
		p.recorder.Add(lot.ID, history.Answer{Kind: history.Change, Client: 2000, Call: a.call, Return: p.recorder.Now(), Told: lot.State()})
	case errors.Is(err, auction.ErrUnavailable):
		p.mu.Lock()
		defer p.mu.Unlock()
		p.unknown = append(p.unknown, a)
	case !slices.ContainsFunc(refusals, func(refusal error) bool { return errors.Is(err, refusal) }):
		p.t.Errorf("seed %d: %s: %v", p.seed, a.topic, err)
	}
}

// learn finds out what became of the acts of which nobody knows, once all lots
// are over.
func (p *proof) learn() {
	p.t.Helper()
	for _, a := range p.unknown {
		if p.scene().count(p.t, `SELECT count(*) FROM outbox WHERE aggregate_id = $1 AND topic = $2`, a.lot.begin.ID, a.topic) == 0 {
			continue
		}
		lot, err := p.Auction(p.t.Context(), a.lot.begin.ID)
		ok(p.t, err)
		if a.topic == auction.TopicEdited { // as it was then
			lot = a.lot.begin
			lot.Version, lot.MinIncrement, lot.Now = lot.Version+1, p.Money("20"), time.Time{}
		}
		p.recorder.Add(lot.ID, history.Answer{Kind: history.Change, Client: 2000, Call: a.call, Return: p.recorder.Now(), Told: lot.State()})
	}
}

func (p *proof) scene() *scene { return &scene{House: p.House} }
