package store_test

import (
	"testing"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/store/storetest"
)

func TestALateBidMovesTheEndToTheWindowBehindIt(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.Exec(`UPDATE auction SET soft_close = '1 hour'`)
	s.endIn(t, 30*time.Minute)
	for _, amount := range []string{"1010", "1020"} {
		o := s.bid(t, s.ann, amount, auction.Accepted)
		if end := o.Bid.CreatedAt.Add(time.Hour); !o.Auction.EndTime.Equal(end) || !s.now(t).EndTime.Equal(end) {
			t.Errorf("judged at %v, the end is told as %v and is %v", o.Bid.CreatedAt, o.Auction.EndTime, s.now(t).EndTime)
		}
	}
}

func TestNoOtherBidMovesTheEnd(t *testing.T) {
	t.Parallel()
	s := setup(t)
	early := s.bid(t, s.ann, "1010", auction.Accepted)
	if !early.Auction.EndTime.Equal(s.lot.EndTime) || !s.now(t).EndTime.Equal(s.lot.EndTime) {
		t.Errorf("an early bid moved the end from %v to %v", s.lot.EndTime, early.Auction.EndTime)
	}

	s.Exec(`UPDATE auction SET soft_close = '2 hours'`) // from here on any bid is late
	cat := s.Person(false)
	s.suspend(t, cat, true)
	offer := s.Offer(s.lot, s.ben, "1020")
	end := s.place(t, offer, auction.Accepted).Auction.EndTime
	s.place(t, offer, auction.Replayed)
	s.bid(t, s.ann, "1020", auction.TooLow)
	s.bid(t, s.seller, "5000", auction.OwnAuction)
	s.bid(t, cat, "5000", auction.Suspended)
	offer.BidderID = s.ann.ID
	s.place(t, offer, auction.Reused)
	if a := s.now(t); !a.EndTime.Equal(end) || a.Version != 3 {
		t.Errorf("a bid that was not accepted moved the end from %v to %v, version %d", end, a.EndTime, a.Version)
	}

	s.endIn(t, -time.Millisecond)
	s.bid(t, s.ann, "1030", auction.Ended)
	if a := s.now(t); !a.EndTime.Equal(s.lot.EndTime) {
		t.Errorf("a bid after the end moved it from %v to %v", s.lot.EndTime, a.EndTime)
	}
}

// The setting may change; a lot keeps the soft close it was listed with.
func TestALotKeepsItsSoftClose(t *testing.T) {
	t.Parallel()
	s := setup(t)
	longer, err := store.Open(t.Context(), store.Options{URL: s.URL, SoftClose: 3 * time.Hour})
	ok(t, err)
	t.Cleanup(longer.Close)
	o, err := longer.PlaceBid(t.Context(), s.Offer(s.lot, s.ann, "1010"))
	if err != nil || o.Verdict != auction.Accepted || !o.Auction.EndTime.Equal(s.lot.EndTime) {
		t.Errorf("listed with %v, a bid an hour before the end moved it to %v, %v", storetest.SoftClose, o.Auction.EndTime, err)
	}
	listed, err := longer.List(t.Context(), auction.Listing{SellerID: s.seller.ID, Title: "Vase",
		MinIncrement: s.Money("1"), EndTime: s.Now().Add(time.Hour)})
	ok(t, err)
	s.lot = listed
	o = s.bid(t, s.ann, "1", auction.Accepted)
	if !o.Auction.EndTime.Equal(o.Bid.CreatedAt.Add(3 * time.Hour)) {
		t.Errorf("listed with three hours, a bid at %v moved the end to %v", o.Bid.CreatedAt, o.Auction.EndTime)
	}
}
