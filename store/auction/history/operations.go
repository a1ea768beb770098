package history

import (
	"math"
	"slices"
	"time"

	"rostrum/store/auction"
)

// operation is one thing that happened at one instant between a call and an
// answer: an offer was judged, or a state was told. Both are of one answer, but
// not at the same instant, because what is judged together tells the last state.
type operation struct {
	what      string
	answer    *Answer
	call, ret time.Duration
}

const (
	judging = "judged"
	telling = "told"
	closing = "closed"
)

// operations are all that must have happened or may have. Frames are none: they
// may be late. Nor are suspensions: they are of people, not of one lot, and a bid
// that was judged before one may be committed after it.
func (l Lot) operations() []operation {
	var list []operation
	closed, recorded := false, false
	for _, a := range l.untold() {
		list = append(list, operation{what: judging, answer: &a, call: a.Call, ret: a.Return})
	}
	for i := range l.Answers {
		a := &l.Answers[i]
		closed = closed || a.Told.Status == auction.Closed
		recorded = recorded || a.Kind == Change && a.Told.Status == auction.Closed
		switch {
		case a.Unknown() || a.Kind == Frame:
		case a.Kind == Read:
			list = append(list, operation{what: telling, answer: a, call: a.Call, ret: a.Return})
		default:
			list = append(list, operation{what: judging, answer: a, call: a.Call, ret: a.Return})
			if a.Told.Version != 0 && a.Kind != Change {
				list = append(list, operation{what: telling, answer: a, call: a.Call, ret: a.Return})
			}
		}
	}
	if closed && !recorded {
		list = append(list, operation{what: closing, ret: math.MaxInt64})
	}
	return list
}

// untold are the offers that nobody was told are accepted: those of which only
// retries were told were accepted before these answers, and the others by some
// time or never. Each is one, however often it was asked for.
func (l Lot) untold() []Answer {
	type name struct {
		id auction.RequestID
		of bidKey
	}
	var order []name
	first := map[name]Answer{}
	told := map[auction.RequestID]bool{}
	for _, a := range l.Answers {
		told[a.Offer.RequestID] = told[a.Offer.RequestID] || a.Verdict == auction.Accepted
		if !a.Unknown() && a.Verdict != auction.Replayed {
			continue
		}
		n := name{a.Offer.RequestID, keyOf(a.Offer.BidderID, a.Offer.Amount)}
		f, known := first[n]
		if !known {
			order = append(order, n)
			f = Answer{Kind: Bid, Client: a.Client, Call: a.Call, Return: math.MaxInt64, Offer: a.Offer}
		}
		f.Call, f.Offer.AskLeader = min(f.Call, a.Call), f.Offer.AskLeader && a.Offer.AskLeader
		if a.Verdict == auction.Replayed {
			f.Verdict, f.Bid, f.Return = auction.Accepted, a.Bid, min(f.Return, a.Return)
		}
		first[n] = f
	}
	var list []Answer
	for _, n := range order {
		f := first[n]
		if told[n.id] {
			continue // by an answer that made the bid, so that no other did
		}
		if f.Verdict == "" {
			f.Return = l.decided(f.Offer.Amount)
			if !l.mayHaveHappened(&f) || f.Return < f.Call {
				continue
			}
		}
		list = append(list, f)
	}
	return list
}

// decided is when somebody was first told a price that an amount does not beat,
// or that the lot is over: an unknown bid of that amount happened by then or
// never. Knowing that spares porcupine to try it everywhere.
func (l Lot) decided(amount auction.Money) time.Duration {
	var first time.Duration = math.MaxInt64
	for _, a := range l.Answers {
		over := a.Told.Status != "" && a.Told.Status != auction.Open
		if over || !a.Told.EndTime.IsZero() && a.Told.CurrentPrice.Cmp(amount) >= 0 {
			first = min(first, a.Return)
		}
	}
	return first
}

// mayHaveHappened asks the log, where it is at hand, what became of an unknown
// offer. Where it is not, it may be a bid.
func (l Lot) mayHaveHappened(a *Answer) bool {
	if !l.Logged {
		return true
	}
	i := slices.IndexFunc(l.Log, func(b auction.Bid) bool {
		return b.BidderID == a.Offer.BidderID && b.Amount.Cmp(a.Offer.Amount) == 0 && (b.RequestID == a.Offer.RequestID || b.RequestID == auction.RequestID{})
	})
	if i >= 0 && l.Log[i].RequestID == a.Offer.RequestID { // else it may be another one's of the same amount
		a.Verdict, a.Bid = auction.Accepted, l.Log[i]
	}
	return i >= 0
}
