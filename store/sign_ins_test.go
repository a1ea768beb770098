package store_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"rostrum/store/auction"
	"rostrum/store/storetest"
)

// signIn begins a sign-in of somebody and returns its id.
func signIn(t *testing.T, h *storetest.House, p auction.Person) int64 {
	t.Helper()
	id, err := h.BeginSignIn(t.Context(), p, "Firefox", "192.0.2.1", 0)
	ok(t, err)
	return id
}

// in expects that somebody is signed in by each of these and no others.
func in(t *testing.T, h *storetest.House, p auction.Person, ids ...int64) {
	t.Helper()
	for _, id := range ids {
		if found, err := h.PersonBySignIn(t.Context(), id); err != nil || found.ID != p.ID {
			t.Errorf("sign-in %d: %+v, %v; want person %d", id, found, err, p.ID)
		}
	}
	list, err := h.SignIns(t.Context(), p.ID)
	ok(t, err)
	var listed []int64
	for _, i := range list {
		listed = append(listed, i.ID)
	}
	slices.Sort(listed)
	slices.Sort(ids)
	if !slices.Equal(listed, ids) {
		t.Errorf("sign-ins %v are listed, want %v", listed, ids)
	}
}

// out expects that nobody is signed in by these.
func out(t *testing.T, h *storetest.House, ids ...int64) {
	t.Helper()
	for _, id := range ids {
		if p, err := h.PersonBySignIn(t.Context(), id); !errors.Is(err, auction.ErrNotFound) || p != (auction.Person{}) {
			t.Errorf("sign-in %d: %+v, %v", id, p, err)
		}
	}
}

func TestASignInIsItsPersonsUntilItEnds(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	ann, ben := h.Person(false), h.Person(false)
	one, two, three, bens := signIn(t, h, ann), signIn(t, h, ann), signIn(t, h, ann), signIn(t, h, ben)
	in(t, h, ann, one, two, three)
	in(t, h, ben, bens)
	out(t, h, 0, 1<<40)
	list, err := h.SignIns(t.Context(), ben.ID)
	ok(t, err)
	if i := list[0]; i.Agent != "Firefox" || i.Address != "192.0.2.1" || i.CreatedAt.IsZero() || i.SeenAt.Before(i.CreatedAt) {
		t.Errorf("%+v", i)
	}

	for _, id := range []int64{one, bens + 1, 0} {
		if err := h.EndSignIn(t.Context(), ben.ID, id); !errors.Is(err, auction.ErrNotFound) {
			t.Errorf("ending %d, which is not Ben's: %v", id, err)
		}
	}
	ok(t, h.EndSignIn(t.Context(), ann.ID, one))
	if err := h.EndSignIn(t.Context(), ann.ID, one); !errors.Is(err, auction.ErrNotFound) {
		t.Errorf("ending it again: %v", err)
	}
	in(t, h, ann, two, three)
	out(t, h, one)
	ok(t, h.EndOtherSignIns(t.Context(), ann.ID, three))
	in(t, h, ann, three)
	in(t, h, ben, bens)
	out(t, h, two)

	again, err := h.BeginSignIn(t.Context(), ben, "Chrome", "192.0.2.2", three) // Ben signs in where Ann was
	ok(t, err)
	in(t, h, ben, bens, again)
	in(t, h, ann)
	out(t, h, three)
}

func TestANewPasswordByTheHouseEndsAllSignIns(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	ann, ben := h.Person(false), h.Person(false)
	anns, bens := signIn(t, h, ann), signIn(t, h, ben)
	changed := withPassword(t, h, ann)
	in(t, h, ann)
	in(t, h, ben, bens)
	out(t, h, anns)
	in(t, h, ann, signIn(t, h, changed))
}

func TestSignInsThatAreWorthNothingAreSweptWithTheSessions(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	ann, ben := h.Person(false), h.Person(false)
	expired, kept, stale := signIn(t, h, ann), signIn(t, h, ann), signIn(t, h, ben)
	h.Exec(`UPDATE sign_in SET expires_at = clock_timestamp() - interval '1 second' WHERE id = $1`, expired)
	withPassword(t, h, ben)
	ok(t, h.Sessions().Commit("old", []byte("over"), h.Now().Add(-time.Minute)))
	if n, err := h.Sessions().DeleteExpired(t.Context()); n != 1 || err != nil {
		t.Errorf("%d sessions removed, %v", n, err)
	}
	out(t, h, expired, stale)
	in(t, h, ann, kept)
	if n := value[int](t, h, `SELECT count(*) FROM sign_in`); n != 1 {
		t.Errorf("%d sign-ins are left", n)
	}
}
