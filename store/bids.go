package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rostrum/store/auction"
)

// PlaceBid has an offer judged and returns once the verdict is durable. An
// unknown lot is ErrNotFound. After ErrUnavailable nobody knows whether the
// bid was accepted, and the same offer may be sent again safely.
//
// A caller who goes away does not undo a bid under way.
func (s *Store) PlaceBid(_ context.Context, offer auction.Offer) (auction.Outcome, error) {
	began := time.Now()
	outcome, err := s.judgeSoon(offer)
	if err == nil {
		s.judged(outcome.Verdict, time.Since(began))
	}
	return outcome, err
}

// judgeSoon takes an offer that is likely to be too low past the crowd at the
// judge's door. Where it is not too low after all, or looking failed, it is
// judged like any other.
func (s *Store) judgeSoon(offer auction.Offer) (auction.Outcome, error) {
	if s.Feed.floors.over(offer) {
		if refused, err := s.refusing.place(offer.AuctionID, offer); err == nil && refused != nil {
			return *refused, nil
		}
	}
	outcome, err := s.judging.place(offer.AuctionID, offer)
	if err == nil && outcome.Verdict == unsettled {
		err = fmt.Errorf("a bid was judged twice: %w", auction.ErrUnavailable)
	}
	return outcome, err
}

// Waiting counts the offers that wait to be judged.
func (s *Store) Waiting() int {
	offers, _ := s.judging.load()
	return offers
}

// Bids reads the log of an auction, newest first: at most limit bids with
// versions below before, math.MaxInt64 to begin with the newest. ErrNotFound
// where there is no such auction.
func (s *Store) Bids(ctx context.Context, auctionID, before int64, limit int) ([]auction.Bid, error) {
	rows, _ := s.pool.Query(ctx, `
		SELECT b.id, b.auction_id, b.version, b.bidder_id, p.alias, b.amount, b.created_at
		FROM bid b JOIN account p ON p.id = b.bidder_id
		WHERE b.auction_id = $1 AND b.version < $2
		ORDER BY b.version DESC LIMIT $3`, auctionID, before, limit)
	bids, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (auction.Bid, error) {
		var b auction.Bid
		err := row.Scan(&b.ID, &b.AuctionID, &b.Version, &b.BidderID, &b.Alias, &b.Amount, &b.CreatedAt)
		return b, err
	})
	if err == nil && len(bids) == 0 {
		_, err = s.Auction(ctx, auctionID)
		return nil, err
	}
	return bids, fault("read the log of bids", err)
}
