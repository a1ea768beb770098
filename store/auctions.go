package store

import (
	"context"

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

// readAuction reads the one row of auctionColumns, Now and more.
func readAuction(rows pgx.Rows, more ...any) (a auction.Auction, err error) {
	_, err = pgx.CollectExactlyOneRow(rows, func(row pgx.CollectableRow) (struct{}, error) {
		return struct{}{}, row.Scan(append(auctionFields(&a), more...)...)
	})
	return a, err
}

func scanAuction(row pgx.CollectableRow) (auction.Auction, error) {
	var a auction.Auction
	err := row.Scan(auctionFields(&a)...)
	return a, err
}

// Auction reads one auction.
func (s *Store) Auction(ctx context.Context, id int64) (auction.Auction, error) {
	rows, _ := s.pool.Query(ctx, `SELECT `+auctionColumns+`, clock_timestamp() FROM auction a WHERE a.id = $1`, id)
	a, err := readAuction(rows)
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

// Lot reads one auction as a reader sees it; readerID 0 where nobody is signed in.
func (s *Store) Lot(ctx context.Context, id, readerID int64) (Listed, error) {
	rows, _ := s.pool.Query(ctx, `SELECT `+listedColumns+` FROM auction a `+listedJoins+` WHERE a.id = $2`, readerID, id)
	l, err := pgx.CollectExactlyOneRow(rows, scanListed)
	return l, fault("read a lot", err)
}
