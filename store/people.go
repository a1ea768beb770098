package store

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"rostrum/store/auction"
)

// Kind narrows a list of people.
type Kind string

// The kinds of people. Everybody is all of them.
const (
	Everybody       Kind = ""
	Sellers         Kind = "sellers"
	Admins          Kind = "admins"
	SuspendedPeople Kind = "suspended"
)

// kinds are the conditions, each with an index of its own.
var kinds = map[Kind]string{
	Everybody: ``, Sellers: ` AND p.seller`, Admins: ` AND p.admin`, SuspendedPeople: ` AND p.suspended_at IS NOT NULL`,
}

// PeopleQuery says which people to list, the newest account first.
type PeopleQuery struct {
	Called string // how the name, alias or e-mail address begins; "" finds everybody
	Kind   Kind
	Before int64 // ids below it; math.MaxInt64 to begin with the newest
	Limit  int
}

// Listing of people: what is looked at to find them.
const (
	fewPeople  = 1000 // found by their names first; more are met soon enough on the way through all
	mostCalled = 50   // people whose lots are looked for
)

// Somebody is an account as admins see it.
type Somebody struct {
	auction.Person
	SuspendedAt *time.Time
	CreatedAt   time.Time
}

const somebody = `SELECT ` + personColumns + `, p.suspended_at, p.created_at FROM account p `

func scanSomebody(row pgx.CollectableRow) (Somebody, error) {
	var p Somebody
	err := row.Scan(append(personFields(&p.Person), &p.SuspendedAt, &p.CreatedAt)...)
	return p, err
}

// People lists accounts.
func (s *Store) People(ctx context.Context, q PeopleQuery) ([]Somebody, error) {
	statement := somebody + `WHERE p.id < $1` + kinds[q.Kind]
	arguments := []any{q.Before, q.Limit}
	if q.Called != "" {
		ids, err := s.called(ctx, q.Called, fewPeople)
		if err != nil {
			return nil, err
		}
		if len(ids) < fewPeople {
			statement, arguments = statement+` AND p.id = ANY ($3)`, append(arguments, ids)
		} else {
			statement += ` AND (starts_with(lower(p.name), $3) OR starts_with(lower(p.alias), $3) OR starts_with(p.email, $3))`
			arguments = append(arguments, strings.ToLower(q.Called))
		}
	}
	people, err := collect(ctx, s, scanSomebody, statement+` ORDER BY p.id DESC LIMIT $2`, arguments...)
	return people, fault("list people", err)
}

// Somebody reads one account with what admins see of it.
func (s *Store) Somebody(ctx context.Context, id int64) (Somebody, error) {
	rows, _ := s.pool.Query(ctx, somebody+`WHERE p.id = $1`, id)
	p, err := pgx.CollectExactlyOneRow(rows, scanSomebody)
	return p, fault("read an account", err)
}

// Exactly finds the one account with this alias or e-mail address.
// auction.ErrNoMatch where there is none.
func (s *Store) Exactly(ctx context.Context, called string) (int64, error) {
	called = strings.ToLower(called)
	var id int64
	err := s.pool.QueryRow(ctx, `
		SELECT id FROM account WHERE email = $1
		UNION ALL
		SELECT id FROM account WHERE lower(alias) ~>=~ $1 AND lower(alias) ~<=~ $1
		LIMIT 1`, called).Scan(&id)
	if err = fault("look for a person", err); errors.Is(err, auction.ErrNotFound) {
		return 0, auction.ErrNoMatch
	}
	return id, err
}

// called finds people by the beginning of name, alias or e-mail address: at
// most `most` of them, in no order. Each is a range of an index; LIKE with a
// parameter would read the whole table once its plan is a generic one.
func (s *Store) called(ctx context.Context, prefix string, most int) ([]int64, error) {
	prefix = strings.ToLower(prefix)
	behind := prefix + string(utf8.MaxRune) // behind all that begin so: no character sorts after the last
	ids, err := collect(ctx, s, pgx.RowTo[int64], `
		SELECT id FROM (
			(SELECT id FROM account WHERE lower(alias) ~>=~ $1 AND lower(alias) ~<~ $2 LIMIT $3)
			UNION
			(SELECT id FROM account WHERE email ~>=~ $1 AND email ~<~ $2 LIMIT $3)
			UNION
			(SELECT id FROM account WHERE lower(name) ~>=~ $1 AND lower(name) ~<~ $2 LIMIT $3)
		) found LIMIT $3`, prefix, behind, most)
	return ids, fault("look for people", err)
}
