package store

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
)

// Sessions keeps the sessions of scs (scs.CtxStore) in the table session.
type Sessions struct{ store *Store }

// Sessions is where the web sessions are kept.
func (s *Store) Sessions() *Sessions { return &Sessions{s} }

// FindCtx reads the data of a session that has not expired.
func (s *Sessions) FindCtx(ctx context.Context, token string) (data []byte, found bool, err error) {
	err = s.store.pool.QueryRow(ctx, `SELECT data FROM session WHERE token = $1 AND expiry > now()`, token).Scan(&data)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, false, nil
	}
	return data, err == nil, fault("read a session", err)
}

// CommitCtx writes a session.
func (s *Sessions) CommitCtx(ctx context.Context, token string, data []byte, expiry time.Time) error {
	_, err := s.store.pool.Exec(ctx, `INSERT INTO session (token, data, expiry) VALUES ($1, $2, $3)
		ON CONFLICT (token) DO UPDATE SET data = excluded.data, expiry = excluded.expiry`, token, data, expiry)
	return fault("write a session", err)
}

// DeleteCtx ends a session; one that is not there is no error.
func (s *Sessions) DeleteCtx(ctx context.Context, token string) error {
	_, err := s.store.pool.Exec(ctx, `DELETE FROM session WHERE token = $1`, token)
	return fault("end a session", err)
}

// DeleteExpired removes the sessions and the sign-ins that are worth nothing
// any more, and counts the sessions.
func (s *Sessions) DeleteExpired(ctx context.Context) (int, error) {
	var n int
	err := s.store.pool.QueryRow(ctx, `
		WITH sessions AS (DELETE FROM session WHERE expiry < now() RETURNING 1),
			sign_ins AS (DELETE FROM sign_in WHERE expires_at < now()),
			stale AS (DELETE FROM sign_in i USING account p WHERE p.id = i.account_id AND i.password_changes <> p.password_changes AND i.expires_at >= now())
		SELECT count(*) FROM sessions`).Scan(&n)
	return n, fault("remove expired sessions", err)
}

// Find, Commit and Delete are what scs calls of a store without contexts; it
// calls them for none with contexts, but asks that they are there.

// Find reads the data of a session that has not expired.
func (s *Sessions) Find(token string) ([]byte, bool, error) {
	return s.FindCtx(context.Background(), token)
}

// Commit writes a session.
func (s *Sessions) Commit(token string, data []byte, expiry time.Time) error {
	return s.CommitCtx(context.Background(), token, data, expiry)
}

// Delete ends a session.
func (s *Sessions) Delete(token string) error { return s.DeleteCtx(context.Background(), token) }
