package history

import (
	"slices"
	"time"

	"rostrum/store/auction"
)

// collect finds what made each version: first what was told to whoever made
// it, then what retries were told, the log, changes, and what was only seen.
func (c *check) collect() {
	c.kept = map[auction.RequestID]int64{}
	c.unproved = map[bidKey][]*Answer{}
	c.steps = make([]step, c.versions())
	for i := range c.Answers {
		if a := &c.Answers[i]; a.Verdict == auction.Accepted {
			c.accepted(a)
		} else if a.Unknown() || a.Verdict == auction.Replayed {
			key := keyOf(a.Offer.BidderID, a.Offer.Amount)
			c.unproved[key] = append(c.unproved[key], a)
		}
	}
	for _, asked := range c.unproved {
		slices.SortFunc(asked, func(a, b *Answer) int { return int(a.Call - b.Call) })
	}
	for i := range c.Answers {
		if a := &c.Answers[i]; a.Verdict == auction.Replayed {
			c.replayed(a)
		} else if a.Kind == Change {
			c.changed(a)
		}
	}
	for i := range c.Log {
		c.logged(&c.Log[i])
	}
	c.closed()
	c.seen()
}

// versions is how many were made after the beginning's: up to the highest that
// anybody tells of, but no more than can have been.
func (c *check) versions() int64 {
	top, most := c.Begin.Version, c.Begin.Version+int64(len(c.Answers)+len(c.Log)+1)
	for _, a := range c.Answers {
		for _, v := range []int64{a.Told.Version, a.Bid.Version} {
			if v <= most {
				top = max(top, v)
			}
		}
	}
	for _, b := range c.Log {
		if b.Version <= most {
			top = max(top, b.Version)
		}
	}
	return top - c.Begin.Version
}

func (c *check) accepted(a *Answer) {
	s := c.step(a.Bid.Version)
	switch {
	case s == nil:
		c.contradict("B12", a, nil, "no bid can have made version %d", a.Bid.Version)
		return
	case s.made != unseen:
		c.contradict("B12", a, s.by, "two bids made version %d", a.Bid.Version)
		return
	}
	if first, twice := c.kept[a.Offer.RequestID]; twice {
		c.contradict("B5", a, c.maker(first), "the id %s was accepted twice", a.Offer.RequestID)
	}
	c.keep(s, a, a.Call, a.Return)
}

func (c *check) keep(s *step, a *Answer, call, ret time.Duration) {
	s.made, s.by, s.ask, s.call, s.ret = byBid, a, a.Offer.AskLeader, call, ret
	s.bid = a.Bid
	s.bid.BidderID, s.bid.Amount, s.bid.RequestID = a.Offer.BidderID, a.Offer.Amount, a.Offer.RequestID
	c.kept[a.Offer.RequestID] = s.bid.Version
}

// replayed takes the bid from a retry's answer where the first one was lost.
func (c *check) replayed(a *Answer) {
	s := c.step(a.Bid.Version)
	if s == nil {
		c.contradict("B12", a, nil, "no bid can have made version %d", a.Bid.Version)
		return
	}
	if _, known := c.kept[a.Offer.RequestID]; known || s.made != unseen {
		return // whether it is the same is judged with the other answers
	}
	first, _ := c.asked(a.Offer.BidderID, a.Offer.Amount, a.Offer.RequestID)
	c.keep(s, a, first.Call, never)
}

// asked is the earliest offer like this one whose first answer nobody has, nil
// where there is none. An id of zeros is any: which was meant is sure
// where all of them have the same.
func (c *check) asked(bidder int64, m auction.Money, id auction.RequestID) (first *Answer, sure bool) {
	sure = true
	for _, a := range c.unproved[keyOf(bidder, m)] {
		switch {
		case id != (auction.RequestID{}) && id != a.Offer.RequestID:
		case first == nil:
			first = a
		case a.Offer.RequestID != first.Offer.RequestID:
			sure = false
		}
	}
	return first, sure
}

func (c *check) changed(a *Answer) {
	s := c.step(a.Told.Version)
	switch {
	case s == nil:
		c.contradict("B12", a, nil, "no change can have made version %d", a.Told.Version)
	case s.made != unseen:
		c.contradict("B12", a, s.by, "both made version %d", a.Told.Version)
	default:
		*s = step{made: byChange, told: a.Told, by: a, call: a.Call, ret: a.Return}
	}
}

// logged takes a bid from the log where nobody was told of it.
func (c *check) logged(b *auction.Bid) {
	s := c.step(b.Version)
	if s == nil || s.made != unseen {
		return // compareLog says what is wrong with it
	}
	*s = step{made: byBid, bid: *b, call: sinceEve, ret: never}
	first, sure := c.asked(b.BidderID, b.Amount, b.RequestID)
	if first == nil {
		c.contradict("B6", nil, nil, "version %d of the log, %s of %d, is one that nobody asked for and waits to be told of", b.Version, amount(b.Amount), b.BidderID)
		return
	}
	s.by, s.call = first, first.Call
	if !sure {
		c.unsure = true
		return
	}
	s.ask, s.bid.RequestID = first.Offer.AskLeader, first.Offer.RequestID
	if other, twice := c.kept[s.bid.RequestID]; twice {
		c.contradict("B5", first, c.maker(other), "the id %s was accepted twice", s.bid.RequestID)
	}
	c.kept[s.bid.RequestID] = b.Version
}

// closed finds the closing where nobody recorded it: it made the first version
// that was told as over.
func (c *check) closed() {
	var first *Answer
	for i := range c.Answers {
		if a := &c.Answers[i]; a.Told.Status != "" && a.Told.Status != auction.Open && (first == nil || a.Told.Version < first.Told.Version) {
			first = a
		}
	}
	if first == nil {
		return
	}
	if s := c.step(first.Told.Version); s != nil && s.made == unseen {
		*s = step{made: byChange, told: first.Told, by: first, call: sinceEve, ret: never}
	}
}

// seen finds bids of which nobody was told, but that somebody saw lead.
func (c *check) seen() {
	for i := range c.Answers {
		a := &c.Answers[i]
		s := c.step(a.Told.Version)
		if s == nil || s.made != unseen || a.Told.LeaderID == nil || a.Told.EndTime.IsZero() {
			continue
		}
		first, sure := c.asked(*a.Told.LeaderID, a.Told.CurrentPrice, auction.RequestID{})
		if first == nil {
			continue
		}
		*s = step{made: bySight, told: a.Told, by: first, call: first.Call, ret: never}
		s.bid = auction.Bid{Version: a.Told.Version, BidderID: first.Offer.BidderID, Amount: first.Offer.Amount}
		if c.unsure = c.unsure || !sure; sure {
			s.bid.RequestID = first.Offer.RequestID
			c.kept[first.Offer.RequestID] = a.Told.Version
		}
	}
}
