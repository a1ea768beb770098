package store_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/store/storetest"
)

const secret = "correct horse"

// withPassword gives somebody a password and returns them as they are then.
func withPassword(t *testing.T, h *storetest.House, p auction.Person) auction.Person {
	t.Helper()
	password := secret
	p, err := h.SetPerson(t.Context(), p.Email, store.Change{Password: &password})
	ok(t, err)
	return p
}

func TestASettingChangesItsPersonAndNobodyElse(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	ann, ben := withPassword(t, h, h.Person(false)), withPassword(t, h, h.Person(false))
	for _, c := range []struct {
		what string
		set  func() error
		want func()
	}{
		{"name", func() error { return h.SetName(t.Context(), ann.ID, "Anna") }, func() { ann.Name = "Anna" }},
		{"alias", func() error { return h.SetAlias(t.Context(), ann.ID, "Red Fox") }, func() { ann.Alias = "Red Fox" }},
		{"zone", func() error { return h.SetPreferences(t.Context(), ann.ID, "Europe/Vienna", false) }, func() { ann.Zone, ann.ConfirmBids = "Europe/Vienna", false }},
		{"confirm", func() error { return h.SetPreferences(t.Context(), ann.ID, "", true) }, func() { ann.Zone, ann.ConfirmBids = "", true }},
		{"email", func() error { return h.SetEmail(t.Context(), ann.ID, secret, "anna@example.com") }, func() { ann.Email = "anna@example.com" }},
		{"selling on", func() error { return h.SetSelling(t.Context(), ann.ID, true) }, func() { ann.Seller = true }},
		{"selling off", func() error { return h.SetSelling(t.Context(), ann.ID, false) }, func() { ann.Seller = false }},
		{"alias of the house", func() error { return h.SetAlias(t.Context(), ann.ID, "") }, func() { ann.Alias = value[string](t, h, `SELECT alias_of($1)`, ann.ID) }},
	} {
		if err := c.set(); err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
		c.want()
		for _, want := range []auction.Person{ann, ben} {
			if p, err := h.Store.Person(t.Context(), want.ID); err != nil || p != want {
				t.Errorf("%s: %+v, %v; want %+v", c.what, p, err, want)
			}
		}
	}
}

func TestAnAliasThatLooksLikeAnothersIsTaken(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	people := h.People(9)
	ok(t, h.SetAlias(t.Context(), people[0].ID, "Red Fox"))
	ok(t, h.SetAlias(t.Context(), people[0].ID, "Red-Fox")) // their own
	for _, alike := range []string{"Red Fox", "RED FOX", "redf0x", people[0].Alias, people[2].Alias, "Red-Fox"} {
		err := h.SetAlias(t.Context(), people[1].ID, alike)
		if free := alike == people[0].Alias; free != (err == nil) || !free && !errors.Is(err, auction.ErrAliasTaken) {
			t.Errorf("%q: %v", alike, err)
		}
	}
	ok(t, h.SetAlias(t.Context(), people[1].ID, ""))

	answers := make(chan error, len(people)-1)
	for _, p := range people[1:] {
		go func() { answers <- h.SetAlias(t.Context(), p.ID, "Blue Hare") }()
	}
	taken := 0
	for range cap(answers) {
		if err := receive(t, answers); errors.Is(err, auction.ErrAliasTaken) {
			taken++
		} else if err != nil {
			t.Error(err)
		}
	}
	if taken != cap(answers)-1 {
		t.Errorf("%d of %d were told that it is taken", taken, cap(answers))
	}
}

func TestAnAddressChangesOnlyWithThePassword(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	ann, ben, none := withPassword(t, h, h.Person(false)), h.Person(false), h.Person(false)
	for _, c := range []struct {
		what, password, email string
		id                    int64
		want                  error
	}{
		{"a wrong password", "correct horsf", "anna@example.com", ann.ID, auction.ErrCredentials},
		{"a wrong password and a taken address", "", ben.Email, ann.ID, auction.ErrCredentials},
		{"a taken address", secret, ben.Email, ann.ID, auction.ErrEmailTaken},
		{"nobody", secret, "x@example.com", 1 << 40, auction.ErrNotFound},
		{"no password to know", "", "x@example.com", none.ID, auction.ErrCredentials},
		{"their own again", secret, ann.Email, ann.ID, nil},
		{"another", secret, "anna@example.com", ann.ID, nil},
	} {
		if err := h.SetEmail(t.Context(), c.id, c.password, c.email); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.what, err, c.want)
		}
	}
	if in, err := h.SignIn(t.Context(), "anna@example.com", secret); err != nil || in.ID != ann.ID {
		t.Errorf("the new address: %+v, %v", in, err)
	}
	if _, err := h.SignIn(t.Context(), ann.Email, secret); !errors.Is(err, auction.ErrCredentials) {
		t.Errorf("the old address: %v", err)
	}
}

func TestANewPasswordLeavesOneSignInAndAllTokens(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	ann, ben := withPassword(t, h, h.Person(false)), withPassword(t, h, h.Person(false))
	this, there, bens := signIn(t, h, ann), signIn(t, h, ann), signIn(t, h, ben)
	token, err := h.MakeToken(t.Context(), ann.ID, "a script")
	ok(t, err)
	if err := h.SetPassword(t.Context(), ann.ID, this, "wrong", "a new password"); !errors.Is(err, auction.ErrCredentials) {
		t.Errorf("a wrong password: %v", err)
	}
	in(t, h, ann, this, there)
	ok(t, h.SetPassword(t.Context(), ann.ID, this, secret, "a new password"))
	in(t, h, ann, this)
	in(t, h, ben, bens)
	out(t, h, there)
	if n := value[int](t, h, `SELECT count(*) FROM sign_in WHERE account_id = $1`, ann.ID); n != 1 {
		t.Errorf("%d sign-ins are kept", n)
	}
	if p, err := h.PersonByToken(t.Context(), token); err != nil || p.ID != ann.ID {
		t.Errorf("the token: %+v, %v", p, err)
	}
	if _, err := h.SignIn(t.Context(), ann.Email, secret); !errors.Is(err, auction.ErrCredentials) {
		t.Errorf("the old password: %v", err)
	}
	if p, err := h.SignIn(t.Context(), ann.Email, "a new password"); err != nil || p.ID != ann.ID {
		t.Errorf("the new password: %+v, %v", p, err)
	}
	late, err := h.BeginSignIn(t.Context(), ann, "", "", 0) // its password was checked before the change
	ok(t, err)
	out(t, h, late)
}

func TestOfTwoChangesOfAPasswordFromTheSameOneOneHolds(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	ann := withPassword(t, h, h.Person(false))
	answers := make(chan error, 4)
	for i := range cap(answers) {
		go func() { answers <- h.SetPassword(t.Context(), ann.ID, 0, secret, fmt.Sprint("a new password ", i)) }()
	}
	held := 0
	for range cap(answers) {
		if err := receive(t, answers); err == nil {
			held++
		} else if !errors.Is(err, auction.ErrCredentials) {
			t.Error(err)
		}
	}
	if held != 1 {
		t.Errorf("%d changes held", held)
	}
}

func TestSellingIsSwitchedOffOnlyWithoutOpenLots(t *testing.T) {
	t.Parallel()
	s := setup(t)
	if err := s.SetSelling(t.Context(), s.seller.ID, false); !errors.Is(err, auction.ErrOpenLots) {
		t.Errorf("with an open lot: %v", err)
	}
	ok(t, s.SetSelling(t.Context(), s.seller.ID, true)) // it is on
	s.Exec(`UPDATE auction SET status = 'WITHDRAWN', closed_at = clock_timestamp() WHERE id = $1`, s.lot.ID)
	ok(t, s.SetSelling(t.Context(), s.seller.ID, false))
	if p, err := s.Store.Person(t.Context(), s.seller.ID); err != nil || p.Seller {
		t.Errorf("%+v, %v", p, err)
	}
}

// A listing that comes while selling is being switched off waits, and is then
// refused; one that was under way before keeps it from being switched off.
func TestAListingAndSwitchingSellingOffDoNotMissEachOther(t *testing.T) {
	t.Parallel()
	s := setup(t)
	sue := s.Person(true)
	h := s.hold(t, fmt.Sprintf(`SELECT 1 FROM account WHERE id = %[1]d FOR UPDATE; UPDATE account SET seller = false WHERE id = %[1]d`, sue.ID))
	listed := make(chan error, 1)
	go func() {
		_, err := s.List(t.Context(), auction.Listing{SellerID: sue.ID, Title: "Vase", MinIncrement: s.Money("1"), EndTime: s.Now().Add(time.Hour)})
		listed <- err
	}()
	s.waitingFor(t, h)
	h.run(`COMMIT`)
	if err := receive(t, listed); !errors.Is(err, auction.ErrNotSeller) {
		t.Errorf("listing: %v", err)
	}

	ok(t, s.SetSelling(t.Context(), sue.ID, true))
	h = s.hold(t, fmt.Sprintf(`INSERT INTO auction (seller_id, title, description, starting_price, current_price, min_increment, start_time, end_time, soft_close)
		SELECT %d, title, description, starting_price, starting_price, min_increment, start_time, end_time, soft_close FROM auction WHERE id = %d`, sue.ID, s.lot.ID))
	switched := make(chan error, 1)
	go func() { switched <- s.SetSelling(t.Context(), sue.ID, false) }()
	s.waitingFor(t, h)
	h.run(`COMMIT`)
	if err := receive(t, switched); !errors.Is(err, auction.ErrOpenLots) {
		t.Errorf("switching off: %v", err)
	}
}

func TestASuspendedPersonChangesNothingThatOthersSee(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ann := withPassword(t, s.House, s.ann)
	s.suspend(t, ann, true)
	before, err := s.Store.Person(t.Context(), ann.ID)
	ok(t, err)
	_, making := s.MakeToken(t.Context(), ann.ID, "a script")
	for what, err := range map[string]error{
		"name": s.SetName(t.Context(), ann.ID, "Anna"), "alias": s.SetAlias(t.Context(), ann.ID, "Red Fox"),
		"address": s.SetEmail(t.Context(), ann.ID, secret, "anna@example.com"), "token": making,
		"selling on": s.SetSelling(t.Context(), ann.ID, true), "selling off": s.SetSelling(t.Context(), ann.ID, false),
	} {
		if !errors.Is(err, auction.ErrSuspended) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if p, err := s.Store.Person(t.Context(), ann.ID); err != nil || p != before {
		t.Errorf("%+v, %v; was %+v", p, err, before)
	}
	ok(t, s.SetPassword(t.Context(), ann.ID, 0, secret, "a new password"))
	ok(t, s.SetPreferences(t.Context(), ann.ID, "UTC", false))
}
