package load

import (
	"time"

	"rostrum/store/auction"
)

// Shot is one bid that was sent, with what came back. All times are since the
// schedule began.
type Shot struct {
	Lot, Bidder int // places in the plan's lists
	Cents       int64
	Low         bool // it was meant to be too low
	RequestID   auction.RequestID
	Due         time.Duration // when it had to be sent; as fast as it goes: when its bidder was free
	Free        time.Duration // when its bidder was ready to send it
	Sent        time.Duration
	Return      time.Duration
	Status      int    // 0: no answer
	Body        []byte // read once the crowd has left, so that it costs nothing meanwhile
}

// Latency counts from when it was due, so that waiting for a free bidder is
// part of it.
func (s Shot) Latency() time.Duration { return s.Return - s.Due }

// Late is how late bench itself was: from when there was something to send and
// somebody to send it.
func (s Shot) Late() time.Duration { return s.Sent - max(s.Due, s.Free) }

// Queued says that nobody was free when it was due.
func (s Shot) Queued() bool { return s.Free > s.Due }

// After are the shots that were due from then on, with their times since then:
// what came before was to warm the house up.
func After(warm time.Duration, shots []Shot) []Shot {
	var measured []Shot
	for _, s := range shots {
		if s.Due >= warm {
			s.Due, s.Free, s.Sent, s.Return = s.Due-warm, s.Free-warm, s.Sent-warm, s.Return-warm
			measured = append(measured, s)
		}
	}
	return measured
}
