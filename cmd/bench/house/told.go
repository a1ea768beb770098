package house

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"rostrum/store/auction"
)

// told is a lot as the house tells it in JSON.
type told struct {
	ID            int64
	SellerID      int64
	StartingPrice string
	CurrentPrice  string
	MinIncrement  string
	MinimumBid    string
	LeaderID      *int64
	BidCount      int64
	Status        auction.Status
	StartTime     time.Time
	EndTime       time.Time
	ClosedAt      *time.Time
	Version       int64
	ServerTime    time.Time
}

// ReadLot reads a lot from its JSON. The house does not tell its soft close.
func (h *House) ReadLot(text []byte) (auction.Auction, error) {
	var t told
	if err := json.Unmarshal(text, &t); err != nil {
		return auction.Auction{}, fmt.Errorf("read a lot: %w", err)
	}
	a := auction.Auction{ID: t.ID, SellerID: t.SellerID, LeaderID: t.LeaderID, BidCount: t.BidCount, Version: t.Version, Status: t.Status,
		StartTime: t.StartTime, EndTime: t.EndTime, ClosedAt: t.ClosedAt, SoftClose: h.SoftClose, Now: t.ServerTime}
	var errs [4]error
	a.StartingPrice, errs[0] = h.Currency.Parse(t.StartingPrice)
	a.CurrentPrice, errs[1] = h.Currency.Parse(t.CurrentPrice)
	a.MinIncrement, errs[2] = h.Currency.Parse(t.MinIncrement)
	floor, err := h.Currency.Parse(t.MinimumBid)
	if errs[3] = err; err == nil && errs[1] == nil && errs[2] == nil && floor.Cmp(a.MinimumBid()) != 0 {
		errs[3] = fmt.Errorf("lot %d: the floor %s is not the price %s and the increment %s", t.ID, t.MinimumBid, t.CurrentPrice, t.MinIncrement)
	}
	return a, errors.Join(errs[:]...)
}
