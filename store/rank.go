package store

import (
	"context"
	"time"
)

const (
	ranksKept   = 15 * time.Minute // how long an order by price or bids can be read on
	ranksAtOnce = 10_000           // how many are refreshed in one statement: a third of a second
)

// RefreshRanks brings the orders by price and by bids up to date, and returns
// how many lots have a new rank. They are as old as its last call. Any number
// of instances may call it: one at a time does something.
func (s *Store) RefreshRanks(ctx context.Context) (changed int, err error) {
	for more := true; more; {
		var n int
		err := s.pool.QueryRow(ctx, `SELECT changed, more FROM refresh_some_ranks($1, $2)`, ranksKept, ranksAtOnce).Scan(&n, &more)
		if err != nil {
			return changed, fault("refresh the ranks of lots", err)
		}
		changed += n
	}
	return changed, nil
}
