package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"rostrum/store/auction"
)

// PricePoint is a price and the instant from which on it held.
type PricePoint struct {
	Price auction.Money
	Since time.Time
}

// prices takes an auction, a version that the log is read up to, and n of
// "every n-th".
const prices = `
	WITH log AS MATERIALIZED (
		SELECT (SELECT b.version FROM bid b WHERE b.auction_id = $1 ORDER BY b.version LIMIT 1) AS first,
			(SELECT b.version FROM bid b WHERE b.auction_id = $1 AND b.version <= $2 ORDER BY b.version DESC LIMIT 1) AS last
	), picked AS (
		SELECT generate_series(log.first, log.last, $3) AS version FROM log
		UNION SELECT log.last FROM log
	)
	SELECT b.amount, b.created_at
	FROM picked, LATERAL (SELECT * FROM bid WHERE bid.auction_id = $1 AND bid.version = picked.version LIMIT 1) b
	ORDER BY picked.version`

// Prices reads how the price of a lot came to be what it is in a state: the
// first bid, the last, and so many between that it is at most `most` (three or
// more). Every n-th bid is read, n a power of two, so that the same ones are
// picked again as more come. The picking reads one row of the key's index for
// each, however long the log is.
func (s *Store) Prices(ctx context.Context, state auction.State, most int) ([]PricePoint, error) {
	every := int64(1)
	for state.BidCount > every*int64(most-1) {
		every *= 2
	}
	rows, _ := s.pool.Query(ctx, prices, state.AuctionID, state.Version, every)
	points, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (PricePoint, error) {
		var p PricePoint
		err := row.Scan(&p.Price, &p.Since)
		return p, err
	})
	return points, fault("read the prices of a lot", err)
}
