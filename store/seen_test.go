package store_test

import (
	"errors"
	"testing"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/store/storetest"
)

// noted is when the database says that a token was last used, and a sign-in
// last seen.
func noted(t *testing.T, h *storetest.House) (token *time.Time, signIn time.Time) {
	t.Helper()
	ok(t, h.SQL.QueryRow(t.Context(), `SELECT (SELECT last_used_at FROM api_token), (SELECT seen_at FROM sign_in)`).Scan(&token, &signIn))
	return token, signIn
}

func once(t *testing.T, s *store.Store, want int) {
	t.Helper()
	if n, err := s.Seen.Once(t.Context()); n != want || err != nil {
		t.Errorf("%d written, %v; want %d", n, err, want)
	}
}

func TestWhatIsUsedIsRememberedAndWrittenLater(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	ann := h.Person(false)
	token, err := h.MakeToken(t.Context(), ann.ID, "a script")
	ok(t, err)
	id := signIn(t, h, ann)
	h.Exec(`UPDATE sign_in SET seen_at = clock_timestamp() - interval '1 hour'`)
	_, long := noted(t, h)
	once(t, h.Store, 0)
	if list, err := h.Tokens(t.Context(), ann.ID); err != nil || len(list) != 1 || list[0].Name != "a script" || list[0].LastUsedAt != nil {
		t.Errorf("%+v, %v", list, err)
	}

	for range 3 {
		_, err := h.PersonByToken(t.Context(), token)
		ok(t, err)
		_, err = h.PersonBySignIn(t.Context(), id)
		ok(t, err)
	}
	if used, seen := noted(t, h); used != nil || !seen.Equal(long) {
		t.Errorf("asking wrote %v, %v", used, seen)
	}
	tokens, err := h.Tokens(t.Context(), ann.ID)
	ok(t, err)
	signIns, err := h.SignIns(t.Context(), ann.ID)
	ok(t, err)
	if tokens[0].LastUsedAt == nil || signIns[0].SeenAt.Before(h.Now().Add(-time.Minute)) {
		t.Errorf("the lists do not tell it yet: %+v, %+v", tokens[0], signIns[0])
	}
	once(t, h.Store, 2)
	used, seen := noted(t, h)
	if used == nil || used.Before(h.Now().Add(-time.Minute)) || seen.Before(h.Now().Add(-time.Minute)) {
		t.Errorf("written were %v, %v", used, seen)
	}
	once(t, h.Store, 0)
}

func TestTheNewestInstantStaysWhoeverWritesLast(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	ann := h.Person(false)
	token, err := h.MakeToken(t.Context(), ann.ID, "a script")
	ok(t, err)
	id := signIn(t, h, ann)
	other := h.Instance()
	for _, s := range []*store.Store{other, h.Store} { // other saw them first
		_, err = s.PersonByToken(t.Context(), token)
		ok(t, err)
		_, err = s.PersonBySignIn(t.Context(), id)
		ok(t, err)
	}
	h.Exec(`UPDATE sign_in SET seen_at = clock_timestamp() + interval '1 hour'`) // as a third instance would, later
	once(t, h.Store, 2)
	used, seen := noted(t, h)
	once(t, other, 2)
	if again, seenAgain := noted(t, h); !again.Equal(*used) || !seenAgain.Equal(seen) {
		t.Errorf("%v, %v became %v, %v", used, seen, again, seenAgain)
	}
}

func TestWhatCouldNotBeWrittenIsWrittenNextTimeAndWhatIsGoneIsNot(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	ann := h.Person(false)
	kept, gone := signIn(t, h, ann), signIn(t, h, ann)
	for _, id := range []int64{kept, gone} {
		_, err := h.PersonBySignIn(t.Context(), id)
		ok(t, err)
	}
	h.Exec(`ALTER TABLE sign_in RENAME TO elsewhere`)
	if n, err := h.Seen.Once(t.Context()); err == nil || n != 0 {
		t.Errorf("%d written, %v", n, err)
	}
	h.Exec(`ALTER TABLE elsewhere RENAME TO sign_in`)
	ok(t, h.EndSignIn(t.Context(), ann.ID, gone))
	once(t, h.Store, 1)
}

func TestAPersonRevokesTheirOwnTokensOnly(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	ann, ben := h.Person(false), h.Person(false)
	token, err := h.MakeToken(t.Context(), ann.ID, "a script")
	ok(t, err)
	_, err = h.MakeToken(t.Context(), ann.ID, "another")
	ok(t, err)
	list, err := h.Tokens(t.Context(), ann.ID)
	if err != nil || len(list) != 2 || list[0].Name != "another" || list[1].Name != "a script" {
		t.Fatalf("%+v, %v", list, err)
	}
	if err := h.RevokeToken(t.Context(), ben.ID, list[1].ID); !errors.Is(err, auction.ErrNotFound) {
		t.Errorf("by Ben: %v", err)
	}
	if p, err := h.PersonByToken(t.Context(), token); err != nil || p.ID != ann.ID {
		t.Errorf("%+v, %v", p, err)
	}
	ok(t, h.RevokeToken(t.Context(), ann.ID, list[1].ID))
	if _, err := h.PersonByToken(t.Context(), token); !errors.Is(err, auction.ErrNotFound) {
		t.Errorf("revoked: %v", err)
	}
	if err := h.RevokeToken(t.Context(), ann.ID, list[1].ID); !errors.Is(err, auction.ErrNotFound) {
		t.Errorf("again: %v", err)
	}
	if list, err := h.Tokens(t.Context(), ann.ID); err != nil || len(list) != 1 || list[0].Name != "another" {
		t.Errorf("%+v, %v", list, err)
	}
	for range store.MostTokens - 1 {
		_, err := h.MakeToken(t.Context(), ann.ID, "many")
		ok(t, err)
	}
	if _, err := h.MakeToken(t.Context(), ann.ID, "one too many"); !errors.Is(err, auction.ErrTooMany) {
		t.Errorf("one too many: %v", err)
	}
}
