package books_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"rostrum/cmd/bench/books"
	"rostrum/store/auction"
	"rostrum/store/auction/history"
)

var began = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

func money(t *testing.T, text string) auction.Money {
	m, err := auction.Currency{Code: "USD", Digits: 2}.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// scene is a lot on which 1 bid 10, 2 bid 20, 1 was refused with 5 and bid 30,
// and which was closed.
type scene struct {
	t       *testing.T
	begin   auction.Auction
	answers []history.Answer
	book    books.Book
}

func newScene(t *testing.T) *scene {
	s := &scene{t: t, begin: auction.Auction{ID: 7, SellerID: 9, StartingPrice: money(t, "1"), CurrentPrice: money(t, "1"), MinIncrement: money(t, "1"),
		Version: 1, Status: auction.Open, StartTime: began, EndTime: began.Add(time.Hour), Now: began}}
	s.book.Lot = s.begin
	s.bid(1, "10")
	s.bid(2, "20")
	s.refused(1, "5")
	s.bid(1, "30")
	lot := &s.book.Lot
	closed := lot.EndTime
	lot.Status, lot.Version, lot.ClosedAt, lot.Now = auction.Closed, lot.Version+1, &closed, closed.Add(time.Second)
	price, winner, again := money(t, "30"), int64(1), int64(1)
	s.book.Closings = []books.Closing{{Sold: true, WinnerID: &winner, Price: &price, BidCount: 3}}
	s.book.Result = &books.Closing{Sold: true, WinnerID: &again, Price: &price, BidCount: 3}
	return s
}

func (s *scene) bid(bidder int64, amount string) {
	lot := &s.book.Lot
	lot.Version++
	lot.BidCount++
	lot.CurrentPrice, lot.LeaderID, lot.Now = money(s.t, amount), &bidder, lot.Now.Add(time.Second)
	bid := auction.Bid{ID: lot.Version, AuctionID: lot.ID, Version: lot.Version, BidderID: bidder, Amount: lot.CurrentPrice,
		RequestID: auction.NewRequestID(), CreatedAt: lot.Now}
	s.book.Log = append(s.book.Log, bid)
	s.answer(auction.Accepted, auction.Offer{AuctionID: lot.ID, BidderID: bidder, Amount: bid.Amount, RequestID: bid.RequestID}).Bid = bid
}

func (s *scene) refused(bidder int64, amount string) {
	s.answer(auction.TooLow, auction.Offer{AuctionID: 7, BidderID: bidder, Amount: money(s.t, amount), RequestID: auction.NewRequestID()})
}

func (s *scene) answer(verdict auction.Verdict, offer auction.Offer) *history.Answer {
	at := time.Duration(len(s.answers)) * time.Second
	s.answers = append(s.answers, history.Answer{Kind: history.Bid, Client: int(offer.BidderID), Call: at, Return: at + time.Millisecond,
		Offer: offer, Verdict: verdict, Told: s.book.Lot.State()})
	return &s.answers[len(s.answers)-1]
}

func (s *scene) wrong() string {
	_, wrong := s.book.Check(s.begin, s.answers)
	return strings.Join(wrong, "\n")
}

func TestRightBooksPass(t *testing.T) {
	s := newScene(t)
	if wrong := s.wrong(); wrong != "" {
		t.Errorf("right books: %s", wrong)
	}
	for i := range s.book.Log { // as they are read over the counter
		s.book.Log[i].RequestID = auction.RequestID{}
	}
	s.book.Result.WinnerID = nil
	if wrong := s.wrong(); wrong != "" {
		t.Errorf("right books, read over the counter: %s", wrong)
	}
	tally, _ := s.book.Check(s.begin, s.answers)
	if tally.Acknowledged != 3 || tally.Refused != 1 || tally.Seen != 1 {
		t.Errorf("checked %+v", tally)
	}
}

func TestAnOpenLotWithoutBidsPasses(t *testing.T) {
	s := newScene(t)
	s.answers, s.book = nil, books.Book{Lot: s.begin}
	if wrong := s.wrong(); wrong != "" {
		t.Error(wrong)
	}
}

func TestABidThatNobodyWasToldOfMayStandWhereAnAnswerWasLost(t *testing.T) {
	s := newScene(t)
	lost := &s.answers[1]
	lost.Verdict, lost.Bid, lost.Told = "", auction.Bid{}, auction.State{}
	if wrong := s.wrong(); wrong != "" {
		t.Error(wrong)
	}
	tally, _ := s.book.Check(s.begin, s.answers)
	if tally.Unknown != 1 || tally.Happened != 1 {
		t.Errorf("checked %+v", tally)
	}
}

func TestFalsifiedBooksFailByTheirRule(t *testing.T) {
	for name, c := range map[string]struct {
		falsify func(s *scene)
		want    string
	}{
		"an amount under the floor":     {func(s *scene) { s.book.Log[1].Amount = money(t, "10.99") }, "less than the 11.00 that it had to be"},
		"a version twice":               {func(s *scene) { s.book.Log[2].Version = 3 }, "version 3 comes after version 3"},
		"a bid judged before the last":  {func(s *scene) { s.book.Log[2].CreatedAt = s.book.Log[0].CreatedAt }, "judged before the one under it"},
		"a bid after the end":           {func(s *scene) { s.book.Log[2].CreatedAt = s.book.Lot.EndTime }, "judged at or after the end"},
		"an acknowledged bid missing":   {func(s *scene) { s.book.Log = slices.Delete(s.book.Log, 1, 2) }, "3 bids were answered 201 and 0 were not answered, and the log has 2"},
		"a bid that nobody asked for":   {func(s *scene) { s.answers = s.answers[1:] }, "2 bids were answered 201 and 0 were not answered, and the log has 3"},
		"a wrong count":                 {func(s *scene) { s.book.Lot.BidCount = 4 }, "the lot counts 4 bids, and the log has 3"},
		"another price than the top's":  {func(s *scene) { s.book.Lot.CurrentPrice = money(t, "31") }, "the price is 31.00, and the log's top 30.00"},
		"another leader than the top's": {func(s *scene) { other := int64(2); s.book.Lot.LeaderID = &other }, "the leader is 2, and the log's top is of 1"},
		"no leader":                     {func(s *scene) { s.book.Lot.LeaderID = nil }, "the leader is nobody"},
		"a request twice in the log":    {func(s *scene) { s.book.Log[2].RequestID = s.book.Log[0].RequestID }, "made version 2 and version 4"},
		"a request answered 201 twice":  {func(s *scene) { s.answers[3].Offer.RequestID = s.answers[0].Offer.RequestID }, "was answered 201 as version 2 and as version 4"},
		"another bidder in the log":     {func(s *scene) { s.book.Log[1].BidderID = 3 }, "is not in the log as they were told"},
		"no closing event":              {func(s *scene) { s.book.Closings = nil }, "it is CLOSED and has 0 closing events"},
		"two closing events":            {func(s *scene) { s.book.Closings = append(s.book.Closings, s.book.Closings[0]) }, "it is CLOSED and has 2 closing events"},
		"an event for an open lot":      {func(s *scene) { s.book.Lot.Status = auction.Open }, "it is OPEN and has 1 closing events"},
		"an event of another price":     {func(s *scene) { price := money(t, "20"); s.book.Closings[0].Price = &price }, "the event's price is 20.00, and the lot's 30.00"},
		"an event of another winner":    {func(s *scene) { *s.book.Closings[0].WinnerID = 2 }, "the event's winner is 2, and the leader is 1"},
		"an event that counts wrong":    {func(s *scene) { s.book.Closings[0].BidCount = 2 }, "the event counts 2 bids, and the lot 3"},
		"no result":                     {func(s *scene) { s.book.Result = nil }, "it is CLOSED, and that it has a result is false"},
		"a result of unsold":            {func(s *scene) { *s.book.Result = books.Closing{BidCount: 3} }, "the result says that it was sold: false"},
		"a result of another winner":    {func(s *scene) { *s.book.Result.WinnerID = 2 }, "the result's winner is 2, and the leader is 1"},
		"a lot that is never closed": {func(s *scene) {
			s.book.Lot.Status, s.book.Lot.Now = auction.Open, s.book.Lot.EndTime.Add(time.Minute)
		}, "it ended 1m0s ago and is not closed"},
		"a refusal that was not due":              {func(s *scene) { s.answers[2].Offer.Amount = money(t, "25") }, "B1"},
		"an answer before its turn (by versions)": {func(s *scene) { s.answers[3].Call, s.answers[3].Return = -2, -1 }, "B11"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			c.falsify(s)
			if wrong := s.wrong(); !strings.Contains(wrong, c.want) {
				t.Errorf("found\n%s\nwant %q", wrong, c.want)
			}
		})
	}
}
