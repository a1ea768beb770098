package load

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"rostrum/cmd/bench/house"
	"rostrum/cmd/bench/wire"
	"rostrum/store/auction"
)

// Plan says who bids on what, and how.
type Plan struct {
	House *house.House
	Lots  []auction.Auction
	For   time.Duration
	Rate  float64 // bids a second; 0: as fast as they are answered
	Low   float64 // how many of the bids are too low, 0 to 1
	Seed  uint64
}

// crowd is a plan at work.
type crowd struct {
	Plan
	schedule *Schedule
	lots     []lot
}

// lot is what the crowd shares about a lot.
type lot struct {
	path  string
	start int64        // the starting price, which is always too low
	step  int64        // the increment
	top   atomic.Int64 // the highest amount that anybody was about to offer
}

// Volley is all that was sent.
type Volley struct {
	Shots []Shot // the load, which is what is measured
	Again []Shot // sent after it: bids under ids that were used before
}

// All are both.
func (v Volley) All() []Shot { return slices.Concat(v.Shots, v.Again) }

// Run lets the house's bidders bid until the time is up or ctx ends, and
// returns once all of them were answered.
func (p Plan) Run(ctx context.Context) (Volley, error) {
	c := crowd{Plan: p, lots: make([]lot, len(p.Lots))}
	for i, a := range p.Lots {
		l := &c.lots[i]
		l.path = fmt.Sprintf("/auctions/%d/bids", a.ID)
		l.start, l.step = p.House.Cents(a.StartingPrice), p.House.Cents(a.MinIncrement)
		l.top.Store(p.House.Cents(a.CurrentPrice))
	}
	bidders := make([]*bidder, len(p.House.Bidders))
	for i, person := range p.House.Bidders {
		b, err := c.bidder(i, person)
		if err != nil {
			return Volley{}, err
		}
		defer b.conn.Close()
		bidders[i] = b
	}
	c.schedule = NewSchedule(p.Rate, p.For)
	var wait sync.WaitGroup
	for _, b := range bidders {
		wait.Go(func() { b.bid(ctx) })
	}
	wait.Wait()
	var v Volley
	for _, b := range bidders {
		v.Shots = append(v.Shots, b.shots...)
	}
	for _, b := range bidders[:min(len(bidders), sendAgain)] {
		v.Again = append(v.Again, b.again()...)
	}
	return v, nil
}

// sendAgain is how many bidders send a bid of theirs once more.
const sendAgain = 100

// bidder is one of the crowd, with a connection of their own.
type bidder struct {
	*crowd
	place int
	asks  string
	conn  *wire.Conn
	dice  *rand.Rand
	shots []Shot
	body  []byte
	kept  []byte // where answers are kept, many to one allocation
}

func (c *crowd) bidder(place int, person house.Person) (*bidder, error) {
	urls := c.House.URLs
	conn, err := wire.New(urls[place%len(urls)], house.Patience)
	if err != nil {
		return nil, err
	}
	if err := conn.Open(); err != nil {
		return nil, fmt.Errorf("bidder %d (each needs a connection; see ulimit -n): %w", place+1, err)
	}
	return &bidder{crowd: c, place: place, asks: house.Asks(person) + "Idempotency-Key: ", conn: conn,
		dice: rand.New(rand.NewPCG(c.Seed, uint64(place)))}, nil
}

func (b *bidder) bid(ctx context.Context) {
	b.schedule.Work(ctx, func(due, free time.Duration) {
		b.shoot(Shot{Lot: b.dice.IntN(len(b.lots)), Bidder: b.place, Due: due, Free: free})
	})
}

// shoot sends a new bid.
func (b *bidder) shoot(s Shot) {
	s.RequestID = auction.NewRequestID()
	lot := &b.lots[s.Lot]
	if s.Low = b.Low > 0 && b.dice.Float64() < b.Low; s.Low {
		s.Cents = lot.start
	} else {
		s.Cents = lot.top.Add(lot.step)
	}
	b.shots = append(b.shots, b.send(s))
}

func (b *bidder) send(s Shot) Shot {
	b.body = append(b.body[:0], `{"amount":"`...)
	b.body = b.House.AppendCents(b.body, s.Cents)
	b.body = append(b.body, `"}`...)
	s.Sent = b.schedule.Now()
	status, answer, err := b.conn.Do(http.MethodPost, b.lots[s.Lot].path, b.asks+s.RequestID.String()+"\r\n", b.body)
	s.Return = b.schedule.Now()
	if err == nil {
		s.Status, s.Body = status, b.keep(answer)
	}
	return s
}

// again sends the bidder's last accepted bid as it was, which must be answered
// as it was, and then another one under its id, which must be refused.
func (b *bidder) again() []Shot {
	for _, s := range slices.Backward(b.shots) {
		if s.Status == http.StatusCreated {
			other := s
			other.Cents = b.lots[s.Lot].top.Add(b.lots[s.Lot].step)
			return []Shot{b.send(s), b.send(other)}
		}
	}
	return nil
}

func (b *bidder) keep(answer []byte) []byte {
	if cap(b.kept)-len(b.kept) < len(answer) {
		b.kept = make([]byte, 0, max(64<<10, len(answer)))
	}
	from := len(b.kept)
	b.kept = append(b.kept, answer...)
	return b.kept[from:len(b.kept):len(b.kept)]
}
