package history

import "rostrum/store/auction"

// judge compares one answer with the state that it tells and, where it is a
// bid's, with the verdict that the rules give.
func (c *check) judge(a *Answer) {
	c.position = append(c.position, nowhere)
	at := &c.position[len(c.position)-1]
	if a.Unknown() {
		return
	}
	if a.Told.Version == 0 {
		c.untold(a)
		return
	}
	if !c.isVersion(a.Told.Version) {
		c.contradict("B12", a, nil, "nothing made version %d", a.Told.Version)
		return
	}
	if wrong := c.state(a.Told.Version).differs(a.Told); wrong != "" {
		c.contradict("B12", a, c.maker(a.Told.Version), "the %s is not that of version %d", wrong, a.Told.Version)
	}
	if a.Kind != Bid {
		*at = a.Told.Version
		return
	}
	switch a.Verdict {
	case auction.Accepted:
		*at = a.Bid.Version
		c.judgeOwn(a)
	case auction.Replayed:
		*at = a.Told.Version
		c.judgeOwn(a)
		c.judgeReplay(a)
	case auction.Reused:
		*at = a.Told.Version
		c.judgeReuse(a)
	case auction.Leading: // see placeLeading
	default:
		*at = c.judgeRefusal(a)
	}
}

// untold is an answer that names no version: only a reuse may.
func (c *check) untold(a *Answer) {
	if a.Kind == Bid && a.Verdict == auction.Reused {
		c.judgeReuse(a)
		return
	}
	c.contradict("B12", a, nil, "it names no version")
}

func (c *check) judgeOwn(a *Answer) {
	if a.Told.Version < a.Bid.Version {
		c.contradict("B12", a, c.maker(a.Bid.Version), "the state that it tells is older than the bid")
	}
	if !a.Told.Now.IsZero() && a.Told.Now.Before(a.Bid.CreatedAt) {
		c.contradict("B2", a, nil, "the bid was judged after its answer was made")
	}
}

func (c *check) judgeReplay(a *Answer) {
	kept := c.keptBid(a.Offer.RequestID)
	switch {
	case kept == nil:
		c.contradict("B5", a, c.maker(a.Bid.Version), "version %d is another bid", a.Bid.Version)
	case kept.BidderID != a.Offer.BidderID || kept.Amount.Cmp(a.Offer.Amount) != 0:
		c.contradict("B5", a, c.maker(kept.Version), "the id is another offer's")
	case kept.Version != a.Bid.Version || !kept.CreatedAt.IsZero() && !kept.CreatedAt.Equal(a.Bid.CreatedAt) ||
		kept.ID != 0 && a.Bid.ID != 0 && kept.ID != a.Bid.ID:
		c.contradict("B5", a, c.maker(kept.Version), "it is not the first answer: version %d at %s", kept.Version, instant(kept.CreatedAt))
	}
}

func (c *check) judgeReuse(a *Answer) {
	kept := c.keptBid(a.Offer.RequestID)
	switch {
	case kept == nil && c.vagueIDs():
	case kept == nil:
		c.contradict("B13", a, nil, "the id was never used")
	case kept.BidderID == a.Offer.BidderID && kept.Amount.Cmp(a.Offer.Amount) == 0:
		c.contradict("B5", a, c.maker(kept.Version), "it is the same offer")
	case a.Told.Version != 0 && a.Told.Version < kept.Version:
		c.contradict("B13", a, c.maker(kept.Version), "the id was not used yet")
	}
}

// vagueIDs says that there are bids whose ids nobody knows.
func (c *check) vagueIDs() bool {
	return c.unsure || !c.Logged && c.unexplained() > 0
}

// judgeRefusal judges a refusal as late as can be: on the state that it tells,
// or on the one before its own id was accepted. What was judged together tells
// the last state of all, and a floor only rises.
func (c *check) judgeRefusal(a *Answer) (position int64) {
	position = a.Told.Version
	if kept := c.keptBid(a.Offer.RequestID); kept != nil && kept.Version <= position {
		position = kept.Version - 1
	}
	s := c.state(position)
	if s.vague {
		return position
	}
	if a.Told.Now.IsZero() && (a.Verdict == auction.NotStarted || a.Verdict == auction.Ended) {
		c.contradict("B12", a, nil, "it does not say when it was judged")
		return position
	}
	now := a.Told.Now
	if now.IsZero() {
		now = s.start
	}
	other := c.maker(position)
	if position < a.Told.Version {
		other = c.maker(position + 1)
	}
	if want := s.judge(a.Offer, now, nil, a.Verdict == auction.Suspended); want != a.Verdict {
		if position < a.Told.Version {
			want = auction.Replayed
		}
		c.contradict(rules[a.Verdict], a, other, "it is %q on version %d (floor %s, end %s, %s)", want, position, amount(s.floor()), instant(s.end), s.status)
	}
	if next := c.step(position + 1); a.Verdict == auction.Ended && s.status == auction.Open && next != nil && next.made == byBid {
		c.contradict("B4", a, next.by, "the lot had ended at version %d, and a bid made version %d", position, position+1)
	}
	return position
}
