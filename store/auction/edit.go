package auction

import "strings"

// MaxReason is the length of a reason, in characters.
const MaxReason = 1000

// Withdrawal is what somebody asks for who takes a lot out of the sale: its
// seller, or an admin, who must say why.
type Withdrawal struct {
	AuctionID int64
	ActorID   int64
	ByAdmin   bool
	Reason    string // told to the bidders and the seller
}

// Tidy takes the blanks from around the reason and the line ends of browsers
// out of it.
func (w Withdrawal) Tidy() Withdrawal {
	w.Reason = tidyText(w.Reason)
	return w
}

// Check returns the mistakes in a tidy withdrawal, nil where there are none.
func (w Withdrawal) Check() Mistakes {
	mistakes := Mistakes{}
	mistakes.length("reason", w.Reason, MaxReason)
	if w.ByAdmin && mistakes["reason"] == "" && !strings.ContainsFunc(w.Reason, visible) {
		mistakes["reason"] = "Say why: the bidders and the seller are told."
	}
	return mistakes.orNil()
}

// Edit is what a seller asks for who changes a lot: all its terms anew. Terms
// without a start leave that of a lot that has started as it is.
type Edit struct {
	AuctionID int64
	Version   int64 // of the lot as the seller saw it
	Terms     Listing
}

func tidyText(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
}
