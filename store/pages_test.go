package store_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
)

// Bids arrive between the pages; the log is told whole and without repeats.
func TestTheLogIsReadInPagesWhileBidsArrive(t *testing.T) {
	t.Parallel()
	s := setup(t)
	amount := 1000
	bid := func(n int) {
		for range n {
			amount += 10
			s.bid(t, s.ann, fmt.Sprint(amount), auction.Accepted)
		}
	}
	bid(10)
	var versions []int64
	for before := int64(math.MaxInt64); ; {
		page, err := s.Bids(t.Context(), s.lot.ID, before, 3)
		ok(t, err)
		if len(page) == 0 {
			break
		}
		for _, b := range page {
			versions = append(versions, b.Version)
			if b.Alias != s.ann.Alias || b.BidderID != s.ann.ID || b.AuctionID != s.lot.ID || b.ID == 0 || b.CreatedAt.IsZero() ||
				s.Currency.Text(b.Amount) != fmt.Sprintf("%d.00", 990+10*b.Version) || b.RequestID != (auction.RequestID{}) {
				t.Errorf("%+v", b)
			}
		}
		before = page[len(page)-1].Version
		bid(2)
	}
	if !slices.Equal(versions, []int64{11, 10, 9, 8, 7, 6, 5, 4, 3, 2}) {
		t.Errorf("read %v", versions)
	}

	other := s.Lot(s.seller, time.Hour)
	if page, err := s.Bids(t.Context(), other.ID, math.MaxInt64, 3); err != nil || len(page) != 0 {
		t.Errorf("a lot without bids: %v, %v", page, err)
	}
	if page, err := s.Bids(t.Context(), 1<<40, math.MaxInt64, 3); !errors.Is(err, auction.ErrNotFound) {
		t.Errorf("no such lot: %v, %v", page, err)
	}
}

// read reads a list to its end in pages, and calls between after each of them.
func (s *scene) read(t *testing.T, q store.Query, between func()) (ids []int64) {
	t.Helper()
	for {
		found, err := s.Auctions(t.Context(), q)
		ok(t, err)
		page := found.Lots
		if len(page) == 0 {
			return ids
		}
		for _, l := range page {
			ids = append(ids, l.ID)
		}
		mark := page[len(page)-1].Mark()
		q.After = &mark
		between()
	}
}

func TestOpenAuctionsAreReadInPagesWhileBidsArrive(t *testing.T) {
	t.Parallel()
	s := setup(t)
	lots := map[int64]auction.Auction{s.lot.ID: s.lot}
	ids := []int64{s.lot.ID}
	for i := range 10 { // many end at the same instant: then the id decides
		a := s.Lot(s.seller, time.Hour)
		s.Exec(`UPDATE auction SET end_time = (SELECT end_time FROM auction WHERE id = $2) + $3::interval WHERE id = $1`,
			a.ID, s.lot.ID, time.Duration(i/4)*time.Minute)
		ids, lots[a.ID] = append(ids, a.ID), a
	}
	s.due(t, 3) // over, and open until they are closed: they come first
	withdrawn := s.Lot(s.seller, time.Minute)
	s.Exec(`UPDATE auction SET status = 'WITHDRAWN', closed_at = clock_timestamp() WHERE id = $1`, withdrawn.ID)

	amount := 1000
	read := s.read(t, store.Query{Limit: 3}, func() {
		amount += 10
		for _, a := range lots {
			s.place(t, s.Offer(a, s.ann, fmt.Sprint(amount)), auction.Accepted)
		}
	})
	if len(read) != 14 || !slices.Equal(read[3:], ids) {
		t.Errorf("read %v, want three and %v", read, ids)
	}

	list, err := s.Auctions(t.Context(), store.Query{Limit: 100, ReaderID: s.ann.ID})
	ok(t, err)
	for _, l := range list.Lots[3:] {
		if l.Own == nil || l.Own.Cmp(l.CurrentPrice) != 0 || l.SellerAlias != s.seller.Alias || l.Now.IsZero() {
			t.Errorf("the bidder reads %+v", l)
		}
	}
	for _, reader := range []int64{0, s.ben.ID} {
		if lot, err := s.Store.Lot(t.Context(), s.lot.ID, reader); err != nil || lot.Own != nil || lot.ID != s.lot.ID || lot.SellerAlias != s.seller.Alias {
			t.Errorf("another reads %+v, %v", lot, err)
		}
	}
	if lot, err := s.Store.Lot(t.Context(), s.lot.ID, s.ann.ID); err != nil || lot.Own == nil || lot.Own.Cmp(lot.CurrentPrice) != 0 {
		t.Errorf("the bidder reads %+v, %v", lot, err)
	}
	if _, err := s.Store.Lot(t.Context(), 1<<40, 0); !errors.Is(err, auction.ErrNotFound) {
		t.Errorf("no such lot: %v", err)
	}
}

// A late bid moves its lot back in the list: a reader may meet it again at its
// new end, and misses nothing.
func TestAnExtensionHidesNoLotFromAReader(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := []int64{s.lot.ID}
	for range 8 {
		a := s.Lot(s.seller, time.Hour)
		ids = append(ids, a.ID)
	}
	s.Exec(`UPDATE auction SET soft_close = '1 day'`)
	next := 0
	read := s.read(t, store.Query{Limit: 2}, func() {
		if next < len(ids) {
			s.lot.ID = ids[next]
			s.bid(t, s.ann, "1010", auction.Accepted)
			next += 2
		}
	})
	for _, id := range ids {
		if !slices.Contains(read, id) {
			t.Errorf("lot %d was missed: %v", id, read)
		}
	}
}

func TestClosedAuctionsAreReadLatestEndFirst(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.due(t, 10)
	s.Exec(`UPDATE auction SET end_time = date_trunc('hour', end_time) WHERE id = ANY ($1) AND id % 2 = 0`, ids)
	if n, err := closer(s.Store).Once(t.Context()); n != 10 || err != nil {
		t.Fatalf("closed %d, %v", n, err)
	}
	want := value[[]int64](t, s.House, `SELECT array_agg(id ORDER BY end_time DESC, id DESC) FROM auction WHERE status = 'CLOSED'`)
	read := s.read(t, store.Query{Closed: true, Limit: 3}, func() { s.endIn(t, time.Hour) })
	if !slices.Equal(read, want) {
		t.Errorf("read %v, want %v", read, want)
	}
}

func TestEventsAreReadNewestFirstAndInPages(t *testing.T) {
	t.Parallel()
	s := setup(t)
	other := s.Lot(s.seller, time.Hour)
	for i := range 5 {
		s.bid(t, s.ann, fmt.Sprint(1010+10*i), auction.Accepted)
		s.place(t, s.Offer(other, s.ben, fmt.Sprint(1010+10*i)), auction.Accepted)
	}
	pages := func(read func(before int64) ([]auction.Event, error)) (events []auction.Event) {
		for before := int64(math.MaxInt64); ; {
			page, err := read(before)
			ok(t, err)
			if len(page) == 0 {
				return events
			}
			events, before = append(events, page...), page[len(page)-1].ID
		}
	}
	all := pages(func(before int64) ([]auction.Event, error) { return s.Events(t.Context(), before, 3) })
	of := pages(func(before int64) ([]auction.Event, error) { return s.EventsOf(t.Context(), s.lot.ID, before, 2) })
	if len(all) != 10 || len(of) != 5 || !slices.IsSortedFunc(all, func(a, b auction.Event) int { return int(b.ID - a.ID) }) {
		t.Errorf("%d events, %d of the lot: %+v", len(all), len(of), all)
	}
	for i, e := range of {
		if e.AggregateID != s.lot.ID || e.Topic != auction.TopicBidsAccepted || e.Sequence != int64(6-i) || e.Attempts != 0 || e.PublishedAt != nil || e.LastError != nil {
			t.Errorf("%+v", e)
		}
	}
	if n, err := s.Backlog(t.Context()); n != 10 || err != nil {
		t.Errorf("%d wait, %v", n, err)
	}
	s.Exec(`UPDATE outbox SET published_at = now(), attempts = 2, last_error = 'refused' WHERE aggregate_id = $1`, s.lot.ID)
	if n, err := s.Backlog(t.Context()); n != 5 || err != nil {
		t.Errorf("%d wait, %v", n, err)
	}
	events, err := s.EventsOf(t.Context(), s.lot.ID, math.MaxInt64, 1)
	if err != nil || events[0].PublishedAt == nil || events[0].Attempts != 2 || *events[0].LastError != "refused" {
		t.Errorf("%+v, %v", events, err)
	}
}
