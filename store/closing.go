package store

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"rostrum/store/auction"
)

const (
	closeBatch   = 500
	overdueBatch = 8 // lots that are waited for at the same time
	overdue      = 500 * time.Millisecond
	heldPause    = 50 * time.Millisecond
)

// Closer closes the lots whose end has come. Any number of instances may run
// one: each lot is closed once, with its result and its event in the same
// transaction.
type Closer struct {
	store  *Store
	closed func(lateness time.Duration)
}

// NewCloser makes a closer; closed is told of each lot it closes and how long
// after its end that was.
func (s *Store) NewCloser(closed func(lateness time.Duration)) *Closer {
	return &Closer{store: s, closed: closed}
}

// Once closes one batch of the lots that are due and returns how many it
// closed. Lots that somebody else holds are left to the next call, unless they
// are overdue by half a second: those are waited for, each by itself, because
// a lot that is still bid on is held at almost any moment. It is a short wait,
// so that a lot that hangs does not hold up the others.
func (c *Closer) Once(ctx context.Context) (int, error) {
	closed, err := c.close(ctx, `SELECT `+auctionColumns+`, clock_timestamp() FROM close_due($1) a`, closeBatch)
	if err != nil {
		return 0, err
	}
	if closed == closeBatch {
		return closed, nil // the rest may be as quick
	}
	waited, err := c.overdue(ctx)
	return closed + waited, err
}

// NextEnd says how long to sleep: until the next end, at most the given time,
// and a moment where a lot is over but was left because somebody holds it.
func (c *Closer) NextEnd(ctx context.Context, most time.Duration) (time.Duration, error) {
	var wait *time.Duration
	err := c.store.pool.QueryRow(ctx, `SELECT min(end_time) - clock_timestamp() FROM auction
		WHERE status = 'OPEN' AND end_time <= (SELECT clock_timestamp() + $1::interval)`, most).Scan(&wait)
	if err != nil || wait == nil {
		return most, fault("look for the next end", err)
	}
	if *wait <= 0 {
		return min(heldPause, most), nil // trying again at once would spin
	}
	return min(*wait, most), nil
}

func (c *Closer) overdue(ctx context.Context) (int, error) {
	rows, _ := c.store.pool.Query(ctx, `SELECT id FROM auction
		WHERE status = 'OPEN' AND end_time <= (SELECT clock_timestamp() - $1::interval)
		ORDER BY end_time LIMIT $2`, overdue, overdueBatch)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return 0, fault("look for overdue lots", err)
	}
	closed := make([]int, len(ids))
	errs := make([]error, len(ids))
	var wait sync.WaitGroup
	for i, id := range ids {
		wait.Go(func() {
			closed[i], errs[i] = c.close(ctx, `SELECT `+auctionColumns+`, clock_timestamp() FROM close_one($1) a`, id)
		})
	}
	wait.Wait()
	total := 0
	for i := range ids {
		total += closed[i]
		if errs[i] != nil {
			err = errs[i]
		}
	}
	return total, err
}

func (c *Closer) close(ctx context.Context, statement string, argument any) (int, error) {
	rows, _ := c.store.pool.Query(ctx, statement, argument)
	lots, err := pgx.CollectRows(rows, scanAuction)
	if err != nil {
		return 0, fault("close lots", err)
	}
	for _, lot := range lots {
		c.closed(lot.ClosedAt.Sub(lot.EndTime))
		c.store.Feed.tell(lot.State())
	}
	return len(lots), nil
}

// Result reads how a lot ended. ErrStillOpen before that.
func (s *Store) Result(ctx context.Context, auctionID int64) (auction.Result, error) {
	rows, _ := s.pool.Query(ctx, `
		SELECT `+auctionColumns+`, clock_timestamp(), seller.alias, seller.id, seller.name, seller.email,
			winner.alias, winner.id, winner.name, winner.email, a.withdrawn_reason
		FROM auction a
		JOIN account seller ON seller.id = a.seller_id
		LEFT JOIN result r ON r.auction_id = a.id
		LEFT JOIN account winner ON winner.id = r.winner_id
		WHERE a.id = $1`, auctionID)
	result, err := pgx.CollectExactlyOneRow(rows, scanResult)
	if err == nil && result.Auction.Status == auction.Open {
		return auction.Result{}, auction.ErrStillOpen
	}
	return result, fault("read a result", err)
}

func scanResult(row pgx.CollectableRow) (auction.Result, error) {
	var r auction.Result
	var alias, name, email *string
	var id *int64
	err := row.Scan(append(auctionFields(&r.Auction), &r.SellerAlias, &r.Seller.ID, &r.Seller.Name, &r.Seller.Email,
		&alias, &id, &name, &email, &r.Reason)...)
	if err == nil && id != nil {
		r.WinnerAlias, r.Winner = *alias, &auction.Contact{ID: *id, Name: *name, Email: *email}
	}
	return r, err
}
