package store_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"rostrum/store/auction"
)

// Several offers in one call are judged in their order, each as if alone.
func TestOffersInOneCallAreJudgedInTheirOrder(t *testing.T) {
	t.Parallel()
	s := setup(t)
	cat := s.Person(false)
	s.suspend(t, cat, true)
	type row struct {
		who    auction.Person
		amount string
		id     byte
		want   auction.Verdict
	}
	for _, c := range []struct {
		name string
		rows []row
	}{
		{"one after the other", []row{
			{s.ann, "1010", 1, auction.Accepted}, {s.ben, "1010", 2, auction.TooLow}, {s.ben, "1019.99", 3, auction.TooLow},
			{s.ben, "1020", 4, auction.Accepted}, {s.ben, "1030", 5, auction.Accepted}, {s.ann, "1039", 6, auction.TooLow},
		}},
		{"the same three times", []row{
			{s.ann, "1010", 1, auction.Accepted}, {s.ann, "1010", 1, auction.Replayed}, {s.ann, "1010", 1, auction.Replayed},
		}},
		{"outbid between the same", []row{
			{s.ann, "1010", 1, auction.Accepted}, {s.ben, "1020", 2, auction.Accepted}, {s.ann, "1010.00", 1, auction.Replayed},
		}},
		{"an id for another amount, another person, both", []row{
			{s.ann, "1010", 1, auction.Accepted}, {s.ann, "1020", 1, auction.Reused}, {s.ben, "1010", 1, auction.Reused}, {s.ben, "9000", 1, auction.Reused},
		}},
		{"a refusal uses up no id", []row{
			{s.ann, "1", 1, auction.TooLow}, {s.ann, "1010", 1, auction.Accepted}, {s.ann, "1010", 1, auction.Replayed}, {s.ann, "1", 1, auction.Reused},
		}},
		{"a refusal leaves the id even to others", []row{
			{s.ann, "1", 1, auction.TooLow}, {s.ben, "1010", 1, auction.Accepted}, {s.ann, "1", 1, auction.Reused}, {s.ann, "1010", 1, auction.Reused}, {s.ben, "1010", 1, auction.Replayed},
		}},
		{"who may not bid", []row{
			{cat, "1010", 1, auction.Suspended}, {s.seller, "1010", 2, auction.OwnAuction}, {s.ann, "1010", 1, auction.Accepted}, {cat, "1010", 1, auction.Reused}, {cat, "1", 3, auction.Suspended},
		}},
		{"nothing accepted", []row{{s.ann, "1", 1, auction.TooLow}, {s.ann, "1", 1, auction.TooLow}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.lot = s.Lot(s.seller, time.Hour)
			ids := map[byte]auction.RequestID{}
			var offers []auction.Offer
			for _, r := range c.rows {
				if _, known := ids[r.id]; !known {
					ids[r.id] = auction.NewRequestID()
				}
				offers = append(offers, auction.Offer{AuctionID: s.lot.ID, BidderID: r.who.ID, Amount: s.Money(r.amount), RequestID: ids[r.id]})
			}
			for _, again := range []bool{false, true} { // the second time what was accepted is known from before
				outcomes, err := s.Judge(s.lot.ID, offers)
				ok(t, err)
				for i, o := range outcomes {
					want := c.rows[i].want
					switch {
					case again && want == auction.Accepted:
						want = auction.Replayed
					case again && want != auction.Replayed && want != auction.Reused:
						continue // the id may have been accepted for somebody since
					}
					if o.Verdict != want {
						t.Errorf("offer %d, again %v: %q, want %q", i+1, again, o.Verdict, want)
					}
				}
				s.consistent(t, offers, outcomes)
			}
		})
	}
}

// consistent checks what must hold between the answers of one call and the log.
func (s *scene) consistent(t *testing.T, offers []auction.Offer, outcomes []auction.Outcome) {
	t.Helper()
	log, a := map[auction.RequestID]auction.Bid{}, s.now(t)
	for i, b := range s.log(t) {
		log[b.RequestID] = b
		if b.Version != int64(i)+2 {
			t.Errorf("bid %d has version %d", i+1, b.Version)
		}
	}
	if a.Version != int64(len(log))+1 || a.BidCount != int64(len(log)) {
		t.Errorf("%d bids, version %d, count %d", len(log), a.Version, a.BidCount)
	}
	for i, o := range outcomes {
		if o.Auction.Version != a.Version || !o.Auction.Now.Equal(outcomes[0].Auction.Now) {
			t.Errorf("offer %d is told version %d at %v", i+1, o.Auction.Version, o.Auction.Now)
		}
		want := auction.Bid{}
		if o.Verdict == auction.Accepted || o.Verdict == auction.Replayed {
			want = log[offers[i].RequestID]
		}
		if o.Bid.Amount.Cmp(want.Amount) != 0 || !o.Bid.CreatedAt.Equal(want.CreatedAt) || o.Bid.ID != want.ID || o.Bid.Version != want.Version || o.Bid.BidderID != want.BidderID {
			t.Errorf("offer %d was told %+v, the log has %+v", i+1, o.Bid, want)
		}
	}
}

func TestACallThatAcceptsWritesOneEvent(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for i, c := range []struct {
		offers []auction.Offer
		want   string // the payload, "": no event
	}{
		{[]auction.Offer{s.Offer(s.lot, s.ann, "1")}, ""},
		{[]auction.Offer{s.Offer(s.lot, s.ann, "1010")}, `{"fromVersion": 2, "toVersion": 2, "displacedLeaderId": null}`},
		{[]auction.Offer{s.Offer(s.lot, s.ann, "1020"), s.Offer(s.lot, s.ann, "1")}, `{"fromVersion": 3, "toVersion": 3, "displacedLeaderId": null}`},
		{[]auction.Offer{s.Offer(s.lot, s.ben, "1030"), s.Offer(s.lot, s.ben, "1040"), s.Offer(s.lot, s.ben, "1050")},
			fmt.Sprintf(`{"fromVersion": 4, "toVersion": 6, "displacedLeaderId": %d}`, s.ann.ID)},
		{[]auction.Offer{s.Offer(s.lot, s.ann, "1060"), s.Offer(s.lot, s.ben, "1070")}, `{"fromVersion": 7, "toVersion": 8, "displacedLeaderId": null}`},
		{[]auction.Offer{s.Offer(s.lot, s.ben, "1070"), s.Offer(s.lot, s.seller, "2000")}, ""},
	} {
		before := s.count(t, `SELECT count(*) FROM outbox`)
		outcomes, err := s.Judge(s.lot.ID, c.offers)
		ok(t, err)
		events, err := s.EventsOf(t.Context(), s.lot.ID, 1<<62, 100)
		ok(t, err)
		if c.want == "" {
			if len(events) != before {
				t.Errorf("call %d accepted nothing and wrote %s", i, events[0].Payload)
			}
			continue
		}
		if len(events) != before+1 {
			t.Fatalf("call %d: %d new events", i, len(events)-before)
		}
		e := events[0]
		if !sameJSON(t, e.Payload, []byte(c.want)) || e.Topic != auction.TopicBidsAccepted || e.AggregateID != s.lot.ID ||
			e.Sequence != outcomes[0].Auction.Version || !e.CreatedAt.Equal(outcomes[0].Auction.Now) || e.PublishedAt != nil {
			t.Errorf("call %d wrote %+v with %s, want %s", i, e, e.Payload, c.want)
		}
	}
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y any
	ok(t, json.Unmarshal(a, &x))
	ok(t, json.Unmarshal(b, &y))
	return fmt.Sprint(x) == fmt.Sprint(y)
}

// B11: nobody can tell whether offers were judged together or one by one.
func TestNobodyCanTellABatch(t *testing.T) {
	t.Parallel()
	s := setup(t)
	cat := s.Person(false)
	s.suspend(t, cat, true)
	people := []auction.Person{s.ann, s.ben, s.ann, s.ben, cat, s.seller}
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 0))
	together, alone := s.Lot(s.seller, time.Hour), s.Lot(s.seller, time.Hour)
	var ids []auction.RequestID
	for range 30 {
		ids = append(ids, auction.NewRequestID())
	}
	for round := range 12 {
		offers := make([]auction.Offer, 1+random.IntN(15))
		for i := range offers {
			offers[i] = s.Offer(together, people[random.IntN(len(people))], fmt.Sprint(1000+30*round+5*random.IntN(12)))
			offers[i].RequestID = ids[random.IntN(len(ids))]
		}
		outcomes, err := s.Judge(together.ID, offers)
		ok(t, err)
		for i, offer := range offers {
			offer.AuctionID = alone.ID
			o, err := s.PlaceBid(t.Context(), offer)
			ok(t, err)
			if o.Verdict != outcomes[i].Verdict || o.Bid.Version != outcomes[i].Bid.Version {
				t.Fatalf("seed %d, round %d, offer %d: alone %q of version %d, together %q of version %d", seed, round, i,
					o.Verdict, o.Bid.Version, outcomes[i].Verdict, outcomes[i].Bid.Version)
			}
		}
		s.lot = together
		s.consistent(t, offers, outcomes)
	}
}
