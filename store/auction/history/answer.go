package history

import (
	"fmt"
	"time"

	"rostrum/store/auction"
)

// Kind is what a client did.
type Kind string

// The kinds of answers.
const (
	Bid    Kind = "bid"    // an offer; Verdict says how it was answered
	Read   Kind = "read"   // the lot was read
	Frame  Kind = "frame"  // a live frame; Call is when its stream was asked for
	Change Kind = "change" // an edit, a withdrawal or a closing; Told is the state that it made
)

// Answer is one thing that a client asked for, with what came back. What was
// refused without being judged (signed out, rate limit, unreadable) is none.
type Answer struct {
	Kind   Kind
	Client int // who asked; of a frame the stream, for on one stream no version comes twice
	// Call and Return are when it was asked for and when the answer was there,
	// since one instant that all clients of a history share.
	Call, Return time.Duration

	Offer   auction.Offer   // of a bid
	Verdict auction.Verdict // of a bid; "": unknown, because the answer was lost or said unavailable
	Bid     auction.Bid     // where it was accepted or replayed: Version, CreatedAt and, where it was told, ID

	// Told is the lot as the answer told it. Version 0: it told nothing. EndTime
	// zero: no price, floor and end (a 403). Status "": no leader, count and
	// status (a 409). The instant of judging is Now, zero where it was not told.
	Told auction.State
}

// Unknown says that nobody knows whether what was asked for has happened.
func (a Answer) Unknown() bool { return a.Kind == Bid && a.Verdict == "" }

// String tells the answer in one line.
func (a Answer) String() string {
	line := fmt.Sprintf("client %d, %s from %v", a.Client, a.Kind, a.Call)
	if a.Unknown() {
		line += ", without an answer"
	} else {
		line += fmt.Sprintf(" to %v", a.Return)
	}
	if a.Kind == Bid {
		line += fmt.Sprintf(": %s of %d, id %s: %q", amount(a.Offer.Amount), a.Offer.BidderID, a.Offer.RequestID, a.Verdict)
	}
	if a.Bid.Version != 0 {
		line += fmt.Sprintf(" as version %d at %s", a.Bid.Version, instant(a.Bid.CreatedAt))
	}
	if a.Told.Version != 0 {
		line += ", told " + told(a.Told)
	}
	return line
}

func told(s auction.State) string {
	line := fmt.Sprintf("version %d", s.Version)
	if !s.EndTime.IsZero() {
		line += fmt.Sprintf(", price %s, floor %s, end %s", amount(s.CurrentPrice), amount(s.MinimumBid), instant(s.EndTime))
	}
	if s.Status != "" {
		line += fmt.Sprintf(", %d bids, leader %s, %s", s.BidCount, person(s.LeaderID), s.Status)
	}
	if !s.Now.IsZero() {
		line += ", now " + instant(s.Now)
	}
	return line
}

func amount(m auction.Money) string { return auction.Currency{Digits: 2}.Text(m) }

func instant(t time.Time) string { return t.UTC().Format("15:04:05.000000") }

func person(id *int64) string {
	if id == nil {
		return "none"
	}
	return fmt.Sprint(*id)
}
