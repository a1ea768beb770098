package history_test

import (
	"testing"
	"time"

	"rostrum/store/auction"
	"rostrum/store/auction/history"
)

const late = 3600 - 60 // a minute before the end: in the window

func usual() *scene { return play().accept(ann, "1010", 1, 10).accept(ben, "1020", 2, 20) }

// Each rule has a history that keeps it and passes, and the same history with
// one thing changed, which breaks it.
type ruleCase struct {
	name, rule string
	legal      *scene
	change     func(*scene)
}

func ruleCases() []ruleCase {
	return []ruleCase{
		{"a bid is at least the floor", "B1", usual(), func(s *scene) {
			s.Answers[0].Offer.Amount = money("1009.99")
		}},
		{"a bid beats the one before it", "B1", usual().accept(ann, "1030", 3, 30), func(s *scene) {
			s.Answers[2].Offer.Amount = money("1029.99")
		}},
		{"no bid before the start", "B1", play().accept(ann, "1010", 1, 0), func(s *scene) {
			s.Answers[0].Bid.CreatedAt = at(0).Add(-time.Microsecond)
		}},
		{"judged one after the other", "B2", usual(), func(s *scene) {
			s.Answers[1].Bid.CreatedAt = at(10).Add(-time.Microsecond)
		}},
		{"judged while nobody else holds the lot", "B2", usual(), func(s *scene) {
			s.Holds = []history.Hold{{From: at(15), Until: at(25)}}
		}},
		{"an answer is made after judging", "B2", usual(), func(s *scene) {
			s.Answers[1].Told.Now = at(20).Add(-time.Microsecond)
		}},
		{"a late bid moves the end to the window after it", "B12", play().accept(ann, "1010", 1, late), func(s *scene) {
			s.Answers[0].Told.EndTime = ends
		}},
		{"an early bid does not", "B12", usual(), func(s *scene) {
			s.Answers[1].Told.EndTime = at(20).Add(window)
		}},
		{"a refused bid does not", "B12", usual().refuse(ann, "1", 3, late, auction.TooLow), func(s *scene) {
			s.Answers[2].Told.EndTime = at(late).Add(window)
		}},
		{"the last microsecond counts", "B4", play().accept(ann, "1010", 1, 3599), func(s *scene) {
			s.Answers[0].Bid.CreatedAt, s.Answers[0].Told.Now = ends, ends
		}},
		{"an extension counts", "B4", play().accept(ann, "1010", 1, late).accept(ben, "1020", 2, late+119), func(s *scene) {
			s.Answers[1].Bid.CreatedAt = at(late + 120)
		}},
		{"nothing is accepted once somebody was told that it ended", "B4", play().accept(ann, "1010", 1, late).accept(ben, "1020", 2, late+119), func(s *scene) {
			ended := s.Answers[0]
			ended.Offer, ended.Verdict, ended.Bid = offer(ann, "1050", 5), auction.Ended, auction.Bid{}
			ended.Told.Now = at(late + 120)
			s.Answers = append(s.Answers, ended)
		}},
		{"nothing is accepted after the closing", "B4", usual().change(auction.Closed, 3600), func(s *scene) {
			closed := s.Answers[0].Told // the closing comes before the second bid
			closed.Version, closed.Status, closed.Now = 3, auction.Closed, ends
			s.Answers[2].Told = closed
			s.Answers[1].Bid.Version, s.Answers[1].Told.Version = 4, 4
		}},
		{"ended is said at the end", "B4", usual().refuse(ann, "1030", 3, 3600, auction.Ended), func(s *scene) {
			s.Answers[2].Told.Now = ends.Add(-time.Microsecond)
		}},
		{"ended is said once withdrawn", "B4", play().change(auction.Withdrawn, 10).refuse(ann, "1010", 3, 11, auction.Ended), func(s *scene) {
			s.Answers[1].Told.Version, s.Answers[1].Told.Status = 1, auction.Open
		}},
		{"too low is said before the end", "B1", usual().refuse(ann, "1029.99", 3, 3599, auction.TooLow), func(s *scene) {
			s.Answers[2].Told.Now = ends
		}},
		{"too low is below the floor", "B1", usual().refuse(ann, "1029.99", 3, 30, auction.TooLow), func(s *scene) {
			s.Answers[2].Offer.Amount = money("1030")
		}},
		{"not started is said before the start", "B1", play().refuse(ann, "1010", 1, -1, auction.NotStarted), func(s *scene) {
			s.Answers[0].Told.Now = began
		}},
		{"a retry gets its first answer", "B5", usual().replay(2, 30), func(s *scene) {
			s.Answers[2].Bid = s.Answers[1].Bid
		}},
		{"a retry gets its first instant", "B5", usual().replay(2, 30), func(s *scene) {
			s.Answers[2].Bid.CreatedAt = at(30)
		}},
		{"a retry is of the same amount", "B5", usual().replay(2, 30), func(s *scene) {
			s.Answers[2].Offer.Amount = money("1011")
		}},
		{"a retry is of the same person", "B5", usual().replay(2, 30), func(s *scene) {
			s.Answers[2].Offer.BidderID = ben
		}},
		{"a retry is not too low", "B1", usual().replay(2, 30), func(s *scene) {
			s.Answers[2].Verdict, s.Answers[2].Bid = auction.TooLow, auction.Bid{}
		}},
		{"a retry is not ended", "B4", usual().replay(2, 3700), func(s *scene) {
			s.Answers[2].Verdict, s.Answers[2].Bid = auction.Ended, auction.Bid{}
		}},
		{"a retry whose first answer was lost is not too low", "B1", play().lose(ann, "1010", 1, 10, true).accept(ben, "1020", 2, 20).replay(2, 30), func(s *scene) {
			s.Answers[2].Verdict, s.Answers[2].Bid = auction.TooLow, auction.Bid{}
			s.Logged = true
		}},
		{"an id is accepted once", "B5", usual(), func(s *scene) {
			s.Answers[1].Offer.RequestID = id(1)
		}},
		{"another amount is a reuse", "B5", usual().refuse(ann, "1050", 1, 30, auction.Reused), func(s *scene) {
			s.Answers[2].Offer.Amount = money("1010")
		}},
		{"an id that was only refused is free", "B13", usual().refuse(ann, "5", 1, 30, auction.Reused), func(s *scene) {
			s.Answers[2].Offer.RequestID = id(7)
		}},
		{"an id is used once it is accepted", "B13", usual().refuse(ann, "1050", 2, 30, auction.Reused).together(1), func(s *scene) {
			s.Answers[2].Told = s.Answers[0].Told
		}},
		{"a seller does not bid", "B8", usual().refuse(seller, "5000", 3, 30, auction.OwnAuction), func(s *scene) {
			s.Answers[1].Offer.BidderID = seller
		}},
		{"only the seller is told so", "B8", usual().refuse(seller, "5000", 3, 30, auction.OwnAuction), func(s *scene) {
			s.Answers[2].Offer.BidderID = ann
		}},
		{"nobody bids who is suspended", "B8", usual(), func(s *scene) {
			s.Standings = []history.Standing{{PersonID: ben, Suspended: true, Call: 0, Return: time.Second}}
		}},
		{"nobody is judged after their suspension", "B8", known(at(20)), func(s *scene) {
			s.Standings[0].Known = at(19)
		}},
		{"only who is suspended is told so", "B8", suspended().refuse(ben, "5000", 3, 30, auction.Suspended), func(s *scene) {
			s.Answers[2].Offer.BidderID = ann
		}},
		{"a suspension ends", "B8", suspended().refuse(ben, "5000", 3, 30, auction.Suspended), func(s *scene) {
			s.Standings = append(s.Standings, history.Standing{PersonID: ben, Call: 3500 * time.Millisecond, Return: 3600 * time.Millisecond})
		}},
		{"the leader is asked first", "B9", usual().refuse(ben, "1030", 3, 30, auction.Leading), func(s *scene) {
			s.Answers[2].Offer.BidderID = ann
		}},
		{"the leader is asked only where the bid would do", "B9", usual().refuse(ben, "1030", 3, 30, auction.Leading), func(s *scene) {
			s.Answers[2].Offer.Amount = money("1029")
		}},
		{"who leads and was not asked is asked", "B9", usual().accept(ben, "1030", 3, 30), func(s *scene) {
			s.Answers[2].Offer.AskLeader = true
		}},
		{"who leads no more is not asked", "B9", usual().refuse(ben, "1030", 3, 30, auction.Leading).accept(ann, "1040", 4, 40), func(s *scene) {
			s.Answers[2].Told = s.Answers[3].Told
			s.Answers[2].Call, s.Answers[2].Return = time.Hour, 2*time.Hour
		}},
		{"an answer sees what was acknowledged", "B11", usual().refuse(ann, "1005", 3, 30, auction.TooLow), func(s *scene) {
			s.Answers[2].Told, s.Answers[2].Told.Now = s.Answers[0].Told, at(30)
		}},
		{"a read sees what was acknowledged", "B11", usual().read(30), func(s *scene) {
			s.Answers[2].Told, s.Answers[2].Told.Now = s.Answers[0].Told, at(30)
		}},
		{"a read sees nothing before it is asked for", "B11", usual().read(30), func(s *scene) {
			s.Answers[2].Call, s.Answers[2].Return = 0, 1
		}},
		{"two reads see time go forward", "B11", usual().read(30).read(40), func(s *scene) {
			s.Answers[1].Call, s.Answers[1].Return = 2*time.Second, time.Hour
			s.Answers[3].Told, s.Answers[3].Told.Now = s.Answers[0].Told, at(40)
		}},
		{"a bid is not before one that was answered first", "B11", usual(), func(s *scene) {
			s.Answers[0].Call, s.Answers[0].Return = 10*time.Second, 11*time.Second
		}},
		{"a bid stands where its retry saw it", "B11", play().lose(ann, "1010", 1, 10, true).accept(ben, "1020", 2, 20).replay(2, 30), func(s *scene) {
			s.Answers[0].Call, s.Answers[2].Call, s.Answers[2].Return = 10*time.Second, 11*time.Second, 12*time.Second
		}},
		{"the first frame sees what was acknowledged", "B11", usual().frame(1, 30), func(s *scene) {
			s.Answers[2].Told = s.Answers[0].Told
			s.Answers[2].Call, s.Answers[2].Return = 10*time.Second, 11*time.Second
		}},
		{"a frame is newer than the one before", "trap 11", usual().frame(1, 30).accept(ann, "1030", 3, 40).frame(1, 50), func(s *scene) {
			s.Answers[4].Told = s.Answers[2].Told
		}},
		{"a state is that of its version: price", "B12", usual().read(30), func(s *scene) { s.Answers[2].Told.CurrentPrice = money("1021") }},
		{"a state is that of its version: floor", "B12", usual().read(30), func(s *scene) { s.Answers[2].Told.MinimumBid = money("1029") }},
		{"a state is that of its version: count", "B12", usual().read(30), func(s *scene) { s.Answers[2].Told.BidCount = 3 }},
		{"a state is that of its version: leader", "B12", usual().read(30), func(s *scene) { s.Answers[2].Told.LeaderID = new(int64) }},
		{"a state is that of its version: no leader", "B12", usual().read(30), func(s *scene) { s.Answers[2].Told.LeaderID = nil }},
		{"a state is that of its version: status", "B12", usual().read(30), func(s *scene) { s.Answers[2].Told.Status = auction.Closed }},
		{"a state is that of its version: end", "B12", usual().read(30), func(s *scene) { s.Answers[2].Told.EndTime = at(5000) }},
		{"a state is that of its version: time", "B12", usual().read(30), func(s *scene) { s.Answers[2].Told.Now = at(19) }},
		{"the state of an answer is not older than the bid", "B12", usual(), func(s *scene) { s.Answers[1].Told = s.Answers[0].Told }},
		{"a version is made by one bid", "B12", usual(), func(s *scene) { s.Answers[1].Bid.Version = 2 }},
		{"a version that is told was made", "B12", usual().read(30), func(s *scene) { s.Answers[2].Told.Version = 4 }},
		{"no version is left out", "B12", usual(), func(s *scene) { s.Answers[1].Bid.Version, s.Answers[1].Told.Version = 4, 4 }},
		{"an answer names a version", "B12", usual().refuse(ann, "5", 3, 30, auction.TooLow), func(s *scene) { s.Answers[2].Told = auction.State{} }},
		{"a lot closes once", "B12", usual().change(auction.Closed, 3600), func(s *scene) { s.Answers = append(s.Answers, *s.last()) }},
		{"a lot closes at its end", "B7", usual().change(auction.Closed, 3600), func(s *scene) { s.last().Told.Now = at(3599) }},
		{"the leader wins", "B12", usual().change(auction.Closed, 3600), func(s *scene) { s.last().Told.LeaderID = new(int64(ann)) }},
		{"nothing happens after the closing", "B7", usual().change(auction.Closed, 3600).read(3700), func(s *scene) {
			s.now.Version++
			s.now.Status = auction.Withdrawn
			s.change(auction.Withdrawn, 3800)
		}},
		{"no edit after a bid", "B7", play().change(auction.Open, 5).accept(ann, "1010", 1, 10), func(s *scene) {
			s.Answers[0].Told.Version, s.Answers[1].Told.Version, s.Answers[1].Bid.Version = 3, 2, 2
		}},
		{"an unknown bid that happened stands in the log", "B6", usual().lose(ann, "1030", 3, 30, true).kept(), func(s *scene) { s.Log = s.Log[:2]; s.read(40) }},
		{"nothing stands in the log that nobody asked for", "B6", usual().lose(ann, "1030", 3, 30, true).kept(), func(s *scene) { s.Answers = s.Answers[:2] }},
		{"what is refused does not stand in the log", "B6", usual().lose(ann, "1030", 3, 30, true).kept(), func(s *scene) {
			s.Answers[2].Verdict, s.Answers[2].Told, s.Answers[2].Return = auction.TooLow, s.now, time.Hour
		}},
		{"what is accepted stands in the log", "B6", usual().kept(), func(s *scene) { s.Log = s.Log[:1] }},
		{"the log is as it was told: amount", "B6", usual().kept(), func(s *scene) { s.Log[1].Amount = money("1021") }},
		{"the log is as it was told: bidder", "B6", usual().kept(), func(s *scene) { s.Log[1].BidderID = ann }},
		{"the log is as it was told: instant", "B6", usual().kept(), func(s *scene) { s.Log[1].CreatedAt = at(21) }},
		{"the log is as it was told: id", "B6", usual().kept(), func(s *scene) { s.Log[1].RequestID = id(9) }},
		{"the log has no version twice", "B6", usual().kept(), func(s *scene) { s.Log = append(s.Log, s.Log[1]) }},
		{"an unknown bid is not before it was asked for", "B11", usual().lose(ann, "1030", 3, 30, true).read(40).kept(), func(s *scene) {
			s.Answers[2].Call = time.Hour
		}},
		{"an unknown bid was judged by the rules too", "B4", usual().lose(ann, "1030", 3, 30, true).kept(), func(s *scene) { s.Log[2].CreatedAt = ends }},
		{"a lost bid that a frame shows beat the floor", "B1", usual().lose(ann, "1030", 3, 30, true).read(40), func(s *scene) {
			s.Answers[2].Offer.Amount, s.Answers[3].Told.CurrentPrice, s.Answers[3].Told.MinimumBid = money("1025"), money("1025"), money("1035")
		}},
		{"a lost bid lets a version be left out", "B12", usual().lose(ann, "1030", 3, 30, true).accept(ben, "1040", 4, 40), func(s *scene) {
			s.Answers = append(s.Answers[:2], s.Answers[3])
		}},
		{"over a lost bid the price rises by two increments", "B1", usual().lose(ann, "1030", 3, 30, true).accept(ben, "1040", 4, 40), func(s *scene) {
			s.Answers[3].Offer.Amount = money("1039")
		}},
	}
}

// known suspends ben while his bid is judged, and it was done by an instant.
func known(by time.Time) *scene {
	s := usual()
	s.Standings = []history.Standing{{PersonID: ben, Suspended: true, Call: 2500 * time.Millisecond, Return: time.Hour, Known: by}}
	return s
}

func suspended() *scene {
	s := play().accept(ann, "1010", 1, 10).accept(ann, "1020", 2, 20)
	s.Standings = []history.Standing{{PersonID: ben, Suspended: true, Call: 0, Return: time.Second}}
	return s
}

func TestARuleIsSeenKeptAndBroken(t *testing.T) {
	for _, c := range ruleCases() {
		t.Run(c.name, func(t *testing.T) {
			legal(t, c.legal.Lot)
			c.change(c.legal)
			refuted(t, c.legal.Lot, c.rule)
		})
	}
}
