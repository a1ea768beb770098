package history

import (
	"slices"
	"time"

	"rostrum/store/auction"
)

// world is the sequential model with what one lot's state does not hold. It is
// never changed, only followed by others.
type world struct {
	state
	lot     *Lot
	asked   map[auction.RequestID]int // how often, in the whole history
	bids    []auction.Bid             // accepted so far under ids that are asked for more than once
	ended   bool                      // somebody was told so
	lateEnd bool                      // a lost bid may have moved the end: it is no earlier than what stands here

	// What is still to be told of this version must be told before the next one
	// is made. To see at once that it cannot be any more spares porcupine to try
	// all orders of the rest.
	tellings map[int64]int // by version, in the whole history
	untold   int           // of this version
}

// step is what a world can become by an operation; none: it does not fit, or
// leaves something untold for ever.
func (w world) step(o operation) (possible []world) {
	for _, next := range w.become(o) {
		if next.version != w.version {
			if w.untold > 0 {
				continue
			}
			next.untold = w.tellings[next.version]
		} else if o.what == telling {
			next.untold--
		}
		possible = append(possible, next)
	}
	return possible
}

func (w world) become(o operation) []world {
	switch {
	case o.what == telling:
		return w.tell(o.answer.Told)
	case o.what == closing:
		closed := w
		closed.version++
		closed.status = auction.Closed
		return []world{w, closed}
	case o.answer.Kind == Change:
		next := w
		var wrong string
		if next.state, wrong = w.change(o.answer.Told); wrong != "" || next.differs(o.answer.Told) != "" {
			return nil
		}
		return []world{next}
	case o.answer.Unknown():
		return w.unknown(o.answer)
	default:
		return w.answer(o.answer)
	}
}

func (w world) tell(told auction.State) []world {
	if told.Version != w.version {
		return nil
	}
	if w.lateEnd && !told.EndTime.IsZero() && !told.EndTime.Before(w.end) {
		w.end, w.lateEnd = told.EndTime, false
	}
	if w.differs(told) != "" {
		return nil
	}
	return []world{w}
}

func (w world) kept(id auction.RequestID) *auction.Bid {
	for i := range w.bids {
		if w.bids[i].RequestID == id {
			return &w.bids[i]
		}
	}
	return nil
}

func (w world) answer(a *Answer) []world {
	at := a.Told.Now
	if a.Verdict == auction.Accepted {
		at = a.Bid.CreatedAt
	}
	if at.IsZero() { // a 403 or 422 does not tell it, and it does not matter there
		at = w.start
	}
	kept := w.kept(a.Offer.RequestID)
	suspended := a.Verdict == auction.Suspended
	judge := func(s state) bool { return s.judge(a.Offer, at, kept, suspended) == a.Verdict }
	fits := judge(w.state)
	if w.lateEnd && !fits {
		late := w.state
		late.end = at.Add(time.Microsecond)
		fits = judge(late)
	}
	switch {
	case !fits || suspended && !w.lot.suspendedPerhaps(a) || a.Verdict == auction.Accepted && w.lot.suspendedThroughout(a):
		return nil
	case a.Verdict == auction.Accepted && (w.ended || a.Bid.Version != w.version+1 || at.Before(w.since)):
		return nil
	case a.Verdict == auction.Accepted:
		return []world{w.accept(a.Offer, a.Bid)}
	case a.Verdict == auction.Replayed && (a.Bid.Version != kept.Version || !kept.CreatedAt.IsZero() && !kept.CreatedAt.Equal(a.Bid.CreatedAt)):
		return nil
	default:
		w.ended = w.ended || a.Verdict == auction.Ended
		return []world{w}
	}
}

func (w world) accept(o auction.Offer, b auction.Bid) world {
	b.BidderID, b.Amount, b.RequestID = o.BidderID, o.Amount, o.RequestID
	w.state = w.bid(o.BidderID, o.Amount, b.CreatedAt)
	if w.asked[o.RequestID] > 1 {
		w.bids = append(slices.Clip(w.bids), b)
	}
	return w
}

// unknown: it has happened now, or never.
func (w world) unknown(a *Answer) []world {
	at := w.end.Add(-time.Microsecond)
	if w.ended || w.judge(a.Offer, at, w.kept(a.Offer.RequestID), false) != auction.Accepted {
		return []world{w}
	}
	next := w.accept(a.Offer, auction.Bid{Version: w.version + 1})
	next.end, next.since, next.lateEnd = w.end, w.since, true
	return []world{w, next}
}

func (w world) equal(o world) bool {
	return w.version == o.version && w.status == o.status && w.count == o.count && w.ended == o.ended && w.lateEnd == o.lateEnd &&
		w.price.Cmp(o.price) == 0 && w.increment.Cmp(o.increment) == 0 && w.end.Equal(o.end) && w.start.Equal(o.start) && w.since.Equal(o.since) &&
		samePerson(w.leader, o.leader) && slices.Equal(w.bids, o.bids)
}
