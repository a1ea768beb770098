package store

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"rostrum/store/auction"
)

const personColumns = `p.id, p.email, p.name, p.alias, p.seller, p.admin, p.suspended_at IS NOT NULL,
	p.time_zone, p.confirm_bids, p.password_changes`

func personFields(p *auction.Person) []any {
	return []any{&p.ID, &p.Email, &p.Name, &p.Alias, &p.Seller, &p.Admin, &p.Suspended,
		&p.Zone, &p.ConfirmBids, &p.PasswordChanges}
}

func scanPerson(row pgx.CollectableRow) (auction.Person, error) {
	var p auction.Person
	err := row.Scan(personFields(&p)...)
	return p, err
}

// newAccount takes email, name, password hash, seller and admin. The alias is
// made of the id, which stands in newID.
const (
	newID      = `new AS (SELECT nextval(pg_get_serial_sequence('account', 'id')) AS id)`
	newAccount = `
	INSERT INTO account AS p (id, alias, email, name, password_hash, seller, admin)
	SELECT new.id, alias_of(new.id), $1, $2, $3, coalesce($4::boolean, false), coalesce($5::boolean, false) FROM new`
)

// sellingEnded says whether the house has ended a person's selling, where $4 is
// whether they may sell: who could not before can still switch it on.
const sellingEnded = `CASE WHEN $4::boolean THEN false WHEN NOT $4::boolean AND p.seller THEN true ELSE p.selling_ended END`

// Register makes an account from a checked registration. ErrEmailTaken where
// the address has one.
func (s *Store) Register(ctx context.Context, r auction.Registration) (auction.Person, error) {
	hash, err := s.hasher.hash(ctx, r.Password)
	if err != nil {
		return auction.Person{}, fault("hash a password", err)
	}
	rows, _ := s.pool.Query(ctx, `WITH `+newID+newAccount+` RETURNING `+personColumns, r.Email, r.Name, &hash, false, false)
	return added(rows)
}

// AddPerson makes an account with roles, for the house's own command line, and
// notes it in the audit log. An empty password leaves the account without one.
func (s *Store) AddPerson(ctx context.Context, p auction.Person, password string) (auction.Person, error) {
	hash, err := s.hashed(ctx, password)
	if err != nil {
		return auction.Person{}, err
	}
	rows, _ := s.pool.Query(ctx, `
		WITH before AS (SELECT * FROM account WHERE false), `+newID+`, p AS (`+newAccount+` RETURNING p.*), `+noted+`
		SELECT `+personColumns+` FROM p`, p.Email, p.Name, hash, p.Seller, p.Admin)
	return added(rows)
}

func added(rows pgx.Rows) (auction.Person, error) {
	p, err := pgx.CollectExactlyOneRow(rows, scanPerson)
	var answer *pgconn.PgError
	if errors.As(err, &answer) && answer.ConstraintName == "account_email_key" {
		return auction.Person{}, auction.ErrEmailTaken
	}
	return p, fault("make an account", err)
}

// SignIn finds the person with this address and password: ErrCredentials where
// they do not match, ErrSuspended where they do and the person is suspended.
func (s *Store) SignIn(ctx context.Context, email, password string) (auction.Person, error) {
	var p auction.Person
	var hash string
	err := s.pool.QueryRow(ctx, `SELECT `+personColumns+`, coalesce(p.password_hash, '') FROM account p WHERE p.email = $1`,
		email).Scan(append(personFields(&p), &hash)...)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return auction.Person{}, fault("look for an account", err)
	}
	match, err := s.hasher.verify(ctx, hash, password)
	switch {
	case err != nil:
		return auction.Person{}, fault("check a password", err)
	case !match:
		return auction.Person{}, auction.ErrCredentials
	case p.Suspended:
		return auction.Person{}, auction.ErrSuspended
	default:
		return p, nil
	}
}

// Person reads one account.
func (s *Store) Person(ctx context.Context, id int64) (auction.Person, error) {
	rows, _ := s.pool.Query(ctx, `SELECT `+personColumns+` FROM account p WHERE p.id = $1`, id)
	p, err := pgx.CollectExactlyOneRow(rows, scanPerson)
	return p, fault("read an account", err)
}

// PersonByEmail reads the account with this address.
func (s *Store) PersonByEmail(ctx context.Context, email string) (auction.Person, error) {
	rows, _ := s.pool.Query(ctx, `SELECT `+personColumns+` FROM account p WHERE p.email = $1`, email)
	p, err := pgx.CollectExactlyOneRow(rows, scanPerson)
	return p, fault("read an account", err)
}

// Change says what to change about an account; nil leaves a thing as it is.
type Change struct {
	Name      *string
	Password  *string
	Seller    *bool
	Admin     *bool
	Suspended *bool
}

// SetPerson changes the account with this address, for the house's own command
// line, and notes each change in the audit log. ErrNotFound where there is
// none. A suspension counts for every bid judged after this returned, and a new
// password ends the sessions that began with the old one.
func (s *Store) SetPerson(ctx context.Context, email string, c Change) (auction.Person, error) {
	defer s.holders.changed()
	var hash *string
	if c.Password != nil {
		made, err := s.hashed(ctx, *c.Password)
		if err != nil {
			return auction.Person{}, err
		}
		hash = made
	}
	rows, _ := s.pool.Query(ctx, `
		WITH before AS (SELECT * FROM account WHERE email = $1 FOR NO KEY UPDATE), p AS (
			UPDATE account AS p
			SET name = coalesce($2, p.name), password_hash = coalesce($3, p.password_hash),
				password_changes = p.password_changes + ($3 IS NOT NULL)::int,
				seller = coalesce($4::boolean, p.seller), selling_ended = `+sellingEnded+`, admin = coalesce($5::boolean, p.admin),
				suspended_at = CASE $6::boolean WHEN true THEN coalesce(p.suspended_at, clock_timestamp()) WHEN false THEN NULL ELSE p.suspended_at END
			FROM before WHERE p.id = before.id
			RETURNING p.*), `+noted+`
		SELECT `+personColumns+` FROM p`, email, c.Name, hash, c.Seller, c.Admin, c.Suspended)
	p, err := pgx.CollectExactlyOneRow(rows, scanPerson)
	return p, fault("change an account", err)
}

// Entry is one line of a list of people. A role that it does not tell stays as
// it is, and a new account has none.
type Entry struct {
	Email, Name   string
	Seller, Admin *bool
}

// Import makes the accounts of a list, or updates the name and roles of those
// that are there, all or none, notes each change in the audit log, and returns
// them in the order of the list.
func (s *Store) Import(ctx context.Context, people []Entry) ([]auction.Person, error) {
	defer s.holders.changed()
	imported := make([]auction.Person, len(people))
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		for i, p := range people {
			batch.Queue(`
				WITH before AS (SELECT * FROM account WHERE email = $1 FOR NO KEY UPDATE), `+newID+`, p AS (`+newAccount+` LEFT JOIN before ON true -- so that before is read before
					ON CONFLICT (email) DO UPDATE SET name = excluded.name, seller = coalesce($4, p.seller),
						selling_ended = `+sellingEnded+`, admin = coalesce($5, p.admin)
					RETURNING p.*), `+noted+`
				SELECT `+personColumns+` FROM p`, p.Email, p.Name, nil, p.Seller, p.Admin).
				QueryRow(func(row pgx.Row) error { return row.Scan(personFields(&imported[i])...) })
		}
		return tx.SendBatch(ctx, batch).Close()
	})
	return imported, fault("import accounts", err)
}

// hashed hashes a password, nil for an empty one.
func (s *Store) hashed(ctx context.Context, password string) (*string, error) {
	if password == "" {
		return nil, nil
	}
	hash, err := s.hasher.hash(ctx, password)
	return &hash, fault("hash a password", err)
}
