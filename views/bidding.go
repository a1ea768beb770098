package views

import (
	"fmt"
	"time"

	"rostrum/store/auction"
)

// Step is an amount to bid by one press.
type Step struct {
	Price  string // "$1,400.00"
	Amount string // "1400.00"
}

// Ask is a bid that is shown once more before it is placed.
type Ask struct {
	Price     string // as the house understood what was typed
	Amount    string
	RequestID string // that of the form it was typed into: sent twice, it is one bid
	Leading   bool   // the reader leads already, and would raise their own bid
	LeadsAt   string // where Leading
}

// History is the price over time, drawn as a step line.
type History struct {
	Line       string // the path, in the 600 by 108 of the picture
	StartPrice string
	Rows       []HistoryRow
}

// HistoryRow is a price and since when it held.
type HistoryRow struct {
	Since time.Time
	Price string
}

// told is what the line shows, in a sentence.
func (h History) told(live Live) string {
	if live.State.BidCount == 0 {
		return fmt.Sprintf("The price is %s; nobody has bid yet.", h.StartPrice)
	}
	return fmt.Sprintf("The price rose from %s to %s in %s.", h.StartPrice, live.Price, bids(live.State.BidCount))
}

// until names the line's right end.
func (h History) until(live Live) string {
	switch live.State.Phase() {
	case auction.Scheduled, auction.Running:
		return "now"
	default:
		return "at the end"
	}
}

// confirmPath is where a bid is shown once more.
func (p Panel) confirmPath() string { return lotPath(p.AuctionID, "/bids/confirmation") }

// bidPath is where the bid form leads.
func (p Panel) bidPath() string {
	if p.Confirm {
		return p.confirmPath()
	}
	return lotPath(p.AuctionID, "/bids")
}
