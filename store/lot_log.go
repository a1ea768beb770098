package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"rostrum/store/auction"
)

// LoggedBid is a row of a lot's log as admins see it.
type LoggedBid struct {
	auction.Bid // with its request id
	Bidder      auction.Named
}

// LoggedBids reads the log of a lot, newest first: at most limit bids with
// versions below before, math.MaxInt64 to begin with the newest.
func (s *Store) LoggedBids(ctx context.Context, auctionID, before int64, limit int) ([]LoggedBid, error) {
	rows, _ := s.pool.Query(ctx, `
		SELECT b.id, b.auction_id, b.version, b.bidder_id, p.alias, b.amount, b.request_id, b.created_at,
			p.id, p.name, p.alias, p.email
		FROM bid b JOIN account p ON p.id = b.bidder_id
		WHERE b.auction_id = $1 AND b.version < $2
		ORDER BY b.version DESC LIMIT $3`, auctionID, before, limit)
	bids, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (LoggedBid, error) {
		var b LoggedBid
		err := row.Scan(append([]any{&b.ID, &b.AuctionID, &b.Version, &b.BidderID, &b.Alias, &b.Amount, (*[16]byte)(&b.RequestID), &b.CreatedAt},
			namedFields(&b.Bidder)...)...)
		return b, err
	})
	return bids, fault("read the log of a lot", err)
}

// BidderLot is a lot that somebody bid on, with their highest bid on it.
type BidderLot struct {
	auction.Auction
	Highest auction.Money
}

// LotsBidOn lists the lots that a person bid on, the newest lot first: at most
// limit with ids below before. The index is by person and lot, so it is asked
// for one lot after the other; a person may have any number of bids on one.
func (s *Store) LotsBidOn(ctx context.Context, personID, before int64, limit int) ([]BidderLot, error) {
	rows, _ := s.pool.Query(ctx, `
		WITH RECURSIVE newest AS (
			(SELECT auction_id, amount, 1 AS place FROM bid
				WHERE bidder_id = $1 AND auction_id < $2 ORDER BY auction_id DESC, version DESC LIMIT 1)
			UNION ALL
			SELECT earlier.auction_id, earlier.amount, newest.place + 1
			FROM newest CROSS JOIN LATERAL (SELECT b.auction_id, b.amount FROM bid b
				WHERE b.bidder_id = $1 AND b.auction_id < newest.auction_id ORDER BY b.auction_id DESC, b.version DESC LIMIT 1) earlier
			WHERE newest.place < $3
		)
		SELECT `+auctionColumns+`, clock_timestamp(), newest.amount
		FROM newest CROSS JOIN LATERAL (SELECT * FROM auction WHERE id = newest.auction_id LIMIT 1) a
		ORDER BY newest.place`, personID, before, limit)
	lots, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (BidderLot, error) {
		var l BidderLot
		err := row.Scan(append(auctionFields(&l.Auction), &l.Highest)...)
		return l, err
	})
	return lots, fault("list the lots somebody bid on", err)
}

// LotsOf lists the lots of a seller, the newest first: at most limit with ids
// below before.
func (s *Store) LotsOf(ctx context.Context, sellerID, before int64, limit int) ([]auction.Auction, error) {
	rows, _ := s.pool.Query(ctx, `
		SELECT `+auctionColumns+`, clock_timestamp() FROM auction a
		WHERE a.seller_id = $1 AND a.id < $2 ORDER BY a.id DESC LIMIT $3`, sellerID, before, limit)
	lots, err := pgx.CollectRows(rows, scanAuction)
	return lots, fault("list the lots of a seller", err)
}
