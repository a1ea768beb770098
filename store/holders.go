package store

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"rostrum/store/auction"
)

const (
	holdersKept = time.Second // how long a change made elsewhere may go unnoticed, where its notice is lost
	mostHolders = 20_000
)

// tokenHash is one round of SHA-256: a token has 256 random bits, so there is
// nothing to guess that a slow hash would protect.
type tokenHash [sha256.Size]byte

// holders remembers for a second whose API token is whose: one that sends ten
// bids in it is looked up once. What this process changes about people or
// tokens is noticed at once, and what others change is heard by a notice.
type holders struct {
	asking *lane[tokenHash, *holder] // those who come meanwhile are looked for in one statement

	kept time.Duration

	mu    sync.Mutex
	known map[tokenHash]*lookup
}

// holder is whose token it is.
type holder struct {
	tokenID int64
	person  auction.Person
}

// lookup is a search for a holder; what it found is there once done is closed.
type lookup struct {
	asked  time.Time
	done   chan struct{}
	holder *holder // nil where nobody holds the token
	err    error
}

func newHolders(find func(int64, []tokenHash) ([]*holder, error)) *holders {
	return &holders{asking: newLane(defaultLaneQueue, find), kept: holdersKept, known: map[tokenHash]*lookup{}}
}

// of finds the holder of a token, nil where there is none.
func (h *holders) of(ctx context.Context, token tokenHash) (*holder, error) {
	l, fresh := h.lookup(token, time.Now())
	if fresh {
		l.holder, l.err = h.asking.place(0, token)
		if l.holder == nil {
			h.drop(token, l)
		}
		close(l.done)
	}
	select {
	case <-l.done:
		return l.holder, l.err
	case <-ctx.Done():
		return nil, fault("wait for the holder of an API token", ctx.Err())
	}
}

// lookup is one of the last second, or a fresh one, which the caller makes.
func (h *holders) lookup(token tokenHash, now time.Time) (l *lookup, fresh bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if l = h.known[token]; l != nil && now.Sub(l.asked) < h.kept {
		return l, false
	}
	if len(h.known) >= mostHolders {
		clear(h.known)
	}
	l = &lookup{asked: now, done: make(chan struct{})}
	h.known[token] = l
	return l, true
}

// drop forgets what found nobody: the next to ask may have more luck.
func (h *holders) drop(token tokenHash, l *lookup) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.known[token] == l {
		delete(h.known, token)
	}
}

// changed forgets everything, and is called behind each change of a person or a
// token: a look-up that began before it answers nobody who comes after it.
func (h *holders) changed() {
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.known)
}

// findHolders looks for the holders of tokens in one statement, nil for nobody.
func (s *Store) findHolders(_ int64, tokens []tokenHash) ([]*holder, error) {
	ctx, cancel := context.WithTimeout(context.Background(), feedPatience)
	defer cancel()
	hashes := make([][]byte, len(tokens))
	for i := range tokens {
		hashes[i] = tokens[i][:]
	}
	rows, _ := s.pool.Query(ctx, `SELECT `+personColumns+`, t.id, t.hash FROM api_token t JOIN account p ON p.id = t.account_id
		WHERE t.hash = ANY ($1)`, hashes)
	holders := make(map[tokenHash]*holder, len(tokens))
	var hash []byte
	_, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (struct{}, error) {
		var h holder
		err := row.Scan(append(personFields(&h.person), &h.tokenID, &hash)...)
		if err == nil {
			holders[tokenHash(hash)] = &h
		}
		return struct{}{}, err
	})
	found := make([]*holder, len(tokens))
	for i, token := range tokens { // one may be asked for twice
		found[i] = holders[token]
	}
	return found, fault("look for API tokens", err)
}
