package store

import (
	"context"
	"fmt"

	"rostrum/store/auction"
)

// Withdraw takes a lot out of the sale and returns it as it then stands.
// Its seller may while nobody has bid (ErrHasBids), an admin also later, who is
// noted in the audit log. Others are told ErrNotYours, ErrSuspended or
// ErrNotFound; where it is too late ErrEnded, and ErrWithdrawn the second time.
// An admin without a reason gets Mistakes. With all but ErrNotFound, and
// ErrUnavailable, comes the lot as it stands.
func (s *Store) Withdraw(ctx context.Context, w auction.Withdrawal) (auction.Auction, error) {
	w = w.Tidy()
	if mistakes := w.Check(); mistakes != nil {
		a, err := s.Auction(ctx, w.AuctionID)
		if err == nil {
			err = mistakes
		}
		return a, err
	}
	return s.change(ctx, "withdraw a lot", `withdraw($1, $2, $3, $4)`, w.AuctionID, w.ActorID, w.ByAdmin, w.Reason)
}

// Edit changes the terms of a lot while nobody has bid, and returns it as it
// then stands. It refuses as Withdraw does, and with ErrEdited where the lot is
// not what its editor saw any more. What only the database's clock can tell of
// the terms is a Mistakes.
func (s *Store) Edit(ctx context.Context, e auction.Edit) (auction.Auction, error) {
	l := e.Terms
	return s.change(ctx, "edit a lot", `edit($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, e.AuctionID, l.SellerID, e.Version,
		l.Title, l.Description, l.StartingPrice, l.MinIncrement, l.StartTime, end(l), lasts(l))
}

// change has a function of the database judge and make a change to one lot.
func (s *Store) change(ctx context.Context, what, function string, arguments ...any) (auction.Auction, error) {
	var a auction.Auction
	var verdict string
	err := s.pool.QueryRow(ctx, `SELECT `+auctionColumns+`, j.judged_at, j.verdict
		FROM `+function+` AS j, LATERAL (SELECT (j.lot).*) AS a`, arguments...).Scan(append(auctionFields(&a), &verdict)...)
	if err != nil {
		return auction.Auction{}, fault(what, err)
	}
	if verdict == "done" {
		s.Feed.tell(a.State())
		return a, nil
	}
	return a, refused(verdict)
}

// refused is what a verdict means to whoever asked.
func refused(verdict string) error {
	switch verdict {
	case "same": // as it was asked for before
		return nil
	case "not_yours":
		return auction.ErrNotYours
	case "suspended":
		return auction.ErrSuspended
	case "withdrawn":
		return auction.ErrWithdrawn
	case "ended":
		return auction.ErrEnded
	case "has_bids":
		return auction.ErrHasBids
	case "stale":
		return auction.ErrEdited
	case "started":
		return auction.Mistakes{"startTime": "Bidding has started: the start cannot be moved any more."}
	case "end_past":
		return auction.Mistakes{"endTime": "The end must be in the future."}
	case "end_before_start":
		return auction.Mistakes{"endTime": "The end must be after the start."}
	default:
		return fmt.Errorf("%q is no verdict that is known here", verdict)
	}
}
