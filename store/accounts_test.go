package store_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/crypto/argon2"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/store/storetest"
)

func TestAPersonRegistersAndSignsIn(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	r := auction.Registration{Name: "Ann Müller", Email: "ann@example.com", Password: "correct horse"}
	p, err := h.Register(t.Context(), r)
	if err != nil || p.ID == 0 || p.Name != r.Name || p.Email != r.Email || p.Alias == "" || p.Seller || p.Admin || p.Suspended {
		t.Fatalf("%+v, %v", p, err)
	}
	if in, err := h.SignIn(t.Context(), r.Email, r.Password); err != nil || in != p {
		t.Errorf("%+v, %v", in, err)
	}
	if read, err := h.Store.Person(t.Context(), p.ID); err != nil || read != p {
		t.Errorf("%+v, %v", read, err)
	}
	if _, err := h.Store.Person(t.Context(), 1<<40); !errors.Is(err, auction.ErrNotFound) {
		t.Errorf("nobody: %v", err)
	}
	for _, wrong := range [][2]string{{r.Email, "correct horsf"}, {r.Email, ""}, {r.Email, "correct horse "}, {r.Email, "Correct horse"}, {"ben@example.com", r.Password}, {"", ""}} {
		if in, err := h.SignIn(t.Context(), wrong[0], wrong[1]); !errors.Is(err, auction.ErrCredentials) || in != (auction.Person{}) {
			t.Errorf("%q: %+v, %v", wrong, in, err)
		}
	}

	yes, no := true, false
	_, err = h.SetPerson(t.Context(), r.Email, store.Change{Suspended: &yes})
	ok(t, err)
	if in, err := h.SignIn(t.Context(), r.Email, r.Password); !errors.Is(err, auction.ErrSuspended) || in != (auction.Person{}) {
		t.Errorf("suspended: %+v, %v", in, err)
	}
	if _, err := h.SignIn(t.Context(), r.Email, "wrong"); !errors.Is(err, auction.ErrCredentials) {
		t.Errorf("suspended, and a wrong password, which learns nothing: %v", err)
	}
	_, err = h.SetPerson(t.Context(), r.Email, store.Change{Suspended: &no})
	ok(t, err)
	if in, err := h.SignIn(t.Context(), r.Email, r.Password); err != nil || in != p {
		t.Errorf("restored: %+v, %v", in, err)
	}
}

func TestAnAddressHasOneAccount(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	answers := make(chan error, 8)
	for i := range cap(answers) {
		go func() {
			_, err := h.Register(t.Context(), auction.Registration{Name: fmt.Sprint("Ann ", i), Email: "ann@example.com", Password: "correct horse"})
			answers <- err
		}()
	}
	made := 0
	for range cap(answers) {
		if err := receive(t, answers); err == nil {
			made++
		} else if !errors.Is(err, auction.ErrEmailTaken) {
			t.Error(err)
		}
	}
	if n := value[int](t, h, `SELECT count(*) FROM account`); made != 1 || n != 1 {
		t.Errorf("%d made, %d there", made, n)
	}
	if _, err := h.AddPerson(t.Context(), auction.Person{Name: "Ben", Email: "ann@example.com", Admin: true}, ""); !errors.Is(err, auction.ErrEmailTaken) {
		t.Errorf("on the command line: %v", err)
	}
}

func TestAPasswordIsKeptOnlyAsASaltedHash(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	var hashes []string
	for i := range 2 {
		_, err := h.Register(t.Context(), auction.Registration{Name: "Ann", Email: fmt.Sprintf("ann%d@example.com", i), Password: "correct horse"})
		ok(t, err)
		hashes = append(hashes, value[string](t, h, `SELECT password_hash FROM account WHERE email = $1`, fmt.Sprintf("ann%d@example.com", i)))
	}
	for _, hash := range hashes {
		if !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") || strings.Contains(hash, "correct") {
			t.Errorf("kept as %s", hash)
		}
	}
	if hashes[0] == hashes[1] {
		t.Error("the same password has the same hash")
	}
}

// A hash that another version made with other costs still counts.
func TestAHashCarriesItsOwnCosts(t *testing.T) {
	t.Parallel()
	s := setup(t)
	salt := []byte("some salt")
	text := base64.RawStdEncoding.EncodeToString
	s.Exec(`UPDATE account SET password_hash = $2 WHERE id = $1`, s.ann.ID,
		"$argon2id$v=19$m=64,t=3,p=2$"+text(salt)+"$"+text(argon2.IDKey([]byte("correct horse"), salt, 3, 64, 2, 32)))
	if in, err := s.SignIn(t.Context(), s.ann.Email, "correct horse"); err != nil || in != s.ann {
		t.Errorf("%+v, %v", in, err)
	}
	if _, err := s.SignIn(t.Context(), s.ann.Email, "wrong horse"); !errors.Is(err, auction.ErrCredentials) {
		t.Error(err)
	}
	s.Exec(`UPDATE account SET password_hash = '$argon2id$v=19$m=x,t=3,p=2$c2FsdA$c2FsdA' WHERE id = $1`, s.ann.ID)
	if _, err := s.SignIn(t.Context(), s.ann.Email, "correct horse"); err == nil || errors.Is(err, auction.ErrCredentials) || strings.Contains(err.Error(), "c2FsdA") {
		t.Errorf("a hash that cannot be read is the house's own fault: %v", err)
	}
}

// Whether there is an account, or one with a password, is not told by the time
// that the answer takes: each of them waits for its turn to hash.
func TestAnUnknownAddressCostsTheSameWork(t *testing.T) {
	t.Parallel()
	s := setup(t)
	release := s.OccupyHasher()
	defer release()
	for _, email := range []string{"nobody@example.com", s.ann.Email} {
		ctx, leave := context.WithCancel(t.Context())
		answers, began := make(chan error, 1), s.clock(t)
		go func() {
			_, err := s.SignIn(ctx, email, "correct horse")
			answers <- err
		}()
		storetest.Eventually(t, func() string {
			if s.count(t, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%password_hash%'
				AND state = 'idle' AND query_start > $1`, began) == 0 {
				return "the account is not looked for"
			}
			return ""
		})
		select {
		case err := <-answers:
			t.Errorf("%s is answered without hashing: %v", email, err)
			leave()
			continue
		default:
		}
		leave()
		if err := receive(t, answers); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", email, err)
		}
	}
}

func TestAnAccountWithoutAPasswordLetsNobodyIn(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for _, password := range []string{"", "correct horse"} {
		if _, err := s.SignIn(t.Context(), s.ann.Email, password); !errors.Is(err, auction.ErrCredentials) {
			t.Errorf("%q: %v", password, err)
		}
	}
	password := "correct horse"
	_, err := s.SetPerson(t.Context(), s.ann.Email, store.Change{Password: &password})
	ok(t, err)
	if in, err := s.SignIn(t.Context(), s.ann.Email, password); err != nil || in.ID != s.ann.ID {
		t.Errorf("%+v, %v", in, err)
	}
}

func TestAChangeLeavesTheRestAsItWas(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	p, err := h.AddPerson(t.Context(), auction.Person{Name: "Ann", Email: "ann@example.com", Seller: true}, "correct horse")
	ok(t, err)
	yes, no, name := true, false, "Anna"
	for _, c := range []struct {
		change store.Change
		want   func()
	}{
		{store.Change{}, func() {}},
		{store.Change{Admin: &yes}, func() { p.Admin = true }},
		{store.Change{Seller: &no}, func() { p.Seller = false }},
		{store.Change{Name: &name}, func() { p.Name = name }},
		{store.Change{Suspended: &yes}, func() { p.Suspended = true }},
		{store.Change{Seller: &yes, Admin: &no}, func() { p.Seller, p.Admin = true, false }},
		{store.Change{Suspended: &no}, func() { p.Suspended = false }},
	} {
		c.want()
		if got, err := h.SetPerson(t.Context(), "ann@example.com", c.change); err != nil || got != p {
			t.Errorf("%+v, %v; want %+v", got, err, p)
		}
	}
	if in, err := h.SignIn(t.Context(), "ann@example.com", "correct horse"); err != nil || in != p {
		t.Errorf("%+v, %v", in, err)
	}
	if _, err := h.SetPerson(t.Context(), "nobody@example.com", store.Change{Admin: &yes}); !errors.Is(err, auction.ErrNotFound) {
		t.Errorf("nobody: %v", err)
	}
}

func TestAnImportMakesAndUpdatesAccountsInTheOrderOfTheList(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	ann, err := h.Register(t.Context(), auction.Registration{Name: "Ann", Email: "ann@example.com", Password: "correct horse"})
	ok(t, err)
	yes, no := true, false
	list := []store.Entry{
		{Email: "cat@example.com", Name: "Cat", Admin: &yes},
		{Email: "ann@example.com", Name: "Anna", Seller: &yes, Admin: &no},
		{Email: "ben@example.com", Name: "Ben"},
	}
	people, err := h.Import(t.Context(), list)
	ok(t, err)
	for i, p := range people {
		if p.Email != list[i].Email || p.Name != list[i].Name || p.Seller != (list[i].Seller == &yes) || p.Admin != (list[i].Admin == &yes) || p.ID == 0 || p.Alias == "" {
			t.Errorf("%+v, want %+v", p, list[i])
		}
	}
	if people[1].ID != ann.ID || people[1].Alias != ann.Alias {
		t.Errorf("%+v was %+v", people[1], ann)
	}
	if _, err := h.SignIn(t.Context(), "ann@example.com", "correct horse"); err != nil {
		t.Errorf("the password was lost: %v", err)
	}
	again, err := h.Import(t.Context(), list)
	if err != nil || fmt.Sprint(again) != fmt.Sprint(people) {
		t.Errorf("%+v, %v; first %+v", again, err, people)
	}
	silent, err := h.Import(t.Context(), []store.Entry{{Email: "cat@example.com", Name: "Cat"}, {Email: "ann@example.com", Name: "Anna"}})
	if err != nil || !silent[0].Admin || !silent[1].Seller {
		t.Errorf("roles that a list does not tell stay: %+v, %v", silent, err)
	}
	if _, err := h.Import(t.Context(), []store.Entry{{Email: "dan@example.com", Name: "Dan"}, {Email: "eve@example.com", Name: "Eve\x00"}}); err == nil {
		t.Error("a name that cannot be kept was kept")
	}
	if n := value[int](t, h, `SELECT count(*) FROM account`); n != 3 {
		t.Errorf("%d accounts: a list is taken whole or not at all", n)
	}
	if none, err := h.Import(t.Context(), nil); err != nil || len(none) != 0 {
		t.Errorf("%v, %v", none, err)
	}
}

func TestEachPersonHasAnAliasOfTheirOwn(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	n := value[int](t, h, `SELECT count(DISTINCT alias_of(id)) FROM generate_series(1, 2000) id WHERE alias_of(id) ~ '^[A-HJ-NP-Z][0-9]+$'`)
	if n != 2000 {
		t.Errorf("%d aliases for 2000 people", n)
	}
	for _, p := range h.People(50) {
		if want := value[string](t, h, `SELECT alias_of($1)`, p.ID); p.Alias != want {
			t.Errorf("%d is %s, not %s", p.ID, p.Alias, want)
		}
	}
}
