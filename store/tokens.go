package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"

	"github.com/jackc/pgx/v5"

	"rostrum/store/auction"
)

// tokenPrefix makes a token that was pasted somewhere easy to find.
const tokenPrefix = "rostrum_"

// MostTokens is how many API tokens a person may make for themselves.
const MostTokens = 50

// AddTokens makes an API token for each account and returns them in the same
// order. They are told this once: only their hashes are kept.
func (s *Store) AddTokens(ctx context.Context, accountIDs ...int64) ([]string, error) {
	return s.addTokens(ctx, "import", accountIDs...)
}

// AddToken makes an API token of that name for the account with this address.
// ErrNotFound where there is none.
func (s *Store) AddToken(ctx context.Context, email, name string) (string, error) {
	var id int64
	if err := s.pool.QueryRow(ctx, `SELECT id FROM account WHERE email = $1`, email).Scan(&id); err != nil {
		return "", fault("look for an account", err)
	}
	tokens, err := s.addTokens(ctx, name, id)
	if err != nil {
		return "", err
	}
	return tokens[0], nil
}

func (s *Store) addTokens(ctx context.Context, name string, accountIDs ...int64) ([]string, error) {
	tokens := make([]string, len(accountIDs))
	hashes := make([][]byte, len(accountIDs))
	for i := range accountIDs {
		tokens[i] = newToken()
		hash := hashOf(tokens[i])
		hashes[i] = hash[:]
	}
	_, err := s.pool.Exec(ctx, `
		WITH made AS (
			INSERT INTO api_token (account_id, hash, name)
			SELECT id, hash, $3 FROM unnest($1::bigint[], $2::bytea[]) AS new (id, hash)
			RETURNING account_id, name)
		INSERT INTO audit (action, subject, subject_id, detail)
		SELECT 'add-token', 'account', account_id, jsonb_build_object('token', name) FROM made`, accountIDs, hashes, name)
	return tokens, fault("add API tokens", err)
}

// MakeToken makes an API token that a person asks for and returns it this once.
// ErrSuspended while they may not, ErrTooMany where they have MostTokens.
func (s *Store) MakeToken(ctx context.Context, accountID int64, name string) (string, error) {
	token := newToken()
	hash := hashOf(token)
	var suspended bool
	var made int
	err := s.pool.QueryRow(ctx, `
		WITH made AS (
			INSERT INTO api_token (account_id, hash, name)
			SELECT p.id, $2, $3 FROM account p
			WHERE p.id = $1 AND p.suspended_at IS NULL AND (SELECT count(*) FROM api_token WHERE account_id = $1) < $4
			RETURNING 1)
		SELECT p.suspended_at IS NOT NULL, (SELECT count(*) FROM made) FROM account p WHERE p.id = $1`,
		accountID, hash[:], name, MostTokens).Scan(&suspended, &made)
	switch {
	case err != nil:
		return "", fault("make an API token", err)
	case suspended:
		return "", auction.ErrSuspended
	case made == 0:
		return "", auction.ErrTooMany
	default:
		return token, nil
	}
}

// Tokens are a person's API tokens, the newest first.
func (s *Store) Tokens(ctx context.Context, accountID int64) ([]auction.Token, error) {
	rows, _ := s.pool.Query(ctx, `SELECT id, name, created_at, last_used_at FROM api_token WHERE account_id = $1 ORDER BY id DESC`, accountID)
	tokens, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (auction.Token, error) {
		var t auction.Token
		err := row.Scan(&t.ID, &t.Name, &t.CreatedAt, &t.LastUsedAt)
		t.LastUsedAt = s.Seen.tokenUsed(t.ID, t.LastUsedAt)
		return t, err
	})
	return tokens, fault("list API tokens", err)
}

// RevokeToken ends one of a person's API tokens, for all requests after this
// returned; other instances hear of it, and may take it for a second more.
// ErrNotFound where they have no such token.
func (s *Store) RevokeToken(ctx context.Context, accountID, id int64) error {
	defer s.holders.changed()
	tag, err := s.pool.Exec(ctx, `DELETE FROM api_token WHERE id = $2 AND account_id = $1`, accountID, id)
	if err == nil && tag.RowsAffected() == 0 {
		return auction.ErrNotFound
	}
	return fault("revoke an API token", err)
}

// PersonByToken finds whose API token this is, as it was at most a second ago.
// ErrNotFound for an unknown one.
func (s *Store) PersonByToken(ctx context.Context, token string) (auction.Person, error) {
	holder, err := s.holders.of(ctx, hashOf(token))
	switch {
	case err != nil:
		return auction.Person{}, err
	case holder == nil:
		return auction.Person{}, auction.ErrNotFound
	}
	s.Seen.token(holder.tokenID, s.Now())
	return holder.person, nil
}

func newToken() string {
	secret := make([]byte, 32)
	rand.Read(secret) // never fails: crypto/rand ends the program instead
	return tokenPrefix + base64.RawURLEncoding.EncodeToString(secret)
}

func hashOf(token string) tokenHash { return sha256.Sum256([]byte(token)) }
