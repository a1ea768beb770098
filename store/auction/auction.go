package auction

import "time"

// Status is what is written in an auction's row. An auction is Open from its
// listing on, also before its start and for the moment between its end and
// the closing; see Phase for what that means to a person.
type Status string

// The statuses of an auction.
const (
	Open      Status = "OPEN"
	Closed    Status = "CLOSED"
	Withdrawn Status = "WITHDRAWN"
)

// Auction is one lot as one row of the database told it at the instant Now.
type Auction struct {
	ID            int64
	SellerID      int64
	Title         string // 1 to MaxTitle characters
	Description   string // at most MaxDescription characters
	StartingPrice Money
	MinIncrement  Money // more than zero
	CurrentPrice  Money // the starting price until somebody bids
	LeaderID      *int64
	BidCount      int64
	Version       int64 // 1 at listing; rises with each accepted bid, edit, withdrawal and close
	Status        Status
	StartTime     time.Time
	EndTime       time.Time
	SoftClose     time.Duration // a bid in this time before the end moves the end to this time after it
	ClosedAt      *time.Time
	Now           time.Time // the database's clock when this was read or judged
}

// State is what changes about an auction while people watch it: what one live
// frame tells, complete in itself. Of two states of one auction the one with
// the higher Version is the newer.
type State struct {
	AuctionID     int64
	Version       int64
	StartingPrice Money
	CurrentPrice  Money
	MinIncrement  Money
	MinimumBid    Money
	LeaderID      *int64
	BidCount      int64
	Status        Status
	StartTime     time.Time
	EndTime       time.Time
	SoftClose     time.Duration
	Now           time.Time
}

// MinimumBid is the floor: the lowest amount that would be accepted now.
func (a Auction) MinimumBid() Money { return a.CurrentPrice.Add(a.MinIncrement) }

// State is the part of the auction that a live frame tells.
func (a Auction) State() State {
	return State{
		AuctionID:     a.ID,
		Version:       a.Version,
		StartingPrice: a.StartingPrice,
		CurrentPrice:  a.CurrentPrice,
		MinIncrement:  a.MinIncrement,
		MinimumBid:    a.MinimumBid(),
		LeaderID:      a.LeaderID,
		BidCount:      a.BidCount,
		Status:        a.Status,
		StartTime:     a.StartTime,
		EndTime:       a.EndTime,
		SoftClose:     a.SoftClose,
		Now:           a.Now,
	}
}

// LedBy says whether that person made the highest bid so far.
func (s State) LedBy(personID int64) bool { return s.LeaderID != nil && *s.LeaderID == personID }

// Over says that nothing about the auction will change any more.
func (s State) Over() bool { return s.Status != Open }

// Phase is where an auction stands for a person who looks at it.
type Phase string

// The phases of an auction. Confirming is the moment between the end and the
// closing, in which nobody has won yet.
const (
	Scheduled  Phase = "scheduled"
	Running    Phase = "running"
	Confirming Phase = "confirming"
	Sold       Phase = "sold"
	Unsold     Phase = "unsold"
	CalledOff  Phase = "withdrawn"
)

// Phase is where the auction stood at the instant Now.
func (s State) Phase() Phase {
	switch {
	case s.Status == Withdrawn:
		return CalledOff
	case s.Status == Closed && s.LeaderID != nil:
		return Sold
	case s.Status == Closed:
		return Unsold
	case s.Now.Before(s.StartTime):
		return Scheduled
	case s.Now.Before(s.EndTime):
		return Running
	default:
		return Confirming
	}
}
