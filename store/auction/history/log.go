package history

import "rostrum/store/auction"

// compareLog checks that each accepted bid stands in the log as it was told,
// and that the log has each version once (B6).
func (c *check) compareLog() {
	if !c.Logged {
		return
	}
	rows := map[int64]*auction.Bid{}
	for i := range c.Log {
		b := &c.Log[i]
		s := c.step(b.Version)
		switch {
		case rows[b.Version] != nil:
			c.contradict("B6", c.maker(b.Version), nil, "version %d stands twice in the log", b.Version)
		case s == nil:
			c.contradict("B6", nil, nil, "version %d of the log is none that can have been made", b.Version)
		case s.made != byBid && s.made != bySight || !sameBid(s.bid, *b):
			c.contradict("B6", s.by, nil, "version %d of the log is another: %s of %d, judged at %s", b.Version, amount(b.Amount), b.BidderID, instant(b.CreatedAt))
		}
		rows[b.Version] = b
	}
	for i := range c.steps {
		if s := &c.steps[i]; (s.made == byBid || s.made == bySight) && rows[s.bid.Version] == nil {
			c.contradict("B6", s.by, nil, "version %d was accepted and is missing in the log", s.bid.Version)
		}
	}
}

// sameBid compares what both tell.
func sameBid(told, kept auction.Bid) bool {
	return told.BidderID == kept.BidderID && told.Amount.Cmp(kept.Amount) == 0 &&
		(told.CreatedAt.IsZero() || told.CreatedAt.Equal(kept.CreatedAt)) &&
		(told.ID == 0 || kept.ID == 0 || told.ID == kept.ID) &&
		(kept.RequestID == auction.RequestID{} || told.RequestID == kept.RequestID)
}
