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

// AddTokens makes an API token for each account and returns them in the same
// order. They are told this once: only their hashes are kept.
func (s *Store) AddTokens(ctx context.Context, accountIDs ...int64) ([]string, error) {
	tokens := make([]string, len(accountIDs))
	hashes := make([][]byte, len(accountIDs))
	for i := range accountIDs {
		secret := make([]byte, 32)
		rand.Read(secret) // never fails: crypto/rand ends the program instead
		tokens[i] = tokenPrefix + base64.RawURLEncoding.EncodeToString(secret)
		hashes[i] = tokenHash(tokens[i])
	}
	_, err := s.pool.Exec(ctx, `INSERT INTO api_token (account_id, hash)
		SELECT * FROM unnest($1::bigint[], $2::bytea[])`, accountIDs, hashes)
	return tokens, fault("add API tokens", err)
}

// AddToken makes an API token for the account with this address. ErrNotFound
// where there is none.
func (s *Store) AddToken(ctx context.Context, email string) (string, error) {
	var id int64
	if err := s.pool.QueryRow(ctx, `SELECT id FROM account WHERE email = $1`, email).Scan(&id); err != nil {
		return "", fault("look for an account", err)
	}
	tokens, err := s.AddTokens(ctx, id)
	if err != nil {
		return "", err
	}
	return tokens[0], nil
}

// PersonByToken finds whose API token this is. ErrNotFound for an unknown one.
func (s *Store) PersonByToken(ctx context.Context, token string) (auction.Person, error) {
	rows, _ := s.pool.Query(ctx, `SELECT `+personColumns+` FROM api_token t JOIN account p ON p.id = t.account_id
		WHERE t.hash = $1`, tokenHash(token))
	p, err := pgx.CollectExactlyOneRow(rows, scanPerson)
	return p, fault("look for an API token", err)
}

// tokenHash is one round of SHA-256: a token has 256 random bits, so there is
// nothing to guess that a slow hash would protect.
func tokenHash(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}
