package store

import (
	"context"
	"time"
)

// ranksKept is how long an order by price or bids can be read on.
const ranksKept = 15 * time.Minute

// RefreshRanks brings the orders by price and by bids up to date, and returns
// how many lots have a new rank. They are as old as its last call. Any number
// of instances may call it: one at a time does something.
func (s *Store) RefreshRanks(ctx context.Context) (changed int, err error) {
	err = s.pool.QueryRow(ctx, `SELECT refresh_ranks($1)`, ranksKept).Scan(&changed)
	return changed, fault("refresh the ranks of lots", err)
}
