package history

import (
	"math"
	"time"

	"rostrum/store/auction"
)

// check is one run of Lot.Check.
type check struct {
	Lot
	found Contradictions

	steps    []step                      // what made each version after the beginning's; filled by collect
	kept     map[auction.RequestID]int64 // the version that an accepted id made
	unproved map[bidKey][]*Answer        // the offers that were not acknowledged as first answered, the earliest first
	unsure   bool                        // there is a bid of which nobody knows under which of several ids it was placed
	states   []state                     // after each version, the beginning's first; filled by walk
	position []int64                     // of each answer in the order: the version after whose making it stands, or none
}

// step is what made one version.
type step struct {
	made how
	bid  auction.Bid
	told auction.State // of a change, and of a bid of which only what it made was seen
	by   *Answer       // who tells of it, nil where only the log does
	ask  bool          // the offer's AskLeader
	// It was not made before call nor after ret.
	call, ret time.Duration
}

type how byte

const (
	unseen how = iota // nothing tells of it: the bid of an unknown answer
	byBid
	byChange
	bySight // a bid, of which only the state that it made was seen
)

// bidKey names an accepted bid of one lot: prices rise, so no amount comes twice.
type bidKey struct {
	bidder int64
	amount string
}

func keyOf(bidder int64, m auction.Money) bidKey { return bidKey{bidder, amount(m)} }

const (
	never    = math.MaxInt64
	nowhere  = -1
	sinceEve = math.MinInt64
)

// step is what made a version, nil where it is none that can have been made.
func (c *check) step(version int64) *step {
	if i := version - c.Begin.Version - 1; i >= 0 && i < int64(len(c.steps)) {
		return &c.steps[i]
	}
	return nil
}

// state is the lot after a version, which is known to be one.
func (c *check) state(version int64) state { return c.states[version-c.Begin.Version] }

func (c *check) isVersion(v int64) bool {
	return v >= c.Begin.Version && v <= c.Begin.Version+int64(len(c.steps))
}

// maker is who tells what made a version, nil for the beginning and for what
// stands in the log only.
func (c *check) maker(version int64) *Answer {
	if s := c.step(version); s != nil {
		return s.by
	}
	return nil
}

// keptBid is the bid that was accepted under an id, in whatever version.
func (c *check) keptBid(id auction.RequestID) *auction.Bid {
	if v, known := c.kept[id]; known {
		return &c.step(v).bid
	}
	return nil
}

func (c *check) tally() Tally {
	t := Tally{Answers: len(c.Answers)}
	acknowledged := map[int64]bool{}
	for _, a := range c.Answers {
		switch {
		case a.Unknown():
			t.Unknown++
			if c.happened(a) {
				t.Happened++
			}
		case a.Kind != Bid:
			t.Seen++
		case a.Verdict == auction.Accepted:
			acknowledged[a.Bid.Version] = true
		case a.Verdict == auction.Replayed:
			acknowledged[a.Bid.Version] = true
			t.Replayed++
		default:
			t.Refused++
		}
	}
	t.Acknowledged = len(acknowledged)
	return t
}

// happened says whether the bid of an unknown answer is there, and no later
// request of the same id was told that it made it.
func (c *check) happened(a Answer) bool {
	v, kept := c.kept[a.Offer.RequestID]
	if !kept {
		return false
	}
	s := c.step(v)
	return s.bid.BidderID == a.Offer.BidderID && s.bid.Amount.Cmp(a.Offer.Amount) == 0 && (s.by == nil || s.by.Verdict != auction.Accepted)
}
