package books

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"rostrum/cmd/bench/house"
	"rostrum/store/auction"
)

// Read reads a lot's book over the counter: its page, its log, its events (for
// which the seller must be an admin) and its result.
func Read(h *house.House, lotID int64) (b Book, err error) {
	if b.Log, err = readLog(h, lotID); err != nil {
		return b, err
	}
	if b.Closings, err = readClosings(h, lotID); err != nil {
		return b, err
	}
	if b.Result, err = readResult(h, lotID); err != nil {
		return b, err
	}
	b.Lot, err = h.Lot(lotID) // last: it tells of all of the above, or of more
	return b, err
}

// page is one page of a list.
type page[T any] struct {
	Items      []T
	NextCursor *string
}

// readAll reads all pages of a list. path ends where the cursor follows.
func readAll[T any](h *house.House, path string) (all []T, err error) {
	for cursor := ""; ; {
		var p page[T]
		if err := h.Get(path+cursor, func(status int, body []byte) error {
			if status != http.StatusOK {
				return fmt.Errorf("the house answered %d: %.300s", status, body)
			}
			return json.Unmarshal(body, &p)
		}); err != nil {
			return nil, err
		}
		all = append(all, p.Items...)
		if p.NextCursor == nil {
			return all, nil
		}
		cursor = *p.NextCursor
	}
}

func readLog(h *house.House, lotID int64) ([]auction.Bid, error) {
	told, err := readAll[struct {
		ID, Version, BidderID int64
		Amount                string
		CreatedAt             time.Time
	}](h, fmt.Sprintf("/auctions/%d/bids?cursor=", lotID))
	if err != nil {
		return nil, err
	}
	slices.Reverse(told)
	log := make([]auction.Bid, len(told))
	for i, t := range told {
		amount, err := h.Currency.Parse(t.Amount)
		if err != nil {
			return nil, err
		}
		log[i] = auction.Bid{ID: t.ID, AuctionID: lotID, Version: t.Version, BidderID: t.BidderID, Amount: amount, CreatedAt: t.CreatedAt}
	}
	return log, nil
}

func readClosings(h *house.House, lotID int64) ([]Closing, error) {
	events, err := readAll[struct {
		Topic   string
		Payload json.RawMessage
	}](h, fmt.Sprintf("/admin/events?auction=%d&cursor=", lotID))
	if err != nil {
		return nil, err
	}
	var closings []Closing
	for _, e := range events {
		if e.Topic != auction.TopicClosed {
			continue
		}
		closing, err := readEvent(h.Currency, e.Payload)
		if err != nil {
			return nil, err
		}
		closings = append(closings, closing)
	}
	return closings, nil
}

// readEvent reads the payload of an auction-closed event.
func readEvent(currency auction.Currency, payload []byte) (Closing, error) {
	var told struct {
		WinnerID *int64
		Price    *string
		BidCount int64
	}
	if err := json.Unmarshal(payload, &told); err != nil {
		return Closing{}, fmt.Errorf("read a closing event: %w", err)
	}
	price, err := optional(currency, told.Price)
	return Closing{Sold: told.WinnerID != nil, WinnerID: told.WinnerID, Price: price, BidCount: told.BidCount}, err
}

func readResult(h *house.House, lotID int64) (result *Closing, err error) {
	var told struct {
		Outcome  auction.Phase
		Price    *string
		BidCount int64
	}
	open := false
	err = h.Get(fmt.Sprintf("/auctions/%d/result", lotID), func(status int, body []byte) error {
		switch open = status == http.StatusConflict; {
		case open:
			return nil
		case status != http.StatusOK:
			return fmt.Errorf("the house answered %d: %.300s", status, body)
		default:
			return json.Unmarshal(body, &told)
		}
	})
	if err != nil || open {
		return nil, err
	}
	price, err := optional(h.Currency, told.Price)
	return &Closing{Sold: told.Outcome == auction.Sold, Price: price, BidCount: told.BidCount}, err
}

func optional(currency auction.Currency, text *string) (*auction.Money, error) {
	if text == nil {
		return nil, nil
	}
	amount, err := currency.Parse(*text)
	return &amount, err
}
