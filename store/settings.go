package store

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"rostrum/store/auction"
)

// SetName changes a person's name. ErrSuspended while they may not.
func (s *Store) SetName(ctx context.Context, id int64, name string) error {
	return s.setting(ctx, "change a name", `UPDATE account SET name = $2 WHERE id = $1 AND suspended_at IS NULL`, id, name)
}

// SetAlias changes what others see of a person, "" to the alias that the house
// gives. ErrAliasTaken where somebody's looks the same, ErrSuspended while the
// person may not.
func (s *Store) SetAlias(ctx context.Context, id int64, alias string) error {
	return s.setting(ctx, "change an alias", `
		UPDATE account SET alias = CASE $2 WHEN '' THEN alias_of(id) ELSE $2 END, alias_key = nullif($3, '')
		WHERE id = $1 AND suspended_at IS NULL`, id, alias, auction.AliasKey(alias))
}

// SetPreferences changes the zone in which a person sees times, and whether a
// bid is shown once more before it is sent.
func (s *Store) SetPreferences(ctx context.Context, id int64, zone string, confirmBids bool) error {
	return s.setting(ctx, "change preferences", `UPDATE account SET time_zone = $2, confirm_bids = $3 WHERE id = $1`, id, zone, confirmBids)
}

// SetEmail changes the address with which a person signs in, if this is their
// password: ErrCredentials where it is not. ErrEmailTaken where the address has
// an account, ErrSuspended while the person may not.
func (s *Store) SetEmail(ctx context.Context, id int64, password, email string) error {
	hash, err := s.checkedHash(ctx, id, password)
	if err != nil {
		return err
	}
	return s.setting(ctx, "change an address", `
		UPDATE account SET email = $2 WHERE id = $1 AND password_hash = $3 AND suspended_at IS NULL`, id, email, hash)
}

// SetPassword changes a person's password, if they know the old one:
// ErrCredentials where they do not. It ends all their sign-ins but the one in
// which it was changed, which lasts anew.
func (s *Store) SetPassword(ctx context.Context, id, signInID int64, old, password string) error {
	defer s.holders.changed()
	was, err := s.checkedHash(ctx, id, old)
	if err != nil {
		return err
	}
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return fault("hash a password", err)
	}
	var changes int64
	err = s.pool.QueryRow(ctx, `
		WITH changed AS (
				UPDATE account SET password_hash = $4, password_changes = password_changes + 1
				WHERE id = $1 AND password_hash = $3 RETURNING password_changes),
			kept AS (
				UPDATE sign_in i SET password_changes = c.password_changes, expires_at = clock_timestamp() + $5::interval
				FROM changed c WHERE i.id = $2 AND i.account_id = $1),
			ended AS (DELETE FROM sign_in i USING changed WHERE i.account_id = $1 AND i.id <> $2)
		SELECT password_changes FROM changed`, id, signInID, was, hash, SignInLasts).Scan(&changes)
	if errors.Is(err, pgx.ErrNoRows) { // it was changed meanwhile
		return auction.ErrCredentials
	}
	return fault("change a password", err)
}

// checkedHash is the hash of a person's password, if this is the password.
func (s *Store) checkedHash(ctx context.Context, id int64, password string) (string, error) {
	var hash string
	err := s.pool.QueryRow(ctx, `SELECT coalesce(password_hash, '') FROM account WHERE id = $1`, id).Scan(&hash)
	if err != nil {
		return "", fault("read an account", err)
	}
	match, err := s.hasher.verify(ctx, hash, password)
	if err == nil && !match {
		return "", auction.ErrCredentials
	}
	return hash, fault("check a password", err)
}

// SetSelling switches selling on or off for a person. ErrSuspended while they
// may not, ErrNotSeller where the house has ended it, ErrOpenLots where it
// cannot be switched off yet. The row is held
// before lots are looked for, so that no listing is under way (see List).
func (s *Store) SetSelling(ctx context.Context, id int64, selling bool) error {
	defer s.holders.changed()
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		var suspended, ended bool
		if err := tx.QueryRow(ctx, `SELECT suspended_at IS NOT NULL, selling_ended FROM account WHERE id = $1 FOR UPDATE`, id).
			Scan(&suspended, &ended); err != nil {
			return err
		}
		if suspended {
			return auction.ErrSuspended
		}
		if selling && ended {
			return auction.ErrNotSeller
		}
		tag, err := tx.Exec(ctx, `UPDATE account SET seller = $2
			WHERE id = $1 AND ($2 OR NOT EXISTS (SELECT FROM auction WHERE seller_id = $1 AND status = 'OPEN'))`, id, selling)
		if err == nil && tag.RowsAffected() == 0 {
			return auction.ErrOpenLots
		}
		return err
	})
	return fault("switch selling", err)
}

// setting carries out a change that the statement itself judges. The account
// is there, as its person asks: what changed nothing was not allowed.
func (s *Store) setting(ctx context.Context, what, statement string, args ...any) error {
	defer s.holders.changed()
	tag, err := s.pool.Exec(ctx, statement, args...)
	var answer *pgconn.PgError
	switch {
	case errors.As(err, &answer) && answer.ConstraintName == "account_email_key":
		return auction.ErrEmailTaken
	case errors.As(err, &answer) && (answer.ConstraintName == "account_alias_alike" || answer.ConstraintName == "account_alias_key"):
		return auction.ErrAliasTaken
	case err == nil && tag.RowsAffected() == 0:
		return auction.ErrSuspended
	default:
		return fault(what, err)
	}
}
