package store_test

import (
	"testing"
	"time"

	"rostrum/store/storetest"
)

func TestASessionIsKeptUntilItEndsOrExpires(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	sessions := h.Sessions()
	found := func(token, want string) {
		t.Helper()
		data, there, err := sessions.FindCtx(t.Context(), token)
		if err != nil || there != (want != "") || string(data) != want {
			t.Errorf("%s: %q, %v, %v; want %q", token, data, there, err, want)
		}
	}
	found("one", "")
	later := h.Now().Add(time.Hour)
	ok(t, sessions.CommitCtx(t.Context(), "one", []byte("first"), later))
	ok(t, sessions.CommitCtx(t.Context(), "two", []byte("second"), later))
	found("one", "first")
	ok(t, sessions.CommitCtx(t.Context(), "one", []byte("changed"), later))
	found("one", "changed")
	found("two", "second")
	ok(t, sessions.DeleteCtx(t.Context(), "one"))
	ok(t, sessions.DeleteCtx(t.Context(), "one"))
	found("one", "")

	ok(t, sessions.CommitCtx(t.Context(), "old", []byte("over"), h.Now().Add(-time.Minute)))
	found("old", "")
	ok(t, sessions.CommitCtx(t.Context(), "two", []byte("second"), h.Now().Add(-time.Minute)))
	found("two", "")
	ok(t, sessions.CommitCtx(t.Context(), "three", []byte("third"), later))
	if n, err := sessions.DeleteExpired(t.Context()); n != 2 || err != nil {
		t.Errorf("%d removed, %v", n, err)
	}
	found("three", "third")
	if n := value[int](t, h, `SELECT count(*) FROM session`); n != 1 {
		t.Errorf("%d sessions", n)
	}
}

func TestASessionIsReachedWithoutAContextToo(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	sessions := h.Sessions()
	ok(t, sessions.Commit("one", []byte("first"), h.Now().Add(time.Hour)))
	if data, there, err := sessions.Find("one"); err != nil || !there || string(data) != "first" {
		t.Errorf("%q, %v, %v", data, there, err)
	}
	ok(t, sessions.Delete("one"))
	if _, there, err := sessions.Find("one"); err != nil || there {
		t.Errorf("%v, %v", there, err)
	}
}
