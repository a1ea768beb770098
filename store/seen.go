package store

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// mostSeen bounds what is remembered between two writes. Who is beyond it is
// seen at their next request after the write.
const mostSeen = 20_000

// Seen remembers which sign-ins and API tokens were used until Once writes it:
// a request that only reads leaves the database as it is.
type Seen struct {
	pool *pgxpool.Pool

	mu      sync.Mutex
	signIns map[int64]time.Time
	tokens  map[int64]time.Time
}

func newSeen(pool *pgxpool.Pool) *Seen {
	return &Seen{pool: pool, signIns: map[int64]time.Time{}, tokens: map[int64]time.Time{}}
}

func (s *Seen) signIn(id int64, at time.Time) { s.note(s.signIns, id, at) }
func (s *Seen) token(id int64, at time.Time)  { s.note(s.tokens, id, at) }

func (s *Seen) note(in map[int64]time.Time, id int64, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last, known := in[id]; at.After(last) && (known || len(in) < mostSeen) {
		in[id] = at
	}
}

// Once writes what was seen since the last time, in one statement, and counts
// it. What could not be written is kept for the next time. Instances may write
// at the same time: the rows are locked in the order of their ids, and the
// newest instant stays.
func (s *Seen) Once(ctx context.Context) (n int, err error) {
	signIns, tokens := s.take()
	if len(signIns)+len(tokens) == 0 {
		return 0, nil
	}
	signInIDs, signInTimes := instants(signIns)
	tokenIDs, tokenTimes := instants(tokens)
	err = s.pool.QueryRow(ctx, `
		WITH sign_ins AS MATERIALIZED (SELECT id FROM sign_in WHERE id = ANY ($1::bigint[]) ORDER BY id FOR NO KEY UPDATE),
			tokens AS MATERIALIZED (SELECT id FROM api_token WHERE id = ANY ($3::bigint[]) ORDER BY id FOR NO KEY UPDATE),
			seen AS (
				UPDATE sign_in i SET seen_at = greatest(i.seen_at, s.at)
				FROM unnest($1::bigint[], $2::timestamptz[]) AS s (id, at), sign_ins l WHERE i.id = s.id AND i.id = l.id RETURNING i.id),
			used AS (
				UPDATE api_token t SET last_used_at = greatest(t.last_used_at, s.at)
				FROM unnest($3::bigint[], $4::timestamptz[]) AS s (id, at), tokens l WHERE t.id = s.id AND t.id = l.id RETURNING t.id)
		SELECT (SELECT count(*) FROM seen) + (SELECT count(*) FROM used)`,
		signInIDs, signInTimes, tokenIDs, tokenTimes).Scan(&n)
	if err != nil {
		s.giveBack(signIns, tokens)
	}
	return n, fault("write who was seen", err)
}

func (s *Seen) take() (signIns, tokens map[int64]time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	signIns, tokens = s.signIns, s.tokens
	s.signIns, s.tokens = map[int64]time.Time{}, map[int64]time.Time{}
	return signIns, tokens
}

func (s *Seen) giveBack(signIns, tokens map[int64]time.Time) {
	for id, at := range signIns {
		s.signIn(id, at)
	}
	for id, at := range tokens {
		s.token(id, at)
	}
}

// signInSeen is when a sign-in was last seen: the later of what the database
// says and what it was not told yet.
func (s *Seen) signInSeen(id int64, kept time.Time) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := s.signIns[id]; at.After(kept) {
		return at
	}
	return kept
}

// tokenUsed is when a token was last used, in the same way; nil for never.
func (s *Seen) tokenUsed(id int64, kept *time.Time) *time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at, used := s.tokens[id]; used && (kept == nil || at.After(*kept)) {
		return &at
	}
	return kept
}

func instants(seen map[int64]time.Time) (ids []int64, times []time.Time) {
	ids = slices.Collect(maps.Keys(seen))
	for _, id := range ids {
		times = append(times, seen[id])
	}
	return ids, times
}
