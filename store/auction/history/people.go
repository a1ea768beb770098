package history

import (
	"cmp"
	"slices"

	"rostrum/store/auction"
)

// streams checks that on one stream no version comes twice and none goes back.
func (c *check) streams() {
	frames := map[int][]*Answer{}
	for i := range c.Answers {
		if a := &c.Answers[i]; a.Kind == Frame {
			frames[a.Client] = append(frames[a.Client], a)
		}
	}
	for _, stream := range frames {
		slices.SortStableFunc(stream, func(a, b *Answer) int { return cmp.Compare(a.Return, b.Return) })
		for i := 1; i < len(stream); i++ {
			if stream[i].Told.Version <= stream[i-1].Told.Version {
				c.contradict("trap 11", stream[i], stream[i-1], "a frame is not newer than the one before it")
			}
		}
	}
}

// standings checks that nobody bid who was certainly suspended all the while,
// and that who was told so can have been (B8).
func (c *check) standings() {
	for i := range c.Answers {
		a := &c.Answers[i]
		switch {
		case a.Kind == Bid && a.Verdict == auction.Accepted && c.suspendedThroughout(a):
			c.contradict("B8", a, nil, "the person was suspended all the while")
		case a.Kind == Bid && a.Verdict == auction.Suspended && !c.suspendedPerhaps(a):
			c.contradict("B8", a, nil, "the person was not suspended at any instant of it")
		}
	}
}

// suspendedThroughout looks for a suspension that was done before the bid was
// asked for, or before it was judged by the database's own clock, and whose end
// cannot have begun before the answer.
func (l Lot) suspendedThroughout(a *Answer) bool {
	return slices.ContainsFunc(l.Standings, func(s Standing) bool {
		return s.PersonID == a.Offer.BidderID && s.Suspended &&
			(s.Return < a.Call || !s.Known.IsZero() && s.Known.Before(a.Bid.CreatedAt)) &&
			!slices.ContainsFunc(l.Standings, func(r Standing) bool {
				return r.PersonID == s.PersonID && !r.Suspended && r.Return > s.Call && r.Call < a.Return
			})
	})
}

// suspendedPerhaps looks for a suspension that had begun before the answer and
// was not certainly over before the bid was asked for.
func (l Lot) suspendedPerhaps(a *Answer) bool {
	return slices.ContainsFunc(l.Standings, func(s Standing) bool {
		return s.PersonID == a.Offer.BidderID && s.Suspended && s.Call < a.Return &&
			!slices.ContainsFunc(l.Standings, func(r Standing) bool {
				return r.PersonID == s.PersonID && !r.Suspended && r.Call > s.Return && r.Return < a.Call
			})
	})
}
