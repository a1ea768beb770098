package store

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"
)

const (
	overWindow = 3000 // lots of the order that are looked through for words before those with the words are gathered
	overFew    = 3000 // lots of people, or lots with words: fewer are gone through, and of more a page is soon full
)

// words are what is searched for: in closed lots by the index of words, as
// everybody searches; withdrawn ones are not in it, and are few.
type words struct {
	query    string   // a tsquery
	patterns []string // the same for the titles of withdrawn lots
}

// readWords reads the words of a search; nil where nothing is searched.
func (s *Store) readWords(ctx context.Context, text string) (*words, error) {
	if text == "" {
		return nil, nil
	}
	query, err := s.searchFor(ctx, text)
	if err != nil {
		return nil, err
	}
	found := &words{query: query}
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		found.patterns = append(found.patterns, "%"+strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(word)+"%")
	}
	return found, nil
}

// gather finds all lots that are over and have the words, or the first `most`
// of them in no order; most 0: all.
func (s *Store) gather(ctx context.Context, w *words, most int) ([]int64, error) {
	ids, err := collect(ctx, s, pgx.RowTo[int64], `
		(SELECT auction_id FROM lot_search WHERE NOT open AND words @@ $1::tsquery LIMIT nullif($3, 0))
		UNION ALL
		(SELECT id FROM auction WHERE status <> 'OPEN' AND outcome = 'withdrawn' AND lower(title) LIKE ALL ($2) LIMIT nullif($3, 0))`,
		pgx.QueryExecModeCacheDescribe, w.query, w.patterns, most) // planned for these very words
	return ids, fault("look for lots with words", err)
}

// haveFew says whether these people sold and won few lots.
func (s *Store) haveFew(ctx context.Context, people []int64) (bool, error) {
	n, err := collect(ctx, s, pgx.RowTo[int], `
		SELECT count(*) FROM (
			SELECT FROM unnest($1::bigint[]) AS person (id) CROSS JOIN LATERAL (
				(SELECT FROM auction a WHERE a.seller_id = person.id AND a.status <> 'OPEN' LIMIT $2)
				UNION ALL
				(SELECT FROM result r WHERE r.winner_id = person.id LIMIT $2)) lot
			LIMIT $2) lots`, people, overFew)
	if err != nil {
		return false, fault("count the lots of people", err)
	}
	return n[0] < overFew, nil
}

// has is the condition that a lot, named a, has the words. It is asked row by
// row: to the planner a join of everything may look cheaper.
func (f *overSearch) has() string {
	return ` AND CASE WHEN a.status = 'WITHDRAWN' THEN lower(a.title) LIKE ALL (` + f.is(f.words.patterns) + `::text[])
		ELSE EXISTS (SELECT FROM lot_search s WHERE s.auction_id = a.id AND s.words @@ ` + f.is(f.words.query) + `::tsquery) END`
}
