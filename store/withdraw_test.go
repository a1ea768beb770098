package store_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"rostrum/store/auction"
)

func TestWhoMayWithdrawALotAndWhen(t *testing.T) {
	t.Parallel()
	s := setup(t)
	admin, suspended, suspendedAdmin := s.actors(t)
	for _, c := range changes {
		for _, who := range []struct {
			name    string
			person  auction.Person
			byAdmin bool
			want    error
		}{
			{"its seller", s.seller, false, c.want},
			{"another seller", s.Person(true), false, auction.ErrNotYours},
			{"a bidder", s.ann, false, auction.ErrNotYours},
			{"nobody", auction.Person{ID: 1 << 40}, false, auction.ErrNotYours},
			{"an admin as a seller", admin, false, auction.ErrNotYours},
			{"a bidder as an admin", s.ann, true, auction.ErrNotYours},
			{"its seller as an admin", s.seller, true, auction.ErrNotYours},
			{"nobody as an admin", auction.Person{ID: 1 << 40}, true, auction.ErrNotYours},
			{"an admin", admin, true, c.admin},
			{"a suspended admin", suspendedAdmin, true, auction.ErrSuspended},
			{"a suspended seller", suspended, false, auction.ErrSuspended},
		} {
			t.Run(c.name+" by "+who.name, func(t *testing.T) {
				s.lot = s.Lot(s.seller, time.Hour)
				if who.person.ID == suspended.ID {
					s.Exec(`UPDATE auction SET seller_id = $2 WHERE id = $1`, s.lot.ID, suspended.ID)
				}
				s.hold(t, c.state).run("COMMIT")
				before := s.now(t)
				a, err := s.Withdraw(t.Context(), auction.Withdrawal{AuctionID: s.lot.ID, ActorID: who.person.ID, ByAdmin: who.byAdmin, Reason: "A crack."})
				if err != who.want {
					t.Fatalf("%v, want %v", err, who.want)
				}
				after := s.now(t)
				told := s.count(t, `SELECT count(*) FROM outbox WHERE aggregate_id = $1`, s.lot.ID)
				noted := s.count(t, `SELECT count(*) FROM audit WHERE subject = 'auction' AND subject_id = $1`, s.lot.ID)
				if err != nil {
					if after.Version != before.Version || after.Status != before.Status || told != 0 || noted != 0 || a.Version != before.Version {
						t.Errorf("a refusal left something: %+v, %d events, %d notes", after, told, noted)
					}
					return
				}
				if after.Status != auction.Withdrawn || after.Version != before.Version+1 || after.ClosedAt == nil || !after.ClosedAt.Equal(a.Now) ||
					a.Version != after.Version || after.BidCount != before.BidCount {
					t.Errorf("told %+v, stands %+v", a, after)
				}
				if want := map[bool]int{true: 1}[who.byAdmin]; told != 1 || noted != want {
					t.Errorf("%d events, %d notes", told, noted)
				}
			})
		}
	}
}

func TestAWithdrawalIsToldOnceWithItsReason(t *testing.T) {
	t.Parallel()
	s := setup(t)
	admin, _, _ := s.actors(t)
	s.bid(t, s.ann, "1010", auction.Accepted)
	for range 2 {
		_, err := s.Withdraw(t.Context(), auction.Withdrawal{AuctionID: s.lot.ID, ActorID: admin.ID, ByAdmin: true, Reason: " It is not\r\nwhat it says. "})
		if err != nil && !errors.Is(err, auction.ErrWithdrawn) {
			t.Fatal(err)
		}
	}
	const why = "It is not\nwhat it says."
	events, err := s.EventsOf(t.Context(), s.lot.ID, 1<<60, 10)
	ok(t, err)
	if len(events) != 2 || events[0].Topic != auction.TopicWithdrawn || events[0].Sequence != 3 {
		t.Fatalf("%+v", events)
	}
	var payload struct {
		AuctionID, SellerID, BidCount int64
		Reason                        string
		WithdrawnAt                   time.Time
	}
	ok(t, json.Unmarshal(events[0].Payload, &payload))
	lot := s.now(t)
	if payload.AuctionID != lot.ID || payload.SellerID != s.seller.ID || payload.BidCount != 1 || payload.Reason != why || !payload.WithdrawnAt.Equal(*lot.ClosedAt) {
		t.Errorf("%s", events[0].Payload)
	}
	var action, reason, price string
	var actor, leader, bids int64
	var at time.Time
	ok(t, s.SQL.QueryRow(t.Context(), `SELECT actor_id, action, reason, created_at, detail->>'price', (detail->'leaderId')::bigint, (detail->'bidCount')::bigint
		FROM audit WHERE subject = 'auction' AND subject_id = $1`, lot.ID).Scan(&actor, &action, &reason, &at, &price, &leader, &bids))
	if actor != admin.ID || action != "withdraw" || reason != why || price != "1010.00" || leader != s.ann.ID || bids != 1 || !at.Equal(*lot.ClosedAt) {
		t.Errorf("the audit log says %d %s %q %s %d %d at %v", actor, action, reason, price, leader, bids, at)
	}
	result, err := s.Result(t.Context(), lot.ID)
	if err != nil || result.Reason != why || result.Winner != nil || result.Auction.State().Phase() != auction.CalledOff {
		t.Errorf("%+v, %v", result, err)
	}
	s.bid(t, s.ben, "1020", auction.Ended)
	if n := s.count(t, `SELECT count(*) FROM result`); n != 0 {
		t.Error("what is withdrawn has no winner, and none is kept")
	}
}

func TestAnAdminMustSayWhy(t *testing.T) {
	t.Parallel()
	s := setup(t)
	admin, _, _ := s.actors(t)
	for _, reason := range []string{"", " \n", "\u200b"} {
		var mistakes auction.Mistakes
		a, err := s.Withdraw(t.Context(), auction.Withdrawal{AuctionID: s.lot.ID, ActorID: admin.ID, ByAdmin: true, Reason: reason})
		if !errors.As(err, &mistakes) || mistakes["reason"] == "" || a.ID != s.lot.ID {
			t.Errorf("%q: %+v, %v", reason, a, err)
		}
	}
	if _, err := s.Withdraw(t.Context(), auction.Withdrawal{AuctionID: 1 << 40, ActorID: admin.ID, ByAdmin: true}); err != auction.ErrNotFound {
		t.Error(err)
	}
	if s.now(t).Status != auction.Open {
		t.Error("it was withdrawn")
	}
	_, err := s.Withdraw(t.Context(), auction.Withdrawal{AuctionID: s.lot.ID, ActorID: s.seller.ID}) // a seller need not
	ok(t, err)
}

// A running program goes on while a later one adds columns to its tables.
func TestJudgingGoesOnWhereTheTableOfLotsGrows(t *testing.T) {
	t.Parallel()
	s := setup(t)
	other := s.Lot(s.seller, time.Hour)
	work := func(amount string) {
		s.bid(t, s.ann, amount, auction.Accepted)
		s.Exec(`UPDATE auction SET start_time = start_time - interval '1 day', end_time = clock_timestamp() WHERE id = $1`, other.ID)
		if n, err := s.NewCloser(func(time.Duration) {}).Once(t.Context()); n != 1 || err != nil {
			t.Errorf("%d closed, %v", n, err)
		}
		other = s.Lot(s.seller, time.Hour)
		held := s.Lot(s.seller, time.Hour)
		s.Exec(`UPDATE auction SET start_time = start_time - interval '1 day', end_time = clock_timestamp() WHERE id = $1`, held.ID)
		if n := s.count(t, `SELECT count(*) FROM close_one($1)`, held.ID); n != 1 {
			t.Errorf("%d closed by id", n)
		}
		_, err := s.Withdraw(t.Context(), auction.Withdrawal{AuctionID: s.Lot(s.seller, time.Hour).ID, ActorID: s.seller.ID})
		ok(t, err)
	}
	for range 3 { // so that every connection may have its plans
		work(s.Currency.Text(s.now(t).MinimumBid()))
	}
	s.Exec(`ALTER TABLE auction ADD COLUMN much text NOT NULL DEFAULT '', ADD COLUMN later text GENERATED ALWAYS AS (status) STORED`)
	for range 3 {
		work(s.Currency.Text(s.now(t).MinimumBid()))
	}
}
