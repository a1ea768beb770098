package torture_test

import (
	"encoding/binary"
	"math/rand/v2"
	"time"

	"rostrum/store/auction"
)

// step is one thing that a client does, made from the seed alone.
type step struct {
	due       time.Duration // after the lot's crowd began, or its first end
	afterEnd  bool          // which of them
	rise      int           // the amount, in increments above the start
	id        auction.RequestID
	own       bool // the seller bids
	instance  int  // the first to ask; the next one after each unknown answer
	impatient bool // gives up at once, then asks again
	reads     bool // afterwards
}

// script is what a client does on a lot: offers that rise, are too low, come
// again, or have ids that belong to others.
type script struct {
	seed                            uint64
	round, lot, client, clients, of int
	pace                            time.Duration // of each client's steps
}

func (s script) random(salt uint64) *rand.Rand {
	return rand.New(rand.NewPCG(s.seed^salt, uint64(s.round)<<32|uint64(s.lot)<<16|uint64(s.client)))
}

// id is what a client's n-th offer carries.
func (s script) id(client, n int) (id auction.RequestID) {
	s.client = client
	random := s.random(uint64(n+1) * 0x9e3779b97f4a7c15)
	binary.BigEndian.PutUint64(id[:8], random.Uint64())
	binary.BigEndian.PutUint64(id[8:], random.Uint64())
	return id
}

// steps are due one after the other, the last third of them about the lot's
// end, and the later an offer is due the higher it is: nearly all would be
// accepted if none were ever late.
func (s script) steps() []step {
	random := s.random(0)
	steps := make([]step, s.of)
	calm := s.of * 2 / 3
	for n := range steps {
		late := random.Float64()
		at := func(n int) time.Duration { return time.Duration((float64(n) + late) * float64(s.pace)) }
		next := step{
			due: at(n), rise: 1 + int((float64(n)+late)*float64(s.clients)), id: s.id(s.client, n),
			instance: random.IntN(6), impatient: random.IntN(8) == 0, reads: random.IntN(4) == 0,
		}
		if n >= calm {
			next.due, next.afterEnd = at(n-calm)-40*time.Millisecond, true
		}
		if n >= s.of-2 { // perhaps it is over by then
			next.due += softClose * 3 / 2
		}
		earlier := next
		if n > 0 {
			earlier = steps[random.IntN(n)]
		}
		switch kind := random.IntN(100); {
		case kind < 12:
			next.rise = random.IntN(next.rise)
		case kind < 24:
			next.rise, next.id, next.own = earlier.rise, earlier.id, earlier.own
		case kind < 28:
			next.id = earlier.id
		case kind < 32:
			next.id = s.id(random.IntN(s.clients), random.IntN(n+1))
		case kind < 35:
			next.own = true
		}
		steps[n] = next
	}
	return steps
}

// fault is one act of making trouble, made from the seed alone.
type fault struct {
	kind   string
	after  time.Duration // the crowd began
	victim int           // which instance
	down   time.Duration // how long it stays away
}

// The kinds of faults, of which each round has the next one.
const (
	killInstance   = "kill -9 of an instance"
	killBackend    = "kill -9 of a backend"
	killPostmaster = "kill -9 of the postmaster"
	stopInstance   = "SIGTERM of an instance"
	holdLots       = "lots held over their ends"
	killAll        = "kill -9 of all instances"
)

var kinds = []string{holdLots, killInstance, killBackend, stopInstance, killPostmaster}

// more are what may come second.
var more = []string{killInstance, killBackend, stopInstance, killPostmaster, killAll}

// faults are those of a round, in turn. After each kind came once by itself,
// half of the rounds have two.
func faults(seed uint64, round int) []fault {
	random := rand.New(rand.NewPCG(seed, uint64(round)|1<<63))
	list := []string{kinds[round%len(kinds)]}
	if round >= len(kinds) && random.IntN(2) == 0 {
		list = append(list, more[random.IntN(len(more))])
	}
	made := make([]fault, len(list))
	for i, kind := range list {
		made[i] = fault{kind, time.Duration(200+random.IntN(900)) * time.Millisecond, random.IntN(6), time.Duration(random.IntN(400)) * time.Millisecond}
	}
	return made
}
