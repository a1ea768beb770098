package store_test

import (
	"errors"
	"testing"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
)

func TestALotIsListedAsItWasAskedFor(t *testing.T) {
	t.Parallel()
	s := setup(t)
	start, end := s.Now().Add(time.Minute).Truncate(time.Microsecond), s.Now().Add(time.Hour).Truncate(time.Microsecond)
	l := auction.Listing{SellerID: s.seller.ID, Title: "Vase ünder gläss", Description: "One\nTwo", StartingPrice: s.Money("0.5"),
		MinIncrement: s.Money("0.05"), StartTime: &start, EndTime: end}
	a, err := s.List(t.Context(), l)
	ok(t, err)
	stands, err := s.Auction(t.Context(), a.ID)
	ok(t, err)
	for _, a := range []auction.Auction{a, stands} {
		if a.SellerID != s.seller.ID || a.Title != l.Title || a.Description != l.Description || a.StartingPrice.Cmp(l.StartingPrice) != 0 ||
			a.CurrentPrice.Cmp(l.StartingPrice) != 0 || a.MinIncrement.Cmp(l.MinIncrement) != 0 || !a.StartTime.Equal(start) || !a.EndTime.Equal(end) ||
			a.Version != 1 || a.BidCount != 0 || a.LeaderID != nil || a.Status != auction.Open || a.ClosedAt != nil || a.State().Phase() != auction.Scheduled {
			t.Errorf("%+v", a)
		}
	}
	if _, err := s.Auction(t.Context(), 1<<40); !errors.Is(err, auction.ErrNotFound) {
		t.Errorf("no such lot: %v", err)
	}
}

func TestALotStartsAtOnceUnlessAskedOtherwise(t *testing.T) {
	t.Parallel()
	s := setup(t)
	past := s.Now().Add(-time.Hour)
	for _, start := range []*time.Time{nil, &past} {
		before := s.clock(t)
		a, err := s.List(t.Context(), auction.Listing{SellerID: s.seller.ID, Title: "Vase", MinIncrement: s.Money("1"), StartTime: start, EndTime: s.Now().Add(time.Hour)})
		if err != nil || a.StartTime.Before(before) || a.StartTime.After(a.Now) || a.State().Phase() != auction.Running {
			t.Errorf("started at %v, asked at %v: %v", a.StartTime, before, err)
		}
	}
}

func TestOnlySellersListAndOnlyForTheFuture(t *testing.T) {
	t.Parallel()
	s := setup(t)
	suspended := s.Person(true)
	s.suspend(t, suspended, true)
	var mistakes auction.Mistakes
	for _, c := range []struct {
		name   string
		seller int64
		end    time.Duration
		is     func(error) bool
	}{
		{"a bidder", s.ann.ID, time.Hour, func(err error) bool { return errors.Is(err, auction.ErrNotSeller) }},
		{"a suspended seller", suspended.ID, time.Hour, func(err error) bool { return errors.Is(err, auction.ErrSuspended) }},
		{"nobody", 1 << 40, time.Hour, func(err error) bool { return errors.Is(err, auction.ErrNotFound) }},
		{"an end in the past", s.seller.ID, -time.Second, func(err error) bool { return errors.As(err, &mistakes) && mistakes["endTime"] != "" }},
		{"a bidder, an end in the past", s.ann.ID, -time.Second, func(err error) bool { return errors.Is(err, auction.ErrNotSeller) }},
	} {
		for _, id := range []*auction.RequestID{nil, new(auction.RequestID)} {
			a, err := s.List(t.Context(), auction.Listing{SellerID: c.seller, RequestID: id, Title: "Vase", MinIncrement: s.Money("1"), EndTime: s.Now().Add(c.end)})
			if !c.is(err) {
				t.Errorf("%s: %+v, %v", c.name, a, err)
			}
		}
	}
	if n := s.count(t, `SELECT count(*) FROM auction`); n != 1 {
		t.Errorf("%d lots", n)
	}
}

// Several clicks at the same moment, through two instances, list one lot.
func TestTheSameListingAgainListsNothing(t *testing.T) {
	t.Parallel()
	s := setup(t)
	instances := []*store.Store{s.Store, s.Instance()}
	start := s.Now().Add(time.Minute)
	id := auction.NewRequestID()
	l := auction.Listing{SellerID: s.seller.ID, RequestID: &id, Title: "Vase", Description: "Old", StartingPrice: s.Money("5"), MinIncrement: s.Money("1"),
		StartTime: &start, EndTime: start.Add(time.Hour + 1)} // with nanoseconds, which the database does not keep
	type listed struct {
		auction.Auction
		err error
	}
	answers := make(chan listed, 20)
	for i := range cap(answers) {
		go func() {
			a, err := instances[i%2].List(t.Context(), l)
			answers <- listed{a, err}
		}()
	}
	first := receive(t, answers)
	for range cap(answers) - 1 {
		if a := receive(t, answers); a.err != nil || a.ID != first.ID {
			t.Errorf("lot %d, %v; first lot %d, %v", a.ID, a.err, first.ID, first.err)
		}
	}

	for name, change := range map[string]func(*auction.Listing){
		"another title":       func(l *auction.Listing) { l.Title = "vase" },
		"another description": func(l *auction.Listing) { l.Description = "" },
		"another price":       func(l *auction.Listing) { l.StartingPrice = s.Money("5.01") },
		"another increment":   func(l *auction.Listing) { l.MinIncrement = s.Money("2") },
		"another start":       func(l *auction.Listing) { later := start.Add(time.Second); l.StartTime = &later },
		"an earlier start":    func(l *auction.Listing) { earlier := start.Add(-time.Second); l.StartTime = &earlier },
		"a start at once":     func(l *auction.Listing) { l.StartTime = nil },
		"a later end":         func(l *auction.Listing) { l.EndTime = l.EndTime.Add(time.Second) },
		"an earlier end":      func(l *auction.Listing) { l.EndTime = l.EndTime.Add(-time.Second) },
	} {
		other := l
		change(&other)
		if a, err := s.List(t.Context(), other); !errors.Is(err, auction.ErrRequestReuse) {
			t.Errorf("%s: lot %d, %v", name, a.ID, err)
		}
	}

	// Whatever happened to the lot and its seller since, the answer stands.
	s.lot = first.Auction
	s.Exec(`UPDATE auction SET start_time = now() - interval '1 minute', soft_close = '3 hours' WHERE id = $1`, s.lot.ID)
	s.bid(t, s.ann, "6", auction.Accepted)
	s.suspend(t, s.seller, true)
	if a, err := s.List(t.Context(), l); err != nil || a.ID != first.ID || a.BidCount != 1 {
		t.Errorf("lot %d, %v", a.ID, err)
	}
	s.suspend(t, s.seller, false)

	// An id is the seller's own, and none lists a lot each time.
	l.SellerID = s.Person(true).ID
	if a, err := s.List(t.Context(), l); err != nil || a.ID == first.ID {
		t.Errorf("another seller's: lot %d, %v", a.ID, err)
	}
	l.RequestID = nil
	for range 2 {
		if _, err := s.List(t.Context(), l); err != nil {
			t.Error(err)
		}
	}
	if n := s.count(t, `SELECT count(*) FROM auction`); n != 5 {
		t.Errorf("%d lots", n)
	}
}

func TestAListingThatStartedAtOnceIsKnownAgain(t *testing.T) {
	t.Parallel()
	s := setup(t)
	past, future := s.Now().Add(-time.Hour), s.Now().Add(time.Minute)
	for _, start := range []*time.Time{nil, &past} {
		id := auction.NewRequestID()
		l := auction.Listing{SellerID: s.seller.ID, RequestID: &id, Title: "Vase", MinIncrement: s.Money("1"), StartTime: start, EndTime: s.Now().Add(time.Hour)}
		first, err := s.List(t.Context(), l)
		ok(t, err)
		if again, err := s.List(t.Context(), l); err != nil || again.ID != first.ID {
			t.Errorf("lot %d, then %d, %v", first.ID, again.ID, err)
		}
		l.StartTime = &future
		if a, err := s.List(t.Context(), l); !errors.Is(err, auction.ErrRequestReuse) {
			t.Errorf("lot %d, %v", a.ID, err)
		}
	}
}

func TestALotMayLastALengthFromItsStart(t *testing.T) {
	t.Parallel()
	s := setup(t)
	later := s.Now().Add(time.Hour).Truncate(time.Microsecond)
	for _, start := range []*time.Time{nil, &later} {
		id := auction.NewRequestID()
		l := auction.Listing{SellerID: s.seller.ID, RequestID: &id, Title: "Vase", MinIncrement: s.Money("1"), StartTime: start, Lasts: 36 * time.Hour}
		a, err := s.List(t.Context(), l)
		ok(t, err)
		if lasts := a.EndTime.Sub(a.StartTime); lasts != 36*time.Hour || start != nil && !a.StartTime.Equal(later) {
			t.Errorf("from %v to %v: %v", a.StartTime, a.EndTime, lasts)
		}
		if again, err := s.List(t.Context(), l); err != nil || again.ID != a.ID {
			t.Errorf("lot %d, then %d, %v", a.ID, again.ID, err)
		}
		l.Lasts += time.Hour
		if other, err := s.List(t.Context(), l); !errors.Is(err, auction.ErrRequestReuse) {
			t.Errorf("another length: lot %d, %v", other.ID, err)
		}
		l.Lasts, l.EndTime = 0, a.EndTime
		if other, err := s.List(t.Context(), l); !errors.Is(err, auction.ErrRequestReuse) {
			t.Errorf("the end instead of the length: lot %d, %v", other.ID, err)
		}
	}
}

// What an earlier version listed has no fingerprint.
func TestALotOfBeforeTheFingerprintsIsKnownAgain(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for _, length := range []time.Duration{0, time.Hour} {
		id := auction.NewRequestID()
		l := auction.Listing{SellerID: s.seller.ID, RequestID: &id, Title: "Vase", MinIncrement: s.Money("1"), Lasts: length}
		if length == 0 {
			l.EndTime = s.Now().Add(time.Hour)
		}
		a, err := s.List(t.Context(), l)
		ok(t, err)
		s.Exec(`UPDATE auction SET asked = NULL WHERE id = $1`, a.ID)
		if again, err := s.List(t.Context(), l); err != nil || again.ID != a.ID {
			t.Errorf("lot %d, then %d, %v", a.ID, again.ID, err)
		}
		l.Title = "Another vase"
		if other, err := s.List(t.Context(), l); !errors.Is(err, auction.ErrRequestReuse) {
			t.Errorf("lot %d, %v", other.ID, err)
		}
	}
}

func TestAnEditedLotIsStillTheOneThatWasListed(t *testing.T) {
	t.Parallel()
	s := setup(t)
	id := auction.NewRequestID()
	l := auction.Listing{SellerID: s.seller.ID, RequestID: &id, Title: "Vase", MinIncrement: s.Money("1"), EndTime: s.Now().Add(time.Hour)}
	var err error
	s.lot, err = s.List(t.Context(), l)
	ok(t, err)
	terms := l
	terms.Title, terms.StartingPrice = "A better vase", s.Money("20")
	s.edit(t, terms, nil)
	if a, err := s.List(t.Context(), l); err != nil || a.ID != s.lot.ID || a.Title != "A better vase" {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err := s.List(t.Context(), terms); !errors.Is(err, auction.ErrRequestReuse) {
		t.Errorf("what it was edited to was never listed: lot %d, %v", a.ID, err)
	}
}
