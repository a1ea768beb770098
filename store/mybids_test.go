package store_test

import (
	"slices"
	"testing"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
)

func TestMyBidsAreReadByPart(t *testing.T) {
	t.Parallel()
	s := setup(t)
	want := map[store.Part][]int64{}
	var over []int64
	add := func(part store.Part, id int64) { want[part] = append(want[part], id) }
	for i := range 36 {
		lot := s.Lot(s.seller, time.Hour+time.Duration(i)*time.Minute)
		if i%6 == 5 {
			s.place(t, s.Offer(lot, s.ben, "1010"), auction.Accepted)
			continue // not Ann's
		}
		s.place(t, s.Offer(lot, s.ann, "1010"), auction.Accepted)
		s.place(t, s.Offer(lot, s.ann, "1020"), auction.Accepted)
		leads := i%2 == 0
		if !leads {
			s.place(t, s.Offer(lot, s.ben, "1030"), auction.Accepted)
		}
		add(store.AllBids, lot.ID)
		switch {
		case i%6 == 4:
			s.Exec(`UPDATE auction SET status = 'WITHDRAWN', closed_at = now() WHERE id = $1`, lot.ID)
		case i%3 == 0 && leads:
			over = append(over, lot.ID)
			add(store.Won, lot.ID)
		case i%3 == 0:
			over = append(over, lot.ID)
			add(store.Lost, lot.ID)
		case leads:
			add(store.Leading, lot.ID)
		default:
			add(store.Outbid, lot.ID)
		}
	}
	// Ended and not closed: nobody has won yet.
	s.Exec(`UPDATE auction SET start_time = now() - interval '2 days', end_time = now() - interval '1 day' WHERE id = ANY ($1)`, over)
	if won, err := s.BidOn(t.Context(), s.ann.ID, store.Won, nil, 100); len(won) != 0 || err != nil {
		t.Errorf("before the closing %d are won, %v", len(won), err)
	}
	if _, err := closer(s.Store).Once(t.Context()); err != nil {
		t.Fatal(err)
	}
	// Closed in another order than that of their numbers, four at one moment.
	won, moment := want[store.Won], time.Now()
	for i, minute := range []int{1, 2, 1, 3, 1, 1} {
		s.Exec(`UPDATE result SET closed_at = $2 WHERE auction_id = $1`, won[i], moment.Add(time.Duration(minute)*time.Minute))
	}
	want[store.Won] = []int64{won[0], won[2], won[4], won[5], won[1], won[3]}

	for _, part := range []store.Part{store.AllBids, store.Leading, store.Outbid, store.Won, store.Lost} {
		var read []int64
		var after *store.Mark
		for {
			page, err := s.BidOn(t.Context(), s.ann.ID, part, after, 4)
			ok(t, err)
			if len(page) == 0 {
				break
			}
			for _, l := range page {
				read = append(read, l.ID)
				if l.Own == nil || s.Currency.Text(*l.Own) != "1020.00" {
					t.Errorf("%s: her last bid is %v", part, l.Own)
				}
			}
			mark := page[len(page)-1].Mark()
			after = &mark
		}
		sorted := slices.Clone(want[part])
		if part != store.Leading && part != store.Outbid {
			slices.Reverse(sorted)
		}
		if !slices.Equal(read, sorted) {
			t.Errorf("%s: read %v, want %v", part, read, sorted)
		}
		if page, err := s.BidOn(t.Context(), s.seller.ID, part, nil, 4); len(page) != 0 || err != nil {
			t.Errorf("%s: who never bid reads %v, %v", part, page, err)
		}
	}
	counts, err := s.BidCounts(t.Context(), s.ann.ID, 3)
	ok(t, err)
	if counts[store.Leading] != len(want[store.Leading]) || counts[store.Outbid] != len(want[store.Outbid]) || counts[store.Won] != 3 || counts[store.Lost] != 3 {
		t.Errorf("counted %v, want %v and at most 3 that are over", counts, want)
	}
}

// The lots are met in jumps of so many bids: one lot may have more, and one may
// begin or end where a jump does.
func TestEveryLotSomebodyBidOnIsMetOnceHoweverManyBidsTheyMade(t *testing.T) {
	t.Parallel()
	s := setup(t)
	var want []int64
	for i, bids := range []int{1, 200, 63, 1, 64, 65, 1, 0, 128, 2, 127, 1, 1, 62, 0, 64, 64, 63, 1} {
		lot := s.Lot(s.seller, time.Hour+time.Duration(i)*time.Minute)
		s.Exec(`INSERT INTO bid (auction_id, version, bidder_id, amount, request_id, created_at)
			SELECT $1, 1 + n, $2, 1000 + n, gen_random_uuid(), now() FROM generate_series(1, $3::int) n`, lot.ID, s.ann.ID, bids)
		s.Exec(`UPDATE auction SET leader_id = $2, bid_count = 1 WHERE id = $1`, lot.ID, s.ben.ID)
		if bids > 0 {
			want = append(want, lot.ID)
		}
	}
	outbid, err := s.BidOn(t.Context(), s.ann.ID, store.Outbid, nil, 100)
	ok(t, err)
	all, err := s.BidOn(t.Context(), s.ann.ID, store.AllBids, nil, 100)
	ok(t, err)
	slices.Reverse(all)
	for part, lots := range map[store.Part][]store.Listed{store.Outbid: outbid, store.AllBids: all} {
		var read []int64
		for _, l := range lots {
			read = append(read, l.ID)
		}
		if !slices.Equal(read, want) {
			t.Errorf("%s: read %v, want %v", part, read, want)
		}
	}
	counts, err := s.BidCounts(t.Context(), s.ann.ID, 100)
	if err != nil || counts[store.Outbid] != len(want) {
		t.Errorf("counted %v, %v, want %d outbid", counts, err, len(want))
	}
}
