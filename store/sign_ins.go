package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"rostrum/store/auction"
)

// SignInLasts is how long a person stays signed in.
const SignInLasts = 30 * 24 * time.Hour

// BeginSignIn notes that a person signed in with the password that the account
// had then, and returns the id for the session to keep. It takes the place of
// another sign-in of the same session, 0 for none.
func (s *Store) BeginSignIn(ctx context.Context, p auction.Person, agent, address string, instead int64) (id int64, err error) {
	err = s.pool.QueryRow(ctx, `
		WITH gone AS (DELETE FROM sign_in WHERE id = $6)
		INSERT INTO sign_in (account_id, password_changes, agent, address, expires_at)
		VALUES ($1, $2, $3, $4, clock_timestamp() + $5::interval) RETURNING id`,
		p.ID, p.PasswordChanges, agent, address, SignInLasts, instead).Scan(&id)
	return id, fault("note a sign-in", err)
}

// PersonBySignIn finds who signed in, in one statement. ErrNotFound where the
// sign-in was ended or the password has changed since.
func (s *Store) PersonBySignIn(ctx context.Context, id int64) (auction.Person, error) {
	var p auction.Person
	err := s.pool.QueryRow(ctx, `SELECT `+personColumns+` FROM sign_in i JOIN account p ON p.id = i.account_id
		WHERE i.id = $1 AND i.password_changes = p.password_changes`, id).Scan(personFields(&p)...)
	if err == nil {
		s.Seen.signIn(id, s.Now())
	}
	return p, fault("look for a sign-in", err)
}

// SignIns are where a person is signed in, the last seen first.
func (s *Store) SignIns(ctx context.Context, accountID int64) ([]auction.SignIn, error) {
	rows, _ := s.pool.Query(ctx, `SELECT i.id, i.agent, i.address, i.created_at, i.seen_at FROM sign_in i JOIN account p ON p.id = i.account_id
		WHERE p.id = $1 AND i.password_changes = p.password_changes AND i.expires_at > clock_timestamp()
		ORDER BY i.seen_at DESC, i.id DESC`, accountID)
	signIns, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (auction.SignIn, error) {
		var i auction.SignIn
		err := row.Scan(&i.ID, &i.Agent, &i.Address, &i.CreatedAt, &i.SeenAt)
		i.SeenAt = s.Seen.signInSeen(i.ID, i.SeenAt)
		return i, err
	})
	return signIns, fault("list sign-ins", err)
}

// EndSignIn ends one of a person's sign-ins: it counts for nothing from its
// next request on. ErrNotFound where they have no such sign-in.
func (s *Store) EndSignIn(ctx context.Context, accountID, id int64) error {
	tag, err := s.pool.Exec(ctx, `DELETE FROM sign_in WHERE id = $2 AND account_id = $1`, accountID, id)
	if err == nil && tag.RowsAffected() == 0 {
		return auction.ErrNotFound
	}
	return fault("end a sign-in", err)
}

// EndOtherSignIns ends all of a person's sign-ins but one.
func (s *Store) EndOtherSignIns(ctx context.Context, accountID, but int64) error {
	_, err := s.pool.Exec(ctx, `DELETE FROM sign_in WHERE account_id = $1 AND id <> $2`, accountID, but)
	return fault("end other sign-ins", err)
}
