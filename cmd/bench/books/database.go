package books

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rostrum/cmd/bench/house"
	"rostrum/store/auction"
)

// ReadAll reads the books of many lots behind the counter, in the order of the
// lots. Nobody may be at work.
func ReadAll(ctx context.Context, h *house.House, lots []auction.Auction) ([]Book, error) {
	db, err := h.Database(ctx)
	if err != nil {
		return nil, err
	}
	defer db.Close(ctx)
	all, ids := make([]Book, len(lots)), make([]int64, len(lots))
	byID := make(map[int64]*Book, len(lots))
	for i, lot := range lots {
		ids[i], byID[lot.ID] = lot.ID, &all[i]
		all[i].Lot = lot // what never changes
	}
	for _, read := range []func(context.Context, *pgx.Conn, []int64, map[int64]*Book) error{readRows, readLogs, readEvents(h.Currency), readResults} {
		if err := read(ctx, db, ids, byID); err != nil {
			return nil, fmt.Errorf("read the books: %w", err)
		}
	}
	return all, nil
}

func readRows(ctx context.Context, db *pgx.Conn, ids []int64, byID map[int64]*Book) error {
	rows, _ := db.Query(ctx, `
		SELECT id, leader_id, bid_count, version, status, current_price, end_time, closed_at, clock_timestamp()
		FROM auction WHERE id = ANY ($1)`, ids)
	var id int64
	var a auction.Auction
	n := 0
	_, err := pgx.ForEachRow(rows, []any{&id, &a.LeaderID, &a.BidCount, &a.Version, &a.Status, &a.CurrentPrice, &a.EndTime, &a.ClosedAt, &a.Now}, func() error {
		lot := &byID[id].Lot
		lot.LeaderID, lot.BidCount, lot.Version, lot.Status = a.LeaderID, a.BidCount, a.Version, a.Status
		lot.CurrentPrice, lot.EndTime, lot.ClosedAt, lot.Now = a.CurrentPrice, a.EndTime, a.ClosedAt, a.Now
		n++
		return nil
	})
	if err == nil && n != len(ids) {
		err = fmt.Errorf("there are %d of %d lots", n, len(ids))
	}
	return err
}

func readLogs(ctx context.Context, db *pgx.Conn, ids []int64, byID map[int64]*Book) error {
	rows, _ := db.Query(ctx, `
		SELECT id, auction_id, version, bidder_id, amount, request_id, created_at
		FROM bid WHERE auction_id = ANY ($1) ORDER BY auction_id, version`, ids)
	var b auction.Bid
	_, err := pgx.ForEachRow(rows, []any{&b.ID, &b.AuctionID, &b.Version, &b.BidderID, &b.Amount, (*[16]byte)(&b.RequestID), &b.CreatedAt}, func() error {
		book := byID[b.AuctionID]
		book.Log = append(book.Log, b)
		return nil
	})
	return err
}

func readEvents(currency auction.Currency) func(context.Context, *pgx.Conn, []int64, map[int64]*Book) error {
	return func(ctx context.Context, db *pgx.Conn, ids []int64, byID map[int64]*Book) error {
		rows, _ := db.Query(ctx, `SELECT aggregate_id, payload::text FROM outbox WHERE topic = $1 AND aggregate_id = ANY ($2)`,
			auction.TopicClosed, ids)
		var id int64
		var payload string
		_, err := pgx.ForEachRow(rows, []any{&id, &payload}, func() error {
			closing, err := readEvent(currency, []byte(payload))
			byID[id].Closings = append(byID[id].Closings, closing)
			return err
		})
		return err
	}
}

func readResults(ctx context.Context, db *pgx.Conn, ids []int64, byID map[int64]*Book) error {
	rows, _ := db.Query(ctx, `SELECT auction_id, outcome, winner_id, price, bid_count FROM result WHERE auction_id = ANY ($1)`, ids)
	_, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (struct{}, error) {
		var id int64
		var outcome string
		var result Closing
		err := row.Scan(&id, &outcome, &result.WinnerID, &result.Price, &result.BidCount)
		if err == nil {
			result.Sold = outcome == "sold"
			byID[id].Result = &result
		}
		return struct{}{}, err
	})
	return err
}
