package history

import (
	"time"

	"rostrum/store/auction"
)

// state is a lot after some version: the sequential model of the rules.
type state struct {
	version          int64
	seller           int64
	price, increment auction.Money
	leader           *int64
	count            int64
	status           auction.Status
	start, end       time.Time
	softClose        time.Duration
	since            time.Time // when this version was made; zero: not known

	// vague: versions before this one are not known, so that price, leader and
	// end are at least or perhaps what stands here. See gap.
	vague bool
}

func stateOf(a auction.Auction) state {
	return state{version: a.Version, seller: a.SellerID, price: a.CurrentPrice, increment: a.MinIncrement, leader: a.LeaderID,
		count: a.BidCount, status: a.Status, start: a.StartTime, end: a.EndTime, softClose: a.SoftClose}
}

func (s state) floor() auction.Money { return s.price.Add(s.increment) }

func (s state) ledBy(person int64) bool { return s.leader != nil && *s.leader == person }

// judge is how an offer is judged on a state at an instant (B1, B4, B5, B8,
// B9), in the order of B14. kept is the bid that was accepted under the offer's
// id before, nil where there is none.
func (s state) judge(o auction.Offer, at time.Time, kept *auction.Bid, suspended bool) auction.Verdict {
	switch {
	case kept != nil && kept.BidderID == o.BidderID && kept.Amount.Cmp(o.Amount) == 0:
		return auction.Replayed
	case kept != nil:
		return auction.Reused
	case suspended:
		return auction.Suspended
	case o.BidderID == s.seller:
		return auction.OwnAuction
	case s.status != auction.Open:
		return auction.Ended
	case at.Before(s.start):
		return auction.NotStarted
	case !at.Before(s.end):
		return auction.Ended
	case o.Amount.Cmp(s.floor()) < 0:
		return auction.TooLow
	case o.AskLeader && s.ledBy(o.BidderID):
		return auction.Leading
	default:
		return auction.Accepted
	}
}

// bid is the state that an accepted bid makes (B3).
func (s state) bid(bidder int64, price auction.Money, at time.Time) state {
	s.version++
	s.count++
	s.price, s.leader, s.since = price, &bidder, at
	if end := at.Add(s.softClose); end.After(s.end) {
		s.end = end
	}
	s.vague = false
	return s
}

// change is the state that an edit, a withdrawal or a closing makes, and what
// is wrong with it, "" for nothing.
func (s state) change(to auction.State) (state, string) {
	var wrong string
	switch {
	case s.status != auction.Open:
		wrong = "the lot was over already"
	case to.Status == auction.Closed && !to.Now.IsZero() && to.Now.Before(s.end):
		wrong = "the lot was closed before its end"
	case to.Status == auction.Open && (s.count > 0 || !to.Now.IsZero() && !to.Now.Before(s.end)):
		wrong = "the lot was edited after a bid or after its end"
	}
	if to.Status == auction.Open {
		s.price, s.increment, s.start, s.end = to.CurrentPrice, to.MinIncrement, to.StartTime, to.EndTime
	}
	s.version++
	s.status, s.since = to.Status, time.Time{}
	return s, wrong
}

// gap is the state after a bid of which nothing is known but its version.
func (s state) gap() state {
	s.version++
	s.count++
	s.price, s.vague, s.since = s.floor(), true, time.Time{}
	return s
}

// differs says in what a told state is not this one, "" for nothing.
func (s state) differs(to auction.State) string {
	if !to.EndTime.IsZero() {
		switch {
		case s.vague && to.CurrentPrice.Cmp(s.price) < 0:
			return "price"
		case !s.vague && to.CurrentPrice.Cmp(s.price) != 0:
			return "price"
		case to.MinimumBid.Cmp(to.CurrentPrice.Add(s.increment)) != 0:
			return "floor"
		case s.vague && to.EndTime.Before(s.end):
			return "end"
		case !s.vague && !to.EndTime.Equal(s.end):
			return "end"
		}
	}
	if to.Status != "" {
		switch {
		case to.Status != s.status:
			return "status"
		case to.BidCount != s.count:
			return "count"
		case !s.vague && !samePerson(to.LeaderID, s.leader):
			return "leader"
		}
	}
	if !to.Now.IsZero() && to.Now.Before(s.since) {
		return "time"
	}
	return ""
}

func samePerson(one, other *int64) bool {
	return one == other || one != nil && other != nil && *one == *other
}
