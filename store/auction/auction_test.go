package auction_test

import (
	"testing"
	"time"

	"rostrum/store/auction"
)

func TestThePhaseOfAnAuctionIsWhatAPersonMayBelieve(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	end, leader := start.Add(time.Hour), int64(7)
	for _, c := range []struct {
		name   string
		status auction.Status
		leader *int64
		now    time.Time
		want   auction.Phase
		over   bool
	}{
		{"before the start", auction.Open, nil, start.Add(-time.Microsecond), auction.Scheduled, false},
		{"at the start", auction.Open, nil, start, auction.Running, false},
		{"led", auction.Open, &leader, start.Add(time.Minute), auction.Running, false},
		{"the last microsecond", auction.Open, &leader, end.Add(-time.Microsecond), auction.Running, false},
		{"at the end nobody has won yet", auction.Open, &leader, end, auction.Confirming, false},
		{"long after the end nobody has won yet", auction.Open, nil, end.Add(time.Hour), auction.Confirming, false},
		{"closed with a leader", auction.Closed, &leader, end.Add(time.Second), auction.Sold, true},
		{"closed without a bid", auction.Closed, nil, end.Add(time.Second), auction.Unsold, true},
		{"closed, whatever the clock says", auction.Closed, &leader, start.Add(-time.Hour), auction.Sold, true},
		{"withdrawn before the start", auction.Withdrawn, nil, start.Add(-time.Hour), auction.CalledOff, true},
		{"withdrawn with bids", auction.Withdrawn, &leader, end.Add(time.Hour), auction.CalledOff, true},
	} {
		s := auction.State{Status: c.status, LeaderID: c.leader, StartTime: start, EndTime: end, Now: c.now}
		if s.Phase() != c.want || s.Over() != c.over {
			t.Errorf("%s: %s, over: %v", c.name, s.Phase(), s.Over())
		}
	}
}

func TestAStateTellsTheFloorAndWhoLeads(t *testing.T) {
	t.Parallel()
	leader := int64(7)
	a := auction.Auction{ID: 42, CurrentPrice: money(t, "1000.50"), MinIncrement: money(t, "0.50"), LeaderID: &leader, BidCount: 3, Version: 4}
	s := a.State()
	if s.AuctionID != 42 || s.MinimumBid.Cmp(money(t, "1001")) != 0 || s.MinimumBid.Cmp(a.MinimumBid()) != 0 || s.BidCount != 3 || s.Version != 4 {
		t.Errorf("%+v", s)
	}
	if !s.LedBy(7) || s.LedBy(8) || s.LedBy(0) || (auction.State{}).LedBy(0) {
		t.Error("the wrong leader")
	}
}
