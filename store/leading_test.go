package store_test

import (
	"testing"

	"rostrum/store/auction"
)

func TestALeaderWhoDidNotSayThatTheyKnowIsAsked(t *testing.T) {
	t.Parallel()
	s := setup(t)
	asking := func(who auction.Person, amount string) auction.Offer {
		o := s.Offer(s.lot, who, amount)
		o.AskLeader = true
		return o
	}
	first := asking(s.ann, "1010")
	s.place(t, first, auction.Accepted) // nobody leads yet
	s.place(t, first, auction.Replayed) // and who sends it again is answered as before
	before := s.now(t)

	s.place(t, asking(s.ann, "1019"), auction.TooLow) // nothing to ask about
	held := asking(s.ann, "1500")
	asked := s.place(t, held, auction.Leading)
	if after := s.now(t); after.Version != before.Version || after.BidCount != 1 || s.Currency.Text(asked.Auction.CurrentPrice) != "1010.00" {
		t.Errorf("asking changed the lot: %+v", after)
	}
	if n := value[int](t, s.House, `SELECT count(*) FROM outbox`); n != 1 {
		t.Errorf("%d events, want the one of the bid", n)
	}

	held.AskLeader = false // "yes", under the same id
	s.place(t, held, auction.Accepted)
	s.place(t, held, auction.Replayed)
	s.place(t, asking(s.ben, "1600"), auction.Accepted) // who does not lead is not asked
	s.place(t, asking(s.ann, "1700"), auction.Accepted)
	s.bid(t, s.ann, "1800", auction.Accepted) // B1: a program is not asked
	if n := len(s.log(t)); n != 5 {
		t.Errorf("%d bids, want 5", n)
	}
}

// Whoever became the leader a moment before, in the same call or in a
// transaction that is waited for, leads.
func TestWhoLeadsIsJudgedWithTheRest(t *testing.T) {
	t.Parallel()
	s := setup(t)
	offers := []auction.Offer{s.Offer(s.lot, s.ann, "1010"), s.Offer(s.lot, s.ann, "1020"), s.Offer(s.lot, s.ben, "1020"), s.Offer(s.lot, s.ann, "1030")}
	for i := range offers {
		offers[i].AskLeader = true
	}
	outcomes, err := s.Judge(s.lot.ID, offers)
	ok(t, err)
	for i, want := range []auction.Verdict{auction.Accepted, auction.Leading, auction.Accepted, auction.Accepted} {
		if outcomes[i].Verdict != want {
			t.Errorf("offer %d: %s, want %s", i, outcomes[i].Verdict, want)
		}
	}

	forms := make(chan auction.Verdict)
	for range 20 { // twenty tabs of one person, each with a form of its own
		offer := s.Offer(s.lot, s.ben, "2000")
		offer.AskLeader = true
		go func() {
			o, err := s.PlaceBid(t.Context(), offer)
			if err != nil {
				t.Error(err)
			}
			forms <- o.Verdict
		}()
	}
	count := map[auction.Verdict]int{}
	for range 20 {
		count[<-forms]++
	}
	if count[auction.Accepted] != 1 || count[auction.TooLow] != 19 {
		t.Errorf("%v, want one accepted", count)
	}
}
