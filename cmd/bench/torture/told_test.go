package torture_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"rostrum/store/auction"
	"rostrum/store/auction/history"
)

// placed is the answer to a bid that stands.
type placed struct {
	Bid struct {
		ID, Version int64
		CreatedAt   time.Time
	}
	Auction json.RawMessage
}

// told is what a refusal and a live frame tell; a refusal has no leader and no
// count.
type told struct {
	Code                     string
	AuctionID, Version       int64
	CurrentPrice, MinimumBid string
	LeaderID                 *int64
	BidCount                 int64
	Status                   any // in a refusal it is HTTP's
	EndTime, ServerTime      time.Time
}

func (p *place) readTold(text []byte) (t told, s auction.State, err error) {
	if err := json.Unmarshal(text, &t); err != nil {
		return t, s, fmt.Errorf("%q: %w", text, err)
	}
	s = auction.State{AuctionID: t.AuctionID, Version: t.Version, LeaderID: t.LeaderID, BidCount: t.BidCount, EndTime: t.EndTime, Now: t.ServerTime}
	if status, isLots := t.Status.(string); isLots {
		s.Status = auction.Status(status)
	}
	if t.Version == 0 {
		return t, s, nil
	}
	if s.CurrentPrice, err = p.Currency.Parse(t.CurrentPrice); err == nil {
		s.MinimumBid, err = p.Currency.Parse(t.MinimumBid)
	}
	return t, s, err
}

// verdicts are what the codes of refusals mean.
var verdicts = map[string]auction.Verdict{
	"409 price_too_low":          auction.TooLow,
	"409 auction_closed":         auction.Ended,
	"409 auction_not_started":    auction.NotStarted,
	"403 own_auction":            auction.OwnAuction,
	"403 suspended":              auction.Suspended,
	"422 idempotency_key_reused": auction.Reused,
}

// hear completes an offer's answer by what came back. What no bidder may ever
// be told is an error.
func (p *place) hear(a *history.Answer, status int, body []byte) (err error) {
	switch status {
	case http.StatusServiceUnavailable:
		return nil // unknown, like a connection that broke
	case http.StatusCreated, http.StatusOK:
		var stands placed
		if err := json.Unmarshal(body, &stands); err != nil {
			return err
		}
		lot, err := p.ReadLot(stands.Auction)
		if err != nil {
			return err
		}
		a.Verdict, a.Told = auction.Accepted, lot.State()
		if status == http.StatusOK {
			a.Verdict = auction.Replayed
		}
		a.Bid = auction.Bid{ID: stands.Bid.ID, AuctionID: lot.ID, Version: stands.Bid.Version, BidderID: a.Offer.BidderID,
			Amount: a.Offer.Amount, RequestID: a.Offer.RequestID, CreatedAt: stands.Bid.CreatedAt}
		return nil
	}
	t, state, err := p.readTold(body)
	if err != nil {
		return err
	}
	verdict, known := verdicts[fmt.Sprint(status, " ", t.Code)]
	if !known {
		return fmt.Errorf("a bid was answered %d %s", status, body)
	}
	a.Verdict, a.Told = verdict, state
	return nil
}
