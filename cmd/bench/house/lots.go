package house

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"rostrum/cmd/bench/wire"
	"rostrum/store/auction"
)

// Patience is how long anybody waits for an answer.
const Patience = 30 * time.Second

// The terms of every lot, in the currency's smallest unit: however long people
// bid, the price has room to rise.
const (
	startingPrice = 100
	minIncrement  = 1
)

// Lots lists n lots that end at that instant: as a seller would, or in the
// database where the house's limit for one seller would be in the way (600 a
// minute). How says which.
func (h *House) Lots(ctx context.Context, n int, end time.Time) (lots []auction.Auction, how string, err error) {
	if n <= mostByHand {
		lots, err = h.listByHand(ctx, n, end)
		return lots, "POST /auctions", err
	}
	if h.started == nil {
		return nil, "", fmt.Errorf("%d lots are too many to list as one seller: %w", n, errNotStarted)
	}
	lots, err = h.listBySQL(ctx, n, end)
	return lots, "one INSERT in the database", err
}

// mostByHand leaves room under 600 a minute.
const mostByHand = 400

func (h *House) listByHand(ctx context.Context, n int, end time.Time) ([]auction.Auction, error) {
	conn, err := wire.New(h.URLs[0], Patience)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	lots := make([]auction.Auction, 0, n)
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		listing, err := json.Marshal(map[string]string{"title": title(i),
			"startingPrice": h.text(startingPrice), "minIncrement": h.text(minIncrement),
			"endTime": end.UTC().Format(time.RFC3339Nano)})
		if err != nil {
			return nil, err
		}
		status, body, err := conn.Do(http.MethodPost, "/auctions", Asks(h.Seller), listing)
		if err != nil {
			return nil, fmt.Errorf("list a lot: %w", err)
		}
		if status != http.StatusCreated {
			return nil, fmt.Errorf("list a lot: the house answered %d: %.300s", status, body)
		}
		lot, err := h.ReadLot(body)
		if err != nil {
			return nil, err
		}
		lots = append(lots, lot)
	}
	return lots, nil
}

func title(i int) string { return fmt.Sprintf("Bench lot %d", i+1) }

// Lot reads a lot.
func (h *House) Lot(id int64) (auction.Auction, error) {
	var lot auction.Auction
	err := h.Get(fmt.Sprintf("/auctions/%d", id), func(status int, body []byte) (err error) {
		if status != http.StatusOK {
			return fmt.Errorf("the house answered %d: %.300s", status, body)
		}
		lot, err = h.ReadLot(body)
		return err
	})
	return lot, err
}

// Asks are the headers of a program that somebody lets work for them.
func Asks(p Person) string {
	return "Accept: application/json\r\nAuthorization: Bearer " + p.Token + "\r\n"
}

// Get reads a page as the seller, who is an admin.
func (h *House) Get(path string, read func(status int, body []byte) error) error {
	if h.reader == nil {
		conn, err := wire.New(h.URLs[0], Patience)
		if err != nil {
			return err
		}
		h.reader = conn
	}
	status, body, err := h.reader.Do(http.MethodGet, path, Asks(h.Seller), nil)
	if err != nil { // the house hangs up on who says nothing for two minutes
		status, body, err = h.reader.Do(http.MethodGet, path, Asks(h.Seller), nil)
	}
	if err == nil {
		err = read(status, body)
	}
	if err != nil {
		return fmt.Errorf("GET %s: %w", path, err)
	}
	return nil
}
