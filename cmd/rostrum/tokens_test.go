package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

func TestATokenIsNamedOnTheCommandLine(t *testing.T) {
	t.Parallel()
	s := shell{t, t.TempDir()}
	s.succeeds("", "user", "add", "--email", "ann@example.com", "--name", "Ann")
	for _, args := range [][]string{nil, {"--name", " Bidding robot "}} {
		if token := s.succeeds("", append([]string{"token", "add", "--email", "ann@example.com"}, args...)...); !strings.HasPrefix(token, "rostrum_") {
			t.Errorf("%v: %q", args, token)
		}
	}
	for _, name := range []string{" ", "two\nlines", strings.Repeat("n", 61)} {
		if _, complaint, code := s.run("", "token", "add", "--email", "ann@example.com", "--name", name); code != 2 || !strings.Contains(complaint, "the token's name cannot be used") {
			t.Errorf("%q: exit %d, %q", name, code, complaint)
		}
	}
}

// What a house saw in its last minute is written when it closes.
func TestWhoWasSeenIsWrittenWhenTheHouseCloses(t *testing.T) {
	t.Parallel()
	h := open(t, time.Second)
	ann := h.add("Ann Bidder")
	used := func() (name string, last *time.Time) {
		t.Helper()
		db, err := pgx.Connect(t.Context(), h.run("", "db", "url"))
		must(t, err)
		defer db.Close(t.Context())
		must(t, db.QueryRow(t.Context(), `SELECT name, last_used_at FROM api_token`).Scan(&name, &last))
		return name, last
	}
	if status := h.answers(ann.token); status != http.StatusOK {
		t.Fatalf("the token is answered %d", status)
	}
	h.stop() // long before the minute is over
	h.start()
	if name, last := used(); name != "command line" || last == nil {
		t.Errorf("%q was last used %v", name, last)
	}
}
