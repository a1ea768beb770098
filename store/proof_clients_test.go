package store_test

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"strconv"
	"sync"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/store/auction/history"
)

// plan makes one client's offers on one lot, from the seed alone: rising, too
// low, sent again, with ids that belong to others, of people who may not bid.
type plan struct {
	random                *rand.Rand
	seed                  uint64
	round, number, client int
	clients               int
	sent                  []auction.Offer

	own, seller, cat int64 // people
	currency         auction.Currency
}

func (p *proof) plan(round int, l *proofLot, client int) *plan {
	return &plan{random: rand.New(rand.NewPCG(p.seed, uint64(round)<<32|uint64(l.number)<<16|uint64(client))), seed: p.seed, round: round,
		number: l.number, client: client, clients: l.clients, own: p.people[client].ID, seller: p.seller.ID, cat: p.cat.ID, currency: p.Currency}
}

// id is what a client's n-th offer carries.
func (p *plan) id(client, n int) (id auction.RequestID) {
	random := rand.New(rand.NewPCG(p.seed^0x5bd1e995, uint64(p.round)<<48|uint64(p.number)<<32|uint64(client)<<16|uint64(n)))
	binary.BigEndian.PutUint64(id[:8], random.Uint64())
	binary.BigEndian.PutUint64(id[8:], random.Uint64())
	return id
}

func (p *plan) next() auction.Offer {
	n := len(p.sent)
	rising := 1 + n*p.clients*2/3 + p.random.IntN(p.clients)
	offer := auction.Offer{BidderID: p.own, RequestID: p.id(p.client, n), AskLeader: p.random.IntN(4) == 0}
	earlier := offer
	if n > 0 {
		earlier = p.sent[p.random.IntN(n)]
	}
	switch kind := p.random.IntN(100); {
	case kind < 15:
		rising = p.random.IntN(rising)
	case kind < 30 && n > 0:
		p.sent = append(p.sent, earlier)
		return earlier
	case kind < 36:
		offer.RequestID = earlier.RequestID
	case kind < 42:
		offer.RequestID = p.id(p.random.IntN(p.clients), p.random.IntN(n+1))
	case kind < 46:
		offer.BidderID = p.seller
	case kind < 54:
		offer.BidderID = p.cat
	}
	offer.Amount, _ = p.currency.Parse(strconv.Itoa(1000 + 10*rising)) // digits are an amount
	p.sent = append(p.sent, offer)
	return offer
}

// bidOn has all clients of a lot bid by their plans, a part of it about the end.
func (p *proof) bidOn(ctx context.Context, round int, l *proofLot, wait *sync.WaitGroup) {
	for client := range l.clients {
		wait.Go(func() {
			plan := p.plan(round, l, client)
			random := rand.New(rand.NewPCG(p.seed, uint64(client)<<32|uint64(round)))
			for n, after := 0, 0; n < l.offers && after < 3; n++ { // a few more once it is over
				if n == l.offers*2/3 {
					pause(ctx, l.begin.EndTime.Sub(p.Now())-millis(random, 0, 30))
				}
				offer := plan.next()
				offer.AuctionID = l.begin.ID
				if p.send(client, offer, random) == auction.Ended {
					after++
				}
				if random.IntN(4) == 0 {
					p.read(client, l.begin.ID, p.instance(random))
				}
			}
		})
	}
}

func (p *proof) instance(random *rand.Rand) *store.Store {
	return p.instances[random.IntN(len(p.instances))]
}

// send places an offer, again a few times where the answer is unknown, and
// without asking where the client is asked.
func (p *proof) send(client int, offer auction.Offer, random *rand.Rand) (verdict auction.Verdict) {
	for range 3 {
		s := p.instance(random)
		outcome, err := p.recorder.Bid(client, offer, func(o auction.Offer) (auction.Outcome, error) { return s.PlaceBid(p.t.Context(), o) })
		p.mustBeUnavailable(p.t.Context(), "place a bid", err)
		switch {
		case err != nil && random.IntN(3) > 0:
			pause(p.t.Context(), millis(random, 1, 20))
		case err == nil && outcome.Verdict == auction.Leading && random.IntN(2) == 0:
			offer.AskLeader = false
		default:
			return outcome.Verdict
		}
	}
	return ""
}

func (p *proof) read(client int, lotID int64, s *store.Store) {
	a := history.Answer{Kind: history.Read, Client: client, Call: p.recorder.Now()}
	lot, err := s.Auction(p.t.Context(), lotID)
	a.Return = p.recorder.Now()
	p.mustBeUnavailable(p.t.Context(), "read a lot", err)
	if err == nil {
		a.Told = lot.State()
		p.recorder.Add(lotID, a)
	}
}

// flicker suspends cat and ends that until ctx ends.
func (p *proof) flicker(ctx context.Context, random *rand.Rand) {
	for suspended := true; ctx.Err() == nil; suspended = !suspended {
		p.suspend(suspended)
		pause(ctx, millis(random, 20, 120))
	}
}
