package books

import (
	"fmt"
	"slices"
	"time"

	"rostrum/store/auction"
	"rostrum/store/auction/history"
)

// Check says what is wrong with a lot's book, in sentences: by itself, against
// the answers, and by the version-order oracle over both. begin is the lot
// before the first of the answers, and these are all that there were.
func (b Book) Check(begin auction.Auction, answers []history.Answer) (history.Tally, []string) {
	c := check{Book: b, begin: begin, answers: answers}
	c.rises()
	c.counts()
	c.top()
	c.requests()
	c.closing()
	tally, err := history.Lot{Begin: begin, Answers: append(slices.Clip(c.answers), c.lastRead()), Log: b.Log, Logged: true}.Check()
	if err != nil {
		c.wrong = append(c.wrong, err.Error())
	}
	return tally, c.wrong
}

type check struct {
	Book
	begin   auction.Auction
	answers []history.Answer
	wrong   []string
}

func (c *check) say(format string, args ...any) {
	c.wrong = append(c.wrong, fmt.Sprintf("lot %d: ", c.begin.ID)+fmt.Sprintf(format, args...))
}

// rises: each amount beats the one before by the increment, each version is
// new, and no bid was judged before the one under it or outside of its time.
func (c *check) rises() {
	floor, version, judged := c.begin.CurrentPrice.Add(c.begin.MinIncrement), c.begin.Version, c.begin.StartTime
	for _, bid := range c.Log {
		switch {
		case bid.Amount.Cmp(floor) < 0:
			c.say("version %d is %s, less than the %s that it had to be", bid.Version, bid.Amount, floor)
		case bid.Version <= version:
			c.say("version %d comes after version %d", bid.Version, version)
		case bid.CreatedAt.Before(judged):
			c.say("version %d was judged before the one under it, or before the start", bid.Version)
		case !bid.CreatedAt.Before(c.Lot.EndTime):
			c.say("version %d was judged at or after the end", bid.Version)
		}
		floor, version, judged = bid.Amount.Add(c.begin.MinIncrement), bid.Version, bid.CreatedAt
	}
}

// counts: there are as many bids as were answered 201, and the lot says so.
// Of those without an answer nobody knows.
func (c *check) counts() {
	accepted, unknown := 0, 0
	for i := range c.answers {
		switch a := &c.answers[i]; {
		case a.Unknown():
			unknown++
		case a.Verdict == auction.Accepted:
			accepted++
		}
	}
	if n := len(c.Log); n < accepted || n > accepted+unknown {
		c.say("%d bids were answered 201 and %d were not answered, and the log has %d", accepted, unknown, n)
	}
	if c.Lot.BidCount != int64(len(c.Log)) {
		c.say("the lot counts %d bids, and the log has %d", c.Lot.BidCount, len(c.Log))
	}
}

// top: the lot's leader and price are those of the log's last bid.
func (c *check) top() {
	price, leader := c.begin.CurrentPrice, c.begin.LeaderID
	if n := len(c.Log); n > 0 {
		price, leader = c.Log[n-1].Amount, &c.Log[n-1].BidderID
	}
	if c.Lot.CurrentPrice.Cmp(price) != 0 {
		c.say("the price is %s, and the log's top %s", c.Lot.CurrentPrice, price)
	}
	if !same(c.Lot.LeaderID, leader) {
		c.say("the leader is %s, and the log's top is of %s", person(c.Lot.LeaderID), person(leader))
	}
}

// requests: no request was accepted twice, and whoever was answered 201 finds
// their bid in the log.
func (c *check) requests() {
	byVersion := map[int64]auction.Bid{}
	kept := map[auction.RequestID]int64{}
	for _, bid := range c.Log {
		byVersion[bid.Version] = bid
		if first, twice := kept[bid.RequestID]; twice && bid.RequestID != (auction.RequestID{}) {
			c.say("the request %s made version %d and version %d", bid.RequestID, first, bid.Version)
		}
		kept[bid.RequestID] = bid.Version
	}
	answered := map[auction.RequestID]int64{}
	for i := range c.answers {
		a := &c.answers[i]
		if a.Verdict != auction.Accepted {
			continue
		}
		if first, twice := answered[a.Offer.RequestID]; twice {
			c.say("the request %s was answered 201 as version %d and as version %d", a.Offer.RequestID, first, a.Bid.Version)
		}
		answered[a.Offer.RequestID] = a.Bid.Version
		if bid, found := byVersion[a.Bid.Version]; !found || bid.BidderID != a.Offer.BidderID || bid.Amount.Cmp(a.Offer.Amount) != 0 {
			c.say("version %d, which %d was told is theirs, is not in the log as they were told", a.Bid.Version, a.Offer.BidderID)
		}
	}
}

// patience is how long after its end a lot may be open.
const patience = 10 * time.Second

// closing: a closed lot has one result and one event, which tell what it does,
// and an open one has none.
func (c *check) closing() {
	want := 0
	if c.Lot.Status == auction.Closed {
		want = 1
	}
	if late := c.Lot.Now.Sub(c.Lot.EndTime); c.Lot.Status == auction.Open && late > patience {
		c.say("it ended %s ago and is not closed", late)
	}
	if len(c.Closings) != want {
		c.say("it is %s and has %d closing events", c.Lot.Status, len(c.Closings))
	}
	if (c.Result != nil) != (want == 1) {
		c.say("it is %s, and that it has a result is %t", c.Lot.Status, c.Result != nil)
	}
	for _, event := range c.Closings {
		c.ended("event", event)
		if !same(event.WinnerID, c.Lot.LeaderID) {
			c.say("the event's winner is %s, and the leader is %s", person(event.WinnerID), person(c.Lot.LeaderID))
		}
	}
	if c.Result != nil {
		c.ended("result", *c.Result)
		if c.Result.WinnerID != nil && !same(c.Result.WinnerID, c.Lot.LeaderID) { // over the counter it has an alias
			c.say("the result's winner is %s, and the leader is %s", person(c.Result.WinnerID), person(c.Lot.LeaderID))
		}
	}
}

func (c *check) ended(what string, told Closing) {
	sold := c.Lot.LeaderID != nil
	switch {
	case told.Sold != sold || (told.Price != nil) != sold:
		c.say("the %s says that it was sold: %t, and that it has a leader is %t", what, told.Sold, sold)
	case sold && told.Price.Cmp(c.Lot.CurrentPrice) != 0:
		c.say("the %s's price is %s, and the lot's %s", what, told.Price, c.Lot.CurrentPrice)
	case told.BidCount != c.Lot.BidCount:
		c.say("the %s counts %d bids, and the lot %d", what, told.BidCount, c.Lot.BidCount)
	}
}

// lastRead is the lot as it stands in the book, as an answer that was given
// after all others.
func (c *check) lastRead() history.Answer {
	read := history.Answer{Kind: history.Read, Client: -1, Told: c.Lot.State()}
	for i := range c.answers {
		read.Call = max(read.Call, c.answers[i].Return)
	}
	read.Call++
	read.Return = read.Call + 1
	return read
}

func same(one, other *int64) bool {
	return one == other || one != nil && other != nil && *one == *other
}

func person(id *int64) string {
	if id == nil {
		return "nobody"
	}
	return fmt.Sprint(*id)
}
