package history_test

import (
	"slices"
	"testing"
	"time"

	"rostrum/store/auction"
	"rostrum/store/auction/history"
)

const (
	lotID  = 42
	seller = 1
	ann    = 2
	ben    = 3
	window = 2 * time.Minute
)

var (
	began = time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)
	ends  = began.Add(time.Hour)
)

func money(text string) auction.Money {
	m, err := auction.Currency{Code: "USD", Digits: 2}.Parse(text)
	if err != nil {
		panic(err)
	}
	return m
}

func id(n byte) auction.RequestID { return auction.RequestID{15: n} }

// at is so many seconds after the start, on the database's clock.
func at(seconds int) time.Time { return began.Add(time.Duration(seconds) * time.Second) }

// scene plays a lot by the rules, with answers that take from one full second
// of the clients' clock to the next, unless they are moved.
type scene struct {
	history.Lot
	now auction.State
}

func play() *scene {
	a := auction.Auction{ID: lotID, SellerID: seller, StartingPrice: money("1000"), CurrentPrice: money("1000"), MinIncrement: money("10"),
		Version: 1, Status: auction.Open, StartTime: began, EndTime: ends, SoftClose: window}
	return &scene{Lot: history.Lot{Begin: a}, now: a.State()}
}

func (s *scene) add(a history.Answer) *history.Answer {
	a.Call = time.Duration(2*len(s.Answers)) * time.Second
	a.Return = a.Call + time.Second
	s.Answers = append(s.Answers, a)
	return s.last()
}

func (s *scene) last() *history.Answer { return &s.Answers[len(s.Answers)-1] }

func offer(who int64, amount string, n byte) auction.Offer {
	return auction.Offer{AuctionID: lotID, BidderID: who, Amount: money(amount), RequestID: id(n)}
}

func (s *scene) told(seconds int) auction.State {
	t := s.now
	t.Now = at(seconds)
	return t
}

// accept places a bid that is accepted, at an instant.
func (s *scene) accept(who int64, amount string, n byte, seconds int) *scene {
	s.place(who, amount, n, seconds)
	b := s.Log[len(s.Log)-1]
	s.add(history.Answer{Kind: history.Bid, Client: int(who), Offer: offer(who, amount, n), Verdict: auction.Accepted, Bid: b, Told: s.told(seconds)})
	return s
}

// place places a bid that nobody is told of.
func (s *scene) place(who int64, amount string, n byte, seconds int) {
	s.now.Version++
	s.now.BidCount++
	s.now.CurrentPrice, s.now.LeaderID = money(amount), &who
	s.now.MinimumBid = s.now.CurrentPrice.Add(s.now.MinIncrement)
	if end := at(seconds).Add(window); end.After(s.now.EndTime) {
		s.now.EndTime = end
	}
	s.Log = append(s.Log, auction.Bid{ID: 100 + s.now.Version, AuctionID: lotID, Version: s.now.Version, BidderID: who,
		Amount: money(amount), RequestID: id(n), CreatedAt: at(seconds)})
}

func (s *scene) refuse(who int64, amount string, n byte, seconds int, verdict auction.Verdict) *scene {
	a := s.add(history.Answer{Kind: history.Bid, Client: int(who), Offer: offer(who, amount, n), Verdict: verdict, Told: s.told(seconds)})
	a.Offer.AskLeader = verdict == auction.Leading
	return s
}

// replay sends an accepted bid again.
func (s *scene) replay(version int64, seconds int) *scene {
	b := s.Log[version-2]
	s.add(history.Answer{Kind: history.Bid, Client: int(b.BidderID), Verdict: auction.Replayed, Bid: b, Told: s.told(seconds),
		Offer: auction.Offer{AuctionID: lotID, BidderID: b.BidderID, Amount: b.Amount, RequestID: b.RequestID}})
	return s
}

// lose places a bid, or none, and the answer is lost.
func (s *scene) lose(who int64, amount string, n byte, seconds int, happens bool) *scene {
	if happens {
		s.place(who, amount, n, seconds)
	}
	a := s.add(history.Answer{Kind: history.Bid, Client: int(who), Offer: offer(who, amount, n)})
	a.Return = 0
	return s
}

func (s *scene) read(seconds int) *scene {
	s.add(history.Answer{Kind: history.Read, Client: 9, Told: s.told(seconds)})
	return s
}

func (s *scene) frame(stream, seconds int) *scene {
	a := s.add(history.Answer{Kind: history.Frame, Client: stream, Told: s.told(seconds)})
	a.Call = 0
	return s
}

// change closes the lot, withdraws it, or edits it.
func (s *scene) change(status auction.Status, seconds int) *scene {
	s.now.Version++
	s.now.Status = status
	s.add(history.Answer{Kind: history.Change, Client: 8, Told: s.told(seconds)})
	return s
}

// kept says that the log is at hand.
func (s *scene) kept() *scene {
	s.Logged = true
	return s
}

// together lets the answers from one on overlap.
func (s *scene) together(from int) *scene {
	for i := from; i < len(s.Answers); i++ {
		s.Answers[i].Call = s.Answers[from].Call
		if s.Answers[i].Return != 0 {
			s.Answers[i].Return = s.last().Call + time.Hour
		}
	}
	return s
}

func legal(t *testing.T, l history.Lot) history.Tally {
	t.Helper()
	tally, err := l.Check()
	if err != nil {
		t.Error(err)
	}
	return tally
}

// refuted expects a contradiction of the rule among what is found.
func refuted(t *testing.T, l history.Lot, rule string) {
	t.Helper()
	_, err := l.Check()
	found, _ := err.(history.Contradictions)
	if !slices.ContainsFunc(found, func(c history.Contradiction) bool { return c.Rule == rule }) {
		t.Errorf("%s is not found to be broken: %v", rule, err)
	}
	if t.Failed() || testing.Verbose() {
		t.Log(err)
	}
}
