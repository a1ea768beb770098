package store

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"rostrum/store/auction"
)

// OverQuery says which lots that are over to list, the latest first by when
// they closed or were withdrawn.
type OverQuery struct {
	Phase auction.Phase // Sold, Unsold or CalledOff; "" for all
	Lot   int64         // the one with this number; 0: any

	Words  string     // that all stand in the title or description, or begin a word there; "" for any
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
	f := overSearch{query: q}
	var err error
	if f.people, err = s.overPeople(ctx, q.Called); err != nil {
		return nil, err
	}
	if f.words, err = s.readWords(ctx, q.Words); err != nil {
		return nil, err
	}
	switch {
	case f.words == nil:
		return s.over(ctx, f.along())
	case f.people != nil:
		few, err := s.haveFew(ctx, f.people)
		if err != nil {
			return nil, err
		}
		if few {
			return s.over(ctx, f.along())
		}
		ids, err := s.gather(ctx, f.words, overFew)
		if err != nil {
			return nil, err
		}
		if len(ids) < overFew {
			return s.over(ctx, f.among(ids))
		}
		return s.over(ctx, f.along())
	default: // what is common is met soon; what is rare would be a long way to go
		lots, err := s.over(ctx, f.along())
		if err != nil || len(lots) == q.Limit {
			return lots, err
		}
		ids, err := s.gather(ctx, f.words, 0)
		if err != nil {
			return nil, err
		}
		return s.over(ctx, f.among(ids))
	}
}

// overPeople finds whose lots are looked for, nil for anybody's.
func (s *Store) overPeople(ctx context.Context, called string) ([]int64, error) {
	if called == "" {
		return nil, nil
	}
	people, err := s.called(ctx, called, mostCalled+1)
	switch {
	case err != nil:
		return nil, err
	case len(people) == 0:
		return nil, auction.ErrNoMatch
	case len(people) > mostCalled:
		return nil, auction.ErrManyMatch
	default:
		return people, nil
	}
}

// found is a statement that finds the ids of a page, with its arguments.
type found struct {
	statement string
	arguments []any
}

func (s *Store) over(ctx context.Context, page found) ([]Overseen, error) {
	lots, err := collect(ctx, s, scanOverseen, `
		WITH page AS MATERIALIZED (`+page.statement+`)
		SELECT `+overseenColumns+`, 0
		FROM page JOIN auction a ON a.id = page.id`+overseenJoins+`
		ORDER BY page.closed_at DESC, page.id DESC`, page.arguments...)
	return lots, fault("list lots that are over", err)
}

// overSearch writes the statement that finds the ids of a page. Each kind of
// search walks an index in the list's order, so that a page costs the same
// wherever it lies.
type overSearch struct {
	query     OverQuery
	people    []int64
	words     *words
	arguments []any
}

// is is the argument's place in the statement.
func (f *overSearch) is(argument any) string {
	f.arguments = append(f.arguments, argument)
	return fmt.Sprintf("$%d", len(f.arguments))
}

// along finds the page on the way along the list's order.
func (f overSearch) along() found {
	limit := f.limit(f.query.Limit)
	condition := f.behind("a.closed_at", "a.id") + f.numbered("a.id")
	if f.people != nil {
		return found{f.ofPeople(condition, limit), f.arguments}
	}
	if f.query.Phase != "" {
		condition += ` AND a.outcome = ` + f.is(string(f.query.Phase))
	}
	lots := `SELECT a.id, a.closed_at FROM auction a WHERE a.status <> 'OPEN'` + condition
	if f.words != nil {
		stretch := strings.Replace(lots, `a.closed_at FROM`, `a.closed_at, a.status, a.title FROM`, 1) + f.limit(overWindow)
		lots = `SELECT a.id, a.closed_at FROM (` + stretch + `) a WHERE true` + f.has()
	}
	return found{lots + limit, f.arguments}
}

// among finds the page among the lots with these ids.
func (f overSearch) among(ids []int64) found {
	limit := f.limit(f.query.Limit)
	lots := `SELECT a.id, a.closed_at FROM auction a LEFT JOIN result r ON r.auction_id = a.id
		WHERE a.id = ANY (` + f.is(ids) + `) AND a.status <> 'OPEN'` + f.behind("a.closed_at", "a.id") + f.numbered("a.id")
	if f.people != nil {
		people := f.is(f.people)
		lots += ` AND (a.seller_id = ANY (` + people + `) OR r.winner_id = ANY (` + people + `))`
	}
	if f.query.Phase != "" {
		lots += ` AND a.outcome = ` + f.is(string(f.query.Phase))
	}
	return found{`SELECT id, closed_at FROM (` + lots + `) a` + limit, f.arguments}
}

func (f *overSearch) limit(n int) string { return ` ORDER BY closed_at DESC, id DESC LIMIT ` + f.is(n) }

func (f *overSearch) numbered(id string) string {
	if f.query.Lot == 0 {
		return ""
	}
	return ` AND ` + id + ` = ` + f.is(f.query.Lot)
}

// ofPeople finds the lots that these people sold or won, person by person.
func (f *overSearch) ofPeople(condition, limit string) string {
	phases := []string{string(f.query.Phase)}
	if f.query.Phase == "" {
		phases = []string{string(auction.Sold), string(auction.Unsold), string(auction.CalledOff)}
	}
	outcomes := f.is(phases)
	won := f.behind("r.closed_at", "r.auction_id") + f.numbered("r.auction_id")
	if f.words != nil {
		condition += f.has()
		won += ` AND EXISTS (SELECT FROM lot_search s WHERE s.auction_id = r.auction_id AND s.words @@ ` + f.is(f.words.query) + `::tsquery)`
	}
	return `
		SELECT DISTINCT lot.id, lot.closed_at
		FROM unnest(` + f.is(f.people) + `::bigint[]) AS person (id) CROSS JOIN LATERAL (
			SELECT sold.id, sold.closed_at
			FROM unnest(` + outcomes + `::text[]) AS how (outcome) CROSS JOIN LATERAL (
				SELECT a.id, a.closed_at FROM auction a
				WHERE a.status <> 'OPEN' AND a.seller_id = person.id AND a.outcome = how.outcome` + condition + limit + `) sold
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
