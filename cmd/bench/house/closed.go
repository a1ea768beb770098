package house

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rostrum/store/auction"
)

// look is how often somebody looks whether lots are closed: the time that a
// look costs is taken from the house.
const look = 50 * time.Millisecond

// Closed waits until none of these lots, which end at that instant, is open:
// it looks into the database where bench started the house, and else at the
// lots themselves.
func (h *House) Closed(ctx context.Context, lots []auction.Auction, end time.Time, within time.Duration) error {
	open := h.openByHand(lots)
	if h.started != nil {
		db, err := h.Database(ctx)
		if err != nil {
			return err
		}
		defer db.Close(ctx)
		open = openInDatabase(db, end)
	}
	for {
		left, err := open(ctx)
		switch {
		case err != nil:
			return err
		case !left:
			return nil
		case time.Since(end) > within:
			return fmt.Errorf("not all lots were closed within %s of their end", within)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(look):
		}
	}
}

func openInDatabase(db *pgx.Conn, end time.Time) func(context.Context) (bool, error) {
	return func(ctx context.Context) (left bool, err error) {
		err = db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM auction WHERE status = 'OPEN' AND end_time <= $1)`, end).Scan(&left)
		return left, err
	}
}

func (h *House) openByHand(lots []auction.Auction) func(context.Context) (bool, error) {
	left := lots
	return func(context.Context) (bool, error) {
		for len(left) > 0 {
			lot, err := h.Lot(left[0].ID)
			if err != nil || lot.Status == auction.Open {
				return true, err
			}
			left = left[1:]
		}
		return false, nil
	}
}
