// Package books is the audit: what a house keeps of a lot, read behind its
// counter or over it, against the rules and against what people were answered.
//
// It imports store/auction and its history, and cmd/bench's own.
package books

import (
	"rostrum/store/auction"
)

// Book is what a house keeps of one lot.
type Book struct {
	Lot      auction.Auction
	Log      []auction.Bid // by version, the oldest first; RequestID zero where it was not told
	Closings []Closing     // its auction-closed events
	Result   *Closing      // nil: none
}

// Closing is how a lot ended, as an event or the result tells it.
type Closing struct {
	Sold     bool
	WinnerID *int64 // nil: nobody won, or it was not told
	Price    *auction.Money
	BidCount int64
}
