package store_test

import (
	"testing"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/store/storetest"
)

func TestABidIsAcceptedRepliedAndRefusedByTheRules(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	seller, ann, ben := h.Person(true), h.Person(false), h.Person(false)
	lot := h.Lot(seller, time.Hour)

	first := h.Offer(lot, ann, "1010")
	o, err := h.PlaceBid(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	if o.Verdict != auction.Accepted || o.Bid.Version != 2 || o.Auction.Version != 2 || !o.Auction.State().LedBy(ann.ID) {
		t.Fatalf("the first bid: %+v", o)
	}
	low, err := h.PlaceBid(t.Context(), h.Offer(lot, ben, "1019.99"))
	if err != nil || low.Verdict != auction.TooLow || h.Currency.Text(low.Auction.MinimumBid()) != "1020.00" {
		t.Fatalf("one cent short: %+v %v", low, err)
	}
	again, err := h.PlaceBid(t.Context(), first)
	if err != nil || again.Verdict != auction.Replayed || again.Bid.ID != o.Bid.ID || !again.Bid.CreatedAt.Equal(o.Bid.CreatedAt) {
		t.Fatalf("the retry: %+v %v", again, err)
	}
	_, err = h.PlaceBid(t.Context(), auction.Offer{AuctionID: 999, BidderID: ann.ID, Amount: h.Money("5"), RequestID: auction.NewRequestID()})
	if err != auction.ErrNotFound {
		t.Fatalf("no such lot: %v", err)
	}
}

// Whoever measures is told of each verdict, and of no failure.
func TestEachJudgedBidIsCounted(t *testing.T) {
	t.Parallel()
	s := setup(t)
	verdicts := map[auction.Verdict]int{}
	counting, err := store.Open(t.Context(), store.Options{URL: s.URL, Judged: func(v auction.Verdict, took time.Duration) {
		if verdicts[v]++; took <= 0 {
			t.Errorf("%q took %v", v, took)
		}
	}})
	ok(t, err)
	t.Cleanup(counting.Close)
	offer := s.Offer(s.lot, s.ann, "1010")
	unknown := offer
	unknown.AuctionID = 1 << 40
	for _, o := range []auction.Offer{offer, offer, s.Offer(s.lot, s.ben, "1010"), s.Offer(s.lot, s.seller, "2000"), unknown} {
		if _, err := counting.PlaceBid(t.Context(), o); err != nil && err != auction.ErrNotFound {
			t.Error(err)
		}
	}
	if len(verdicts) != 4 || verdicts[auction.Accepted] != 1 || verdicts[auction.Replayed] != 1 || verdicts[auction.TooLow] != 1 || verdicts[auction.OwnAuction] != 1 {
		t.Errorf("%v", verdicts)
	}
}
