package house

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"rostrum/store/auction"
)

// Database connects to the database of a house that bench started.
func (h *House) Database(ctx context.Context) (*pgx.Conn, error) {
	if h.started == nil {
		return nil, errNotStarted
	}
	if h.started.database == "" { // asked once: a program costs more than a connection
		url, err := h.started.command("db", "url")
		if err != nil {
			return nil, err
		}
		h.started.database = strings.TrimSpace(url)
	}
	return pgx.Connect(ctx, h.started.database)
}

// OwnDatabase says that the database was made for this house.
func (h *House) OwnDatabase() bool { return h.started != nil && os.Getenv("DATABASE_URL") == "" }

// listBySQL lists lots as store.List does, all at once.
func (h *House) listBySQL(ctx context.Context, n int, end time.Time) ([]auction.Auction, error) {
	db, err := h.Database(ctx)
	if err != nil {
		return nil, err
	}
	defer db.Close(ctx)
	rows, _ := db.Query(ctx, `
		INSERT INTO auction (seller_id, title, starting_price, current_price, min_increment, start_time, end_time, soft_close)
		SELECT $1, 'Bench lot ' || i, $3::numeric, $3::numeric, $4::numeric, clock_timestamp(), $5, $6
		FROM generate_series(1, $2::integer) i
		RETURNING id, start_time, end_time, version`,
		h.Seller.ID, n, h.text(startingPrice), h.text(minIncrement), end, h.SoftClose)
	lots, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (auction.Auction, error) {
		lot := auction.Auction{SellerID: h.Seller.ID, Status: auction.Open, SoftClose: h.SoftClose}
		err := row.Scan(&lot.ID, &lot.StartTime, &lot.EndTime, &lot.Version)
		return lot, err
	})
	if err != nil {
		return nil, err
	}
	start, err1 := h.Money(startingPrice)
	step, err2 := h.Money(minIncrement)
	for i := range lots {
		lots[i].StartingPrice, lots[i].CurrentPrice, lots[i].MinIncrement = start, start, step
	}
	_, err3 := db.Exec(ctx, `ANALYZE auction`)
	return lots, errors.Join(err1, err2, err3)
}

// PostgreSQL is the version of the house's database.
func (h *House) PostgreSQL(ctx context.Context) (version string, err error) {
	db, err := h.Database(ctx)
	if err != nil {
		return "", err
	}
	defer db.Close(ctx)
	err = db.QueryRow(ctx, `SHOW server_version`).Scan(&version)
	return version, err
}
