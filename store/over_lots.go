package store

import (
	"context"
	"fmt"
	"math"
	"time"

	"rostrum/store/auction"
)

// OverQuery says which lots that are over to list, the latest first by when
// they closed or were withdrawn.
type OverQuery struct {
	Phase auction.Phase // Sold, Unsold or CalledOff; "" for all
	Lot   int64         // the one with this number; 0: any

	Called string     // how the seller's or winner's name, alias or e-mail address begins
	From   *time.Time // over at this instant or later
	To     *time.Time // over before this instant
	After  *Place     // nil: from the beginning
	Limit  int
}

// Over is the place behind the lot in a list of lots that are over.
func (o Overseen) Over() Place { return Place{Micros: o.ClosedAt.UnixMicro(), ID: o.ID} }

// OverLots lists lots that are over. auction.ErrNoMatch where nobody is called
// so, ErrManyMatch where too many are.
func (s *Store) OverLots(ctx context.Context, q OverQuery) ([]Overseen, error) {
	found := overSearch{query: q}
	if q.Called != "" {
		people, err := s.called(ctx, q.Called, mostCalled+1)
		switch {
		case err != nil:
			return nil, err
		case len(people) == 0:
			return nil, auction.ErrNoMatch
		case len(people) > mostCalled:
			return nil, auction.ErrManyMatch
		}
		found.people = people
	}
	lots, err := collect(ctx, s, scanOverseen, `
		WITH page AS MATERIALIZED (`+found.statement()+`)
		SELECT `+overseenColumns+`, 0
		FROM page JOIN auction a ON a.id = page.id`+overseenJoins+`
		ORDER BY page.closed_at DESC, page.id DESC`, found.arguments...)
	return lots, fault("list lots that are over", err)
}

// overSearch writes the statement that finds the ids of a page. Each kind of
// search walks an index in the list's order, so that a page costs the same
// wherever it lies.
type overSearch struct {
	query     OverQuery
	people    []int64
	arguments []any
}

// is is the argument's place in the statement.
func (f *overSearch) is(argument any) string {
	f.arguments = append(f.arguments, argument)
	return fmt.Sprintf("$%d", len(f.arguments))
}

func (f *overSearch) statement() string {
	limit := ` ORDER BY closed_at DESC, id DESC LIMIT ` + f.is(f.query.Limit)
	behind := f.behind("a.closed_at", "a.id")
	if f.query.Lot != 0 {
		behind += ` AND a.id = ` + f.is(f.query.Lot)
	}
	if f.people != nil {
		return f.ofPeople(behind, limit)
	}
	if f.query.Phase != "" {
		behind += ` AND a.outcome = ` + f.is(string(f.query.Phase))
	}
	return `SELECT a.id, a.closed_at FROM auction a WHERE a.status <> 'OPEN'` + behind + limit
}

// ofPeople finds the lots that these people sold or won, person by person.
func (f *overSearch) ofPeople(behind, limit string) string {
	phases := []string{string(f.query.Phase)}
	if f.query.Phase == "" {
		phases = []string{string(auction.Sold), string(auction.Unsold), string(auction.CalledOff)}
	}
	outcomes := f.is(phases)
	won := f.behind("r.closed_at", "r.auction_id")
	if f.query.Lot != 0 {
		won += ` AND r.auction_id = ` + f.is(f.query.Lot)
	}
	return `
		SELECT DISTINCT lot.id, lot.closed_at
		FROM unnest(` + f.is(f.people) + `::bigint[]) AS person (id) CROSS JOIN LATERAL (
			SELECT sold.id, sold.closed_at
			FROM unnest(` + outcomes + `::text[]) AS how (outcome) CROSS JOIN LATERAL (
				SELECT a.id, a.closed_at FROM auction a
				WHERE a.status <> 'OPEN' AND a.seller_id = person.id AND a.outcome = how.outcome` + behind + limit + `) sold
			UNION ALL (
				SELECT r.auction_id AS id, r.closed_at FROM result r
				WHERE r.winner_id = person.id AND 'sold' = ANY (` + outcomes + `::text[])` + won + limit + `)
		) lot` + limit
}

// behind are the conditions of the place in the list and of the period. The
// end of the period is a place too: of two bounds on one side an index scan
// begins at the one and reads all up to the other.
func (f *overSearch) behind(instant, id string) string {
	after := Place{Micros: LastMicros, ID: math.MaxInt64}
	if f.query.After != nil {
		after = *f.query.After
	}
	if to := f.query.To; to != nil && to.UnixMicro() <= after.Micros {
		after = Place{Micros: to.UnixMicro()} // no id is below 1
	}
	condition := fmt.Sprintf(` AND (%s, %s) < (%s::timestamptz, %s::bigint)`, instant, id,
		f.is(time.UnixMicro(after.Micros)), f.is(after.ID))
	if f.query.From != nil {
		condition += ` AND ` + instant + ` >= ` + f.is(*f.query.From)
	}
	return condition
}
