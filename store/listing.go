package store

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"rostrum/store/auction"
)

// List puts a lot up for bids. A checked listing can still meet an end that is
// over by the database's clock (auction.Mistakes), a person who may not sell
// (ErrNotSeller, ErrSuspended), or a request id that belongs to another listing
// (ErrRequestReuse). The same listing with the same id again lists nothing and
// returns the first lot.
func (s *Store) List(ctx context.Context, l auction.Listing) (auction.Auction, error) {
	rows, _ := s.pool.Query(ctx, `
		WITH clock AS (SELECT clock_timestamp() AS now)
		INSERT INTO auction AS a (seller_id, request_id, title, description, starting_price, current_price,
			min_increment, start_time, end_time, soft_close, asked)
		SELECT p.id, $2, $3, $4, $5::numeric, $5::numeric, $6, greatest($7, clock.now),
			coalesce($8, greatest($7, clock.now) + $9), $10, $11
		FROM account p, clock
		WHERE p.id = $1 AND p.seller AND p.suspended_at IS NULL AND coalesce($8, 'infinity') > clock.now
		FOR KEY SHARE OF p -- waits while selling is being switched off (SetSelling)
		ON CONFLICT (seller_id, request_id) DO NOTHING
		RETURNING `+auctionColumns+`, clock_timestamp()`,
		l.SellerID, uuid(l.RequestID), l.Title, l.Description, l.StartingPrice, l.MinIncrement, l.StartTime, end(l), lasts(l), s.softClose, l.Fingerprint())
	a, err := pgx.CollectExactlyOneRow(rows, scanAuction)
	if errors.Is(err, pgx.ErrNoRows) {
		return s.notListed(ctx, l)
	}
	return a, fault("list a lot", err)
}

// notListed finds out why a lot was not taken in, or that it was before.
func (s *Store) notListed(ctx context.Context, l auction.Listing) (auction.Auction, error) {
	if l.RequestID != nil {
		a, err := s.listedBefore(ctx, l)
		if !errors.Is(err, auction.ErrNotFound) {
			return a, err
		}
	}
	var seller, suspended bool
	err := s.pool.QueryRow(ctx, `SELECT seller, suspended_at IS NOT NULL FROM account WHERE id = $1`, l.SellerID).Scan(&seller, &suspended)
	switch {
	case err != nil:
		return auction.Auction{}, fault("read a seller", err)
	case suspended:
		return auction.Auction{}, auction.ErrSuspended
	case !seller:
		return auction.Auction{}, auction.ErrNotSeller
	default:
		return auction.Auction{}, auction.Mistakes{"endTime": "The end must be in the future."}
	}
}

// listedBefore finds the lot of an earlier request with the same id, by what was
// asked for then: the lot itself may have been edited since. A lot of before
// there were fingerprints is compared with the request in the database, which
// keeps microseconds: a start that was past or not asked for became the instant
// of listing, and bids may have moved the end.
func (s *Store) listedBefore(ctx context.Context, l auction.Listing) (auction.Auction, error) {
	var a auction.Auction
	var same bool
	err := s.pool.QueryRow(ctx, `
		SELECT `+auctionColumns+`, clock_timestamp(),
			CASE WHEN a.asked IS NOT NULL THEN a.asked = $10 ELSE
			a.title = $3 AND a.description = $4 AND a.starting_price = $5 AND a.min_increment = $6
			AND CASE WHEN a.start_time > a.created_at THEN a.start_time IS NOT DISTINCT FROM $7::timestamptz
				ELSE coalesce($7::timestamptz <= a.start_time, true) END
			AND (a.end_time = coalesce($8, a.start_time + $9)
				OR a.end_time > coalesce($8, a.start_time + $9) AND a.bid_count > 0) END
		FROM auction a WHERE a.seller_id = $1 AND a.request_id = $2`,
		l.SellerID, uuid(l.RequestID), l.Title, l.Description, l.StartingPrice, l.MinIncrement, l.StartTime, end(l), lasts(l), l.Fingerprint()).
		Scan(append(auctionFields(&a), &same)...)
	switch {
	case err != nil:
		return auction.Auction{}, fault("look for a lot listed before", err)
	case !same:
		return auction.Auction{}, auction.ErrRequestReuse
	default:
		return a, nil
	}
}

// end is the end that was asked for, nil where lasts says it.
func end(l auction.Listing) *time.Time {
	if l.Lasts > 0 {
		return nil
	}
	return &l.EndTime
}

// lasts is the length that was asked for, nil where end says it.
func lasts(l auction.Listing) *time.Duration {
	if l.Lasts == 0 {
		return nil
	}
	return &l.Lasts
}

// uuid is a request id as pgx writes it, nil where there is none.
func uuid(id *auction.RequestID) *[16]byte { return (*[16]byte)(id) }
