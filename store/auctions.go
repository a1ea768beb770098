package store

import (
	"context"
	"math"
	"time"

	"github.com/jackc/pgx/v5"

	"rostrum/store/auction"
)

// auctionColumns are those of an Auction, from a row named a, but for Now.
const auctionColumns = `a.id, a.seller_id, a.title, a.description, a.starting_price, a.min_increment,
	a.current_price, a.leader_id, a.bid_count, a.version, a.status, a.start_time, a.end_time, a.soft_close, a.closed_at`

// auctionFields are where auctionColumns and, after them, Now are scanned to.
func auctionFields(a *auction.Auction) []any {
	return []any{&a.ID, &a.SellerID, &a.Title, &a.Description, &a.StartingPrice, &a.MinIncrement,
		&a.CurrentPrice, &a.LeaderID, &a.BidCount, &a.Version, &a.Status, &a.StartTime, &a.EndTime, &a.SoftClose, &a.ClosedAt, &a.Now}
}

func scanAuction(row pgx.CollectableRow) (auction.Auction, error) {
	var a auction.Auction
	err := row.Scan(auctionFields(&a)...)
	return a, err
}

// Auction reads one auction.
func (s *Store) Auction(ctx context.Context, id int64) (auction.Auction, error) {
	rows, _ := s.pool.Query(ctx, `SELECT `+auctionColumns+`, clock_timestamp() FROM auction a WHERE a.id = $1`, id)
	a, err := pgx.CollectExactlyOneRow(rows, scanAuction)
	return a, fault("read an auction", err)
}

// States reads what live frames tell of these auctions; unknown ids are left out.
func (s *Store) States(ctx context.Context, ids []int64) ([]auction.State, error) {
	rows, _ := s.pool.Query(ctx, `SELECT `+auctionColumns+`, clock_timestamp() FROM auction a WHERE a.id = ANY ($1)`, ids)
	states, err := collectStates(rows)
	return states, fault("read the states of auctions", err)
}

func collectStates(rows pgx.Rows) ([]auction.State, error) {
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (auction.State, error) {
		a, err := scanAuction(row)
		return a.State(), err
	})
}

// Listed is an auction with what a list tells of it beside the row.
type Listed struct {
	auction.Auction
	SellerAlias string
	Own         *auction.Money // the reader's own highest bid, nil where there is none
	Watched     bool           // it is on the reader's watch list
}

// Query says which auctions to list: open ones ending soonest first, or closed
// ones, the latest end first.
type Query struct {
	Closed   bool
	After    *Mark // nil: from the beginning
	Limit    int
	ReaderID int64 // 0: nobody is signed in
}

// Mark is a place in a list: behind the auction with this end and id.
type Mark struct {
	EndMicros int64 // since 1970
	ID        int64
}

// LastMicros is the end of the year 9999, behind which no auction ends: RFC
// 3339 has four digits for the year.
const LastMicros = 253_402_300_799_999_999

// Mark is the place behind the auction.
func (l Listed) Mark() Mark { return Mark{EndMicros: l.EndTime.UnixMicro(), ID: l.ID} }

const listed = `
	SELECT ` + auctionColumns + `, clock_timestamp(), p.alias, own.amount,
		EXISTS (SELECT FROM watch WHERE watch.account_id = $1 AND watch.auction_id = a.id)
	FROM auction a
	JOIN account p ON p.id = a.seller_id
	LEFT JOIN LATERAL (SELECT b.amount FROM bid b WHERE b.bidder_id = $1 AND b.auction_id = a.id
		ORDER BY b.version DESC LIMIT 1) own ON true`

// Auctions lists auctions in a stable order.
func (s *Store) Auctions(ctx context.Context, q Query) ([]Listed, error) {
	statement, after := listed+`
		WHERE a.status = 'OPEN' AND (a.end_time, a.id) > ($3, $4)
		ORDER BY a.end_time, a.id LIMIT $2`, Mark{}
	if q.Closed {
		statement, after = listed+`
		WHERE a.status = 'CLOSED' AND (a.end_time, a.id) < ($3, $4)
		ORDER BY a.end_time DESC, a.id DESC LIMIT $2`, Mark{EndMicros: LastMicros, ID: math.MaxInt64}
	}
	if q.After != nil {
		after = *q.After
	}
	list, err := collect(ctx, s, scanListed, statement, q.ReaderID, q.Limit, time.UnixMicro(after.EndMicros), after.ID)
	return list, fault("list auctions", err)
}

// Lot reads one auction as a reader sees it; readerID 0 where nobody is signed in.
func (s *Store) Lot(ctx context.Context, id, readerID int64) (Listed, error) {
	rows, _ := s.pool.Query(ctx, listed+` WHERE a.id = $2`, readerID, id)
	l, err := pgx.CollectExactlyOneRow(rows, scanListed)
	return l, fault("read a lot", err)
}

func scanListed(row pgx.CollectableRow) (Listed, error) {
	var l Listed
	err := row.Scan(append(auctionFields(&l.Auction), &l.SellerAlias, &l.Own, &l.Watched)...)
	return l, err
}
