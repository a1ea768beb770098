package store_test

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"sync"
	"testing"

	"rostrum/store"
	"rostrum/store/auction"
)

// admin makes an account that looks after the house.
func (s *scene) admin(t *testing.T) auction.Person {
	t.Helper()
	yes := true
	p, err := s.SetPerson(t.Context(), s.Person(false).Email, store.Change{Admin: &yes})
	ok(t, err)
	return p
}

// deeds are the lines of the audit log on a person, the first one first, but
// for the making of the account.
func (s *scene) deeds(t *testing.T, p auction.Person) []auction.Deed {
	t.Helper()
	deeds, err := s.Audit(t.Context(), store.AuditQuery{About: p.ID, Before: math.MaxInt64, Limit: 100})
	ok(t, err)
	slices.Reverse(deeds)
	if len(deeds) == 0 || deeds[0].Action != auction.ActionAdd || deeds[0].Actor != nil {
		t.Fatalf("the log does not begin with the making of the account: %+v", deeds)
	}
	return deeds[1:]
}

func TestAnActIsDoneOnceAndNotedOnce(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ruth := s.admin(t)
	for _, c := range []struct {
		action auction.Action
		stands func(p store.Somebody) bool
		before string // a member of the detail
		was    any
	}{
		{auction.ActionSuspend, func(p store.Somebody) bool { return p.Suspended && p.SuspendedAt != nil }, "suspendedAt", nil},
		{auction.ActionRestore, func(p store.Somebody) bool { return !p.Suspended && p.SuspendedAt == nil }, "suspendedAt", "some"},
		{auction.ActionAllowSelling, func(p store.Somebody) bool { return p.Seller }, "seller", false},
		{auction.ActionEndSelling, func(p store.Somebody) bool { return !p.Seller }, "seller", true},
		{auction.ActionMakeAdmin, func(p store.Somebody) bool { return p.Admin }, "admin", false},
		{auction.ActionEndAdmin, func(p store.Somebody) bool { return !p.Admin }, "admin", true},
	} {
		for _, first := range []bool{true, false} {
			done, err := s.Act(t.Context(), auction.Act{ActorID: ruth.ID, PersonID: s.ann.ID, Action: c.action, Reason: "Because of " + string(c.action)})
			if err != nil || done != first {
				t.Fatalf("%s: done %v, %v; want %v", c.action, done, err, first)
			}
		}
		p, err := s.Somebody(t.Context(), s.ann.ID)
		if ok(t, err); !c.stands(p) {
			t.Errorf("after %s they are %+v", c.action, p)
		}
		deeds := s.deeds(t, s.ann)
		d := deeds[len(deeds)-1]
		var detail map[string]any
		ok(t, json.Unmarshal(d.Detail, &detail))
		was := detail[c.before]
		if text, _ := was.(string); text != "" {
			was = "some"
		}
		if d.Action != c.action || d.Reason != "Because of "+string(c.action) || d.Actor == nil || d.Actor.ID != ruth.ID ||
			d.Account == nil || d.Account.ID != s.ann.ID || d.CreatedAt.IsZero() || was != c.was {
			t.Errorf("%s is noted as %+v with %s", c.action, d, d.Detail)
		}
	}
	if n := len(s.deeds(t, s.ann)); n != 6 {
		t.Errorf("%d lines for six changes", n)
	}
	s.bid(t, s.ann, "1010", auction.Accepted) // restored
}

func TestWhoMayNotAct(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ruth, gone := s.admin(t), s.admin(t)
	s.suspend(t, gone, true)
	for _, c := range []struct {
		name          string
		actor, person int64
		action        auction.Action
		want          error
	}{
		{"a bidder", s.ben.ID, s.ann.ID, auction.ActionSuspend, auction.ErrNotAdmin},
		{"nobody", 1 << 40, s.ann.ID, auction.ActionSuspend, auction.ErrNotAdmin},
		{"a suspended admin", gone.ID, s.ann.ID, auction.ActionSuspend, auction.ErrNotAdmin},
		{"a bidder on nobody", s.ben.ID, 1 << 40, auction.ActionSuspend, auction.ErrNotAdmin},
		{"on nobody", ruth.ID, 1 << 40, auction.ActionSuspend, auction.ErrNotFound},
		{"suspending oneself", ruth.ID, ruth.ID, auction.ActionSuspend, auction.ErrOwnAccount},
		{"ending one's own role", ruth.ID, ruth.ID, auction.ActionEndAdmin, auction.ErrOwnAccount},
	} {
		lines := s.count(t, `SELECT count(*) FROM audit`)
		if done, err := s.Act(t.Context(), auction.Act{ActorID: c.actor, PersonID: c.person, Action: c.action, Reason: "x"}); done || !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v; want %v", c.name, done, err, c.want)
		}
		if after := s.count(t, `SELECT count(*) FROM audit`); after != lines {
			t.Errorf("%s: %d lines more", c.name, after-lines)
		}
	}
	if done, err := s.Act(t.Context(), auction.Act{ActorID: ruth.ID, PersonID: ruth.ID, Action: auction.ActionAllowSelling, Reason: "x"}); !done || err != nil {
		t.Error("an admin may let themselves sell:", done, err)
	}
}

// Two admins take each other's role, or suspend each other, at the same moment:
// one of them stays, whoever came first.
func TestOfTwoAdminsOneStays(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for round := range 10 {
		a, b := s.admin(t), s.admin(t)
		s.Exec(`UPDATE account SET admin = false WHERE id <> ALL ($1)`, []int64{a.ID, b.ID})
		action := []auction.Action{auction.ActionEndAdmin, auction.ActionSuspend}[round%2]
		var done [2]bool
		var errs [2]error
		var wait sync.WaitGroup
		for i, act := range []auction.Act{{ActorID: a.ID, PersonID: b.ID}, {ActorID: b.ID, PersonID: a.ID}} {
			act.Action, act.Reason = action, "x"
			wait.Go(func() { done[i], errs[i] = s.Act(t.Context(), act) })
		}
		wait.Wait()
		if done[0] == done[1] || !errors.Is(errors.Join(errs[0], errs[1]), auction.ErrNotAdmin) {
			t.Fatalf("%s: %v, %v", action, done, errs)
		}
		if n := s.count(t, `SELECT count(*) FROM account WHERE admin AND suspended_at IS NULL`); n != 1 {
			t.Fatalf("%d admins are left", n)
		}
	}
}

func TestManyWhoDoTheSameAreNotedOnce(t *testing.T) {
	t.Parallel()
	s := setup(t)
	var wait sync.WaitGroup
	for range 4 {
		admin := s.admin(t)
		for range 3 {
			wait.Go(func() {
				_, err := s.Act(t.Context(), auction.Act{ActorID: admin.ID, PersonID: s.ann.ID, Action: auction.ActionSuspend, Reason: "x"})
				if err != nil {
					t.Error(err)
				}
			})
		}
	}
	wait.Wait()
	if n := len(s.deeds(t, s.ann)); n != 1 {
		t.Errorf("%d lines for one suspension", n)
	}
}

func TestSellingThatTheHouseEndedIsNotSwitchedOnAgain(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ruth := s.admin(t)
	act := func(action auction.Action) {
		t.Helper()
		done, err := s.Act(t.Context(), auction.Act{ActorID: ruth.ID, PersonID: s.ben.ID, Action: action, Reason: "x"})
		if !done || err != nil {
			t.Fatal(action, done, err)
		}
	}
	ok(t, s.SetSelling(t.Context(), s.ben.ID, true))
	act(auction.ActionEndSelling)
	if err := s.SetSelling(t.Context(), s.ben.ID, true); !errors.Is(err, auction.ErrNotSeller) {
		t.Error("they switched it on again:", err)
	}
	act(auction.ActionAllowSelling)
	ok(t, s.SetSelling(t.Context(), s.ben.ID, false))
	ok(t, s.SetSelling(t.Context(), s.ben.ID, true))
	no := false
	_, err := s.SetPerson(t.Context(), s.ben.Email, store.Change{Seller: &no})
	ok(t, err)
	if err := s.SetSelling(t.Context(), s.ben.ID, true); !errors.Is(err, auction.ErrNotSeller) {
		t.Error("what the command line ended they switched on again:", err)
	}
}
