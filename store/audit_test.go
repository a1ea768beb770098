package store_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
)

func TestTheCommandLineIsNotedChangeByChange(t *testing.T) {
	t.Parallel()
	s := setup(t)
	yes, no, name, password := true, false, "Another Name", "correct horse battery"
	for _, c := range []struct {
		change store.Change
		want   []string
	}{
		{store.Change{Suspended: &yes}, []string{"suspend"}},
		{store.Change{Suspended: &yes}, nil},
		{store.Change{Suspended: &no}, []string{"restore"}},
		{store.Change{Suspended: &no}, nil},
		{store.Change{Seller: &yes, Admin: &yes}, []string{"allow-selling", "make-admin"}},
		{store.Change{Seller: &yes, Admin: &yes}, nil},
		{store.Change{Seller: &no, Admin: &no}, []string{"end-selling", "end-admin"}},
		{store.Change{Name: &name}, []string{"rename"}},
		{store.Change{Name: &name}, nil},
		{store.Change{Password: &password}, []string{"set-password"}},
		{store.Change{}, nil},
	} {
		before := len(s.deeds(t, s.ann))
		_, err := s.SetPerson(t.Context(), s.ann.Email, c.change)
		ok(t, err)
		var got []string
		for _, d := range s.deeds(t, s.ann)[before:] {
			got = append(got, string(d.Action))
			if d.Actor != nil || d.Account.ID != s.ann.ID || strings.Contains(string(d.Detail), password) {
				t.Errorf("noted as %+v", d)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v is noted as %v, not %v", c.change, got, c.want)
		}
	}
}

func TestAnImportNotesWhatItChanged(t *testing.T) {
	t.Parallel()
	s := setup(t)
	yes := true
	list := []store.Entry{{Email: "new@example.com", Name: "New"}, {Email: s.ann.Email, Name: "Renamed", Seller: &yes}, {Email: s.ben.Email, Name: s.ben.Name}}
	for range 2 {
		_, err := s.Import(t.Context(), list)
		ok(t, err)
	}
	people, err := s.Store.People(t.Context(), store.PeopleQuery{Called: "new@", Before: math.MaxInt64, Limit: 2})
	if ok(t, err); len(people) != 1 || len(s.deeds(t, people[0].Person)) != 0 {
		t.Errorf("the new account: %+v", people)
	}
	var got []auction.Action
	for _, d := range s.deeds(t, s.ann) {
		got = append(got, d.Action)
	}
	if !slices.Equal(got, []auction.Action{auction.ActionRename, auction.ActionAllowSelling}) {
		t.Errorf("noted as %v", got)
	}
	if n := len(s.deeds(t, s.ben)); n != 0 {
		t.Errorf("%d lines for nothing", n)
	}
}

func TestTheAuditLogIsReadInPagesAndByWhoAndWhat(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ruth, otto := s.admin(t), s.admin(t)
	for i := range 6 {
		actor, person := ruth, s.ann
		if i%2 == 1 {
			actor, person = otto, s.ben
		}
		action := []auction.Action{auction.ActionSuspend, auction.ActionRestore}[i/2%2]
		done, err := s.Act(t.Context(), auction.Act{ActorID: actor.ID, PersonID: person.ID, Action: action, Reason: fmt.Sprint(i)})
		if !done || err != nil {
			t.Fatal(done, err)
		}
	}
	_, err := s.Withdraw(t.Context(), auction.Withdrawal{AuctionID: s.lot.ID, ActorID: ruth.ID, ByAdmin: true, Reason: "6"})
	ok(t, err)
	read := func(q store.AuditQuery) (reasons string) {
		t.Helper()
		q.Before, q.Limit = math.MaxInt64, 2
		for {
			page, err := s.Audit(t.Context(), q)
			if ok(t, err); len(page) == 0 {
				return reasons
			}
			for _, d := range page {
				reasons += d.Reason
				q.Before = d.ID
			}
		}
	}
	for _, c := range []struct {
		q    store.AuditQuery
		want string
	}{
		{store.AuditQuery{}, "6543210"},
		{store.AuditQuery{By: ruth.ID}, "6420"},
		{store.AuditQuery{By: otto.ID}, "531"},
		{store.AuditQuery{About: s.ann.ID}, "420"},
		{store.AuditQuery{By: otto.ID, About: s.ann.ID}, ""},
		{store.AuditQuery{AboutLot: s.lot.ID}, "6"},
		{store.AuditQuery{ByCommandLine: true}, ""},
	} {
		if got := read(c.q); got != c.want {
			t.Errorf("%+v: %q, not %q", c.q, got, c.want)
		}
	}
	lines, err := s.Audit(t.Context(), store.AuditQuery{AboutLot: s.lot.ID, Before: math.MaxInt64, Limit: 1})
	if ok(t, err); lines[0].LotTitle != s.lot.Title || lines[0].LotID != s.lot.ID || lines[0].Account != nil || lines[0].Actor.Name != ruth.Name {
		t.Errorf("%+v", lines[0])
	}
}

func TestTheAuditLogIsNeverChanged(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for _, statement := range []string{`UPDATE audit SET reason = ''`, `DELETE FROM audit`, `TRUNCATE audit`} {
		if _, err := s.SQL.Exec(t.Context(), statement); err == nil {
			t.Error(statement, "went through")
		}
	}
}

// The oldest events of a lot are found behind any number of others, topic by
// topic, in one order.
func TestALotsEventsAreReadInPages(t *testing.T) {
	t.Parallel()
	s := setup(t)
	other := s.Lot(s.seller, time.Hour)
	for i := range 5 {
		s.bid(t, s.ann, fmt.Sprint(1010+10*i), auction.Accepted)
		s.place(t, s.Offer(other, s.ben, fmt.Sprint(1010+10*i)), auction.Accepted)
	}
	ruth := s.admin(t)
	_, err := s.Withdraw(t.Context(), auction.Withdrawal{AuctionID: s.lot.ID, ActorID: ruth.ID, ByAdmin: true, Reason: "x"})
	ok(t, err)
	var sequences []int64
	for before := int64(math.MaxInt64); ; {
		page, err := s.EventsOf(t.Context(), s.lot.ID, before, 2)
		if ok(t, err); len(page) == 0 {
			break
		}
		for _, e := range page {
			if e.AggregateID != s.lot.ID || e.ID >= before {
				t.Errorf("%+v", e)
			}
			sequences, before = append(sequences, e.Sequence), e.ID
		}
	}
	if !slices.Equal(sequences, []int64{7, 6, 5, 4, 3, 2}) {
		t.Errorf("read %v", sequences)
	}
}
