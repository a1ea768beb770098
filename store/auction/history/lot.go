package history

import (
	"time"

	"rostrum/store/auction"
)

// Lot is all that was recorded of one lot.
type Lot struct {
	Begin   auction.Auction // as it stood before the first of the answers
	Answers []Answer
	// Log is the database's log of bids, in any order, and Logged says that it
	// is at hand. RequestID zero and ID 0 are not compared. It must have been
	// read after the last answer.
	Log    []auction.Bid
	Logged bool
	// Holds are when somebody else held the lot's row, by the database's clock.
	Holds []Hold
	// Standings are suspensions and their ends, of all people.
	Standings []Standing
}

// Hold is a time from and until which the lot's row was locked by a transaction
// that placed no bid: whoever judged, judged before or after.
type Hold struct{ From, Until time.Time }

// Standing is a suspension of a person or its end.
type Standing struct {
	PersonID     int64
	Suspended    bool
	Call, Return time.Duration // as of an Answer
	// Known is an instant of the database's clock at which it was committed
	// already, zero where none is known.
	Known time.Time
}

// Tally counts what was checked.
type Tally struct {
	Answers      int // all of them
	Acknowledged int // bids that somebody was told are accepted
	Refused      int
	Replayed     int // of the acknowledged and again
	Seen         int // reads and frames
	Unknown      int // offers without an answer
	Happened     int // of the unknown: the bid stands in the log, or was seen
}

// Plus is both together.
func (t Tally) Plus(o Tally) Tally {
	return Tally{t.Answers + o.Answers, t.Acknowledged + o.Acknowledged, t.Refused + o.Refused, t.Replayed + o.Replayed,
		t.Seen + o.Seen, t.Unknown + o.Unknown, t.Happened + o.Happened}
}

// Check says whether one order explains all that was recorded: by version, each
// answer on the state before it, and none before one that was answered when it
// was asked for. The error is a Contradictions. It takes O(n log n) steps.
func (l Lot) Check() (Tally, error) {
	if !l.Logged {
		l.Log = nil
	}
	c := &check{Lot: l}
	c.collect()
	c.walk()
	c.compareLog()
	for i := range c.Answers {
		c.judge(&c.Answers[i])
	}
	c.realTime()
	c.streams()
	c.standings()
	if len(c.found) > 0 {
		return c.tally(), c.found
	}
	return c.tally(), nil
}
