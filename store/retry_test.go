package store_test

import (
	"testing"
	"time"

	"rostrum/store/auction"
)

// 40 times the same bid at the same moment, through two instances: one is
// accepted, and all the others get its answer.
func TestARetryThatRacesItsOriginalGetsItsAnswer(t *testing.T) {
	t.Parallel()
	s := setup(t)
	other := s.Instance()
	for round := range 12 {
		offer := s.Offer(s.lot, s.ann, s.Currency.Text(s.now(t).MinimumBid()))
		h := s.hold(t, aLock) // so that they queue up behind one another
		var answers []<-chan answer
		for range 20 {
			answers = append(answers, placing(t.Context(), s.Store, offer), placing(t.Context(), other, offer))
		}
		if round%2 == 0 {
			s.waiting(t, 2) // a batch of each instance
		}
		h.run("ROLLBACK")
		accepted := 0
		var bid auction.Bid
		for _, a := range answers {
			o := receive(t, a)
			if o.err != nil || o.Verdict != auction.Accepted && o.Verdict != auction.Replayed {
				t.Fatalf("round %d: %q, %v", round, o.Verdict, o.err)
			}
			if o.Verdict == auction.Accepted {
				accepted++
			}
			if bid.ID == 0 {
				bid = o.Bid
			}
			if o.Bid != bid || o.Auction.Version < bid.Version {
				t.Fatalf("round %d: one was told %+v, another %+v", round, bid, o.Bid)
			}
		}
		if log := s.log(t); accepted != 1 || len(log) != round+1 {
			t.Fatalf("round %d: %d accepted, %d bids", round, accepted, len(log))
		}
	}
}

func TestARetryIsAnsweredFirstWhateverHappenedSince(t *testing.T) {
	t.Parallel()
	s := setup(t)
	offer := s.Offer(s.lot, s.ann, "1010")
	first := s.place(t, offer, auction.Accepted)
	replayed := func(when string) {
		t.Helper()
		o := s.place(t, offer, auction.Replayed)
		if o.Bid != first.Bid {
			t.Errorf("%s: first %+v, now %+v", when, first.Bid, o.Bid)
		}
		if a := s.now(t); o.Auction.Version != a.Version || o.Auction.CurrentPrice.Cmp(a.CurrentPrice) != 0 || o.Auction.Status != a.Status {
			t.Errorf("%s: tells %+v, stands %+v", when, o.Auction, a)
		}
	}
	replayed("at once")
	s.bid(t, s.ben, "1500", auction.Accepted)
	replayed("outbid")
	s.suspend(t, s.ann, true)
	replayed("suspended")
	s.endIn(t, -time.Second)
	replayed("over")
	if n, err := s.NewCloser(func(time.Duration) {}).Once(t.Context()); n != 1 || err != nil {
		t.Fatalf("closed %d, %v", n, err)
	}
	replayed("closed")
	s.Exec(`UPDATE auction SET status = 'WITHDRAWN'`)
	replayed("withdrawn")
	if log := s.log(t); len(log) != 2 {
		t.Errorf("%d bids", len(log))
	}
}

func TestAnIDBelongsToOneOfferOnOneLot(t *testing.T) {
	t.Parallel()
	s := setup(t)
	offer := s.Offer(s.lot, s.ann, "1010")
	s.place(t, offer, auction.Accepted)
	for name, change := range map[string]func(*auction.Offer){
		"another amount":                   func(o *auction.Offer) { o.Amount = s.Money("1020") },
		"an amount that is too low":        func(o *auction.Offer) { o.Amount = s.Money("1009") },
		"another person":                   func(o *auction.Offer) { o.BidderID = s.ben.ID },
		"another person, another amount":   func(o *auction.Offer) { o.BidderID, o.Amount = s.ben.ID, s.Money("5000") },
		"the seller, who may not bid here": func(o *auction.Offer) { o.BidderID = s.seller.ID },
	} {
		misuse := offer
		change(&misuse)
		if o := s.place(t, misuse, auction.Reused); o.Bid != (auction.Bid{}) {
			t.Errorf("%s: a stranger is told %+v", name, o.Bid)
		}
	}
	if log := s.log(t); len(log) != 1 {
		t.Errorf("%d bids", len(log))
	}

	s.lot = s.Lot(s.seller, time.Hour)
	offer.AuctionID = s.lot.ID
	if o := s.place(t, offer, auction.Accepted); o.Bid.AuctionID != s.lot.ID {
		t.Errorf("the same id on another lot: %+v", o.Bid)
	}
}

// A refusal uses up no id: the same request is judged anew.
func TestARefusedRequestIsJudgedAnew(t *testing.T) {
	t.Parallel()
	s := setup(t)
	offer := s.Offer(s.lot, s.ann, "1010")
	s.suspend(t, s.ann, true)
	s.place(t, offer, auction.Suspended)
	s.suspend(t, s.ann, false)
	s.Exec(`UPDATE auction SET start_time = clock_timestamp() + interval '1 minute'`)
	s.place(t, offer, auction.NotStarted)
	s.Exec(`UPDATE auction SET start_time = clock_timestamp()`)
	low := offer
	low.Amount = s.Money("1000")
	s.place(t, low, auction.TooLow)
	s.place(t, offer, auction.Accepted)
	s.place(t, offer, auction.Replayed)
}
