package store_test

import (
	"crypto/sha256"
	"errors"
	"strings"
	"testing"

	"rostrum/store/auction"
)

func TestATokenIsItsPersonsAndIsKeptOnlyAsAHash(t *testing.T) {
	t.Parallel()
	s := setup(t)
	tokens, err := s.AddTokens(t.Context(), s.ann.ID, s.ben.ID, s.ann.ID)
	ok(t, err)
	more, err := s.AddToken(t.Context(), s.seller.Email, "a script")
	ok(t, err)
	tokens = append(tokens, more)
	seen := map[string]bool{}
	for i, id := range []int64{s.ann.ID, s.ben.ID, s.ann.ID, s.seller.ID} {
		p, err := s.PersonByToken(t.Context(), tokens[i])
		if err != nil || p.ID != id || p.Email == "" || p.Alias == "" {
			t.Errorf("token %d: %+v, %v", i, p, err)
		}
		sum := sha256.Sum256([]byte(tokens[i]))
		if n := s.count(t, `SELECT count(*) FROM api_token WHERE hash = $1 AND account_id = $2`, sum[:], id); n != 1 {
			t.Errorf("token %d is kept %d times", i, n)
		}
		if len(tokens[i]) < 50 || !strings.HasPrefix(tokens[i], "rostrum_") || seen[tokens[i]] {
			t.Errorf("token %d is %s", i, tokens[i])
		}
		seen[tokens[i]] = true
		if n := s.count(t, `SELECT count(*) FROM api_token t WHERE position(convert_to($1, 'UTF8') IN t.hash) > 0 OR t::text LIKE '%' || $1 || '%'`, tokens[i]); n != 0 {
			t.Error("the token itself is in the database")
		}
	}
	if n := s.count(t, `SELECT count(*) FROM audit WHERE action = 'add-token' AND actor_id IS NULL AND subject = 'account' AND subject_id = $1 AND detail ->> 'token' = 'a script'`,
		s.seller.ID); n != 1 {
		t.Errorf("a token made by the command line is noted %d times", n)
	}
	for _, wrong := range []string{"", "rostrum_", tokens[0] + "x", strings.ToUpper(tokens[0]), strings.TrimPrefix(tokens[0], "rostrum_")} {
		if p, err := s.PersonByToken(t.Context(), wrong); !errors.Is(err, auction.ErrNotFound) || p != (auction.Person{}) {
			t.Errorf("%q: %+v, %v", wrong, p, err)
		}
	}
	if _, err := s.AddToken(t.Context(), "nobody@example.com", "a script"); !errors.Is(err, auction.ErrNotFound) {
		t.Errorf("nobody: %v", err)
	}
	s.suspend(t, s.ann, true)
	if p, err := s.PersonByToken(t.Context(), tokens[0]); err != nil || !p.Suspended {
		t.Errorf("suspended: %+v, %v", p, err)
	}
}
