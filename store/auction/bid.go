package auction

import "time"

// Bid is one row of an auction's log: an offer that was accepted.
type Bid struct {
	ID        int64
	AuctionID int64
	Version   int64 // the auction's version that this bid made; the order of the log
	BidderID  int64
	Alias     string // what others see of the bidder; empty where it was not asked for
	Amount    Money
	RequestID RequestID
	CreatedAt time.Time // the instant of judging, on the database's clock
}

// Offer is what a person asks for: to bid Amount on a lot. The same offer may
// be sent again without harm, because it carries an id of its own.
type Offer struct {
	AuctionID int64
	BidderID  int64
	Amount    Money
	RequestID RequestID
	// AskLeader says that a bidder who leads when this is judged has not said
	// yet that they mean to raise their own bid: the verdict is then Leading.
	AskLeader bool
}

// Verdict is how an offer was judged.
type Verdict string

// The verdicts, in the order in which they are looked for once the request
// itself is sound. Only Accepted leaves anything behind.
const (
	Replayed   Verdict = "replayed"    // the same offer was accepted before; its first answer stands
	Reused     Verdict = "reused"      // the id belongs to another offer
	Suspended  Verdict = "suspended"   // the person may not bid for now
	OwnAuction Verdict = "own_auction" // sellers do not bid on their own lots
	NotStarted Verdict = "not_started"
	Ended      Verdict = "ended" // at or after the end, closed, or withdrawn
	TooLow     Verdict = "too_low"
	Leading    Verdict = "leading" // the bidder leads already, and is asked first
	Accepted   Verdict = "accepted"
)

// Outcome is the answer to one offer.
type Outcome struct {
	Verdict Verdict
	Bid     Bid     // where Verdict is Accepted or Replayed
	Auction Auction // the present state, at the bid's version or later; Now is the instant of judging
}
