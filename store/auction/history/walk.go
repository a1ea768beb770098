package history

import (
	"rostrum/store/auction"
)

// walk goes from version to version and judges what made each on the state
// before it.
func (c *check) walk() {
	s := stateOf(c.Begin)
	c.states = append(make([]state, 0, len(c.steps)+1), s)
	unexplained := c.unexplained()
	for i := range c.steps {
		made := &c.steps[i]
		switch made.made {
		case byBid:
			c.judgeBid(s, made)
			s = s.bid(made.bid.BidderID, made.bid.Amount, made.bid.CreatedAt)
		case bySight:
			s = c.sight(s, made)
		case byChange:
			var wrong string
			if s, wrong = s.change(made.told); wrong != "" {
				c.contradict("B7", made.by, c.maker(s.version-1), "version %d: %s", s.version, wrong)
			}
		case unseen:
			s = s.gap()
			if unexplained--; c.Logged || unexplained < 0 {
				c.contradict("B12", nil, nil, "nothing made version %d, and later ones were told of", s.version)
			}
		}
		c.states = append(c.states, s)
	}
}

// unexplained counts the unknown offers of which nothing else is known.
func (c *check) unexplained() int {
	n := 0
	for i := range c.Answers {
		if a := &c.Answers[i]; a.Unknown() {
			if _, known := c.kept[a.Offer.RequestID]; !known {
				n++
			}
		}
	}
	return n
}

func (c *check) judgeBid(s state, made *step) {
	before := c.maker(s.version)
	at := made.bid.CreatedAt
	offer := auction.Offer{BidderID: made.bid.BidderID, Amount: made.bid.Amount, AskLeader: made.ask}
	want := s.judge(offer, at, nil, false)
	if s.vague && (want == auction.Ended && s.status == auction.Open || want == auction.Leading) {
		want = auction.Accepted // nobody knows
	}
	if want != auction.Accepted {
		c.contradict(rules[want], made.by, before, "version %d: %s of %d was accepted at %s; on version %d (floor %s, end %s, %s) it is %q",
			made.bid.Version, amount(made.bid.Amount), made.bid.BidderID, instant(at), s.version, amount(s.floor()), instant(s.end), s.status, want)
	}
	if at.Before(s.since) {
		c.contradict("B2", made.by, before, "version %d was judged at %s, version %d before it at %s", made.bid.Version, instant(at), s.version, instant(s.since))
	}
	for _, h := range c.Holds {
		if at.After(h.From) && at.Before(h.Until) {
			c.contradict("B2", made.by, nil, "version %d was judged at %s, while somebody else held the lot from %s until %s",
				made.bid.Version, instant(at), instant(h.From), instant(h.Until))
		}
	}
}

// sight is the state that a bid made of which only that state was seen.
func (c *check) sight(s state, made *step) state {
	if !s.vague && made.bid.Amount.Cmp(s.floor()) < 0 {
		c.contradict(rules[auction.TooLow], made.by, c.maker(s.version), "version %d: %s stands where the floor was %s", made.bid.Version, amount(made.bid.Amount), amount(s.floor()))
	}
	next := s.bid(made.bid.BidderID, made.bid.Amount, s.since)
	if next.end = made.told.EndTime; next.end.Before(s.end) {
		c.contradict("B3", made.by, c.maker(s.version), "version %d: the end went back from %s", next.version, instant(s.end))
	}
	return next
}

// rules names the rule by which an offer gets a verdict.
var rules = map[auction.Verdict]string{
	auction.Accepted:   "B1",
	auction.Replayed:   "B5",
	auction.Reused:     "B5",
	auction.Suspended:  "B8",
	auction.OwnAuction: "B8",
	auction.NotStarted: "B1",
	auction.Ended:      "B4",
	auction.TooLow:     "B1",
	auction.Leading:    "B9",
}
