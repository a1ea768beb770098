package store_test

import (
	"testing"
	"time"

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
