package load

import (
	"encoding/json"
	"fmt"
	"time"

	"rostrum/store/auction"
	"rostrum/store/auction/history"
)

// Answers reads what came back for the oracle, lot by lot (by their places).
// What was not judged at all (429, 401) is left out.
func (p Plan) Answers(shots []Shot) (map[int][]history.Answer, error) {
	answers := map[int][]history.Answer{}
	for _, s := range shots {
		a, judged, err := p.answer(s)
		if err != nil {
			return nil, fmt.Errorf("the answer %d to a bid on lot %d: %w: %.300s", s.Status, p.Lots[s.Lot].ID, err, s.Body)
		}
		if judged {
			answers[s.Lot] = append(answers[s.Lot], a)
		}
	}
	return answers, nil
}

// verdicts are the codes of refusals that were judged.
var verdicts = map[string]auction.Verdict{
	"price_too_low":          auction.TooLow,
	"auction_closed":         auction.Ended,
	"auction_not_started":    auction.NotStarted,
	"idempotency_key_reused": auction.Reused,
	"suspended":              auction.Suspended,
	"own_auction":            auction.OwnAuction,
}

func (p Plan) answer(s Shot) (a history.Answer, judged bool, err error) {
	offer := auction.Offer{AuctionID: p.Lots[s.Lot].ID, BidderID: p.House.Bidders[s.Bidder].ID, RequestID: s.RequestID}
	offer.Amount, err = p.House.Money(s.Cents)
	a = history.Answer{Kind: history.Bid, Client: s.Bidder, Call: s.Sent, Return: s.Return, Offer: offer}
	switch {
	case err != nil:
		return a, false, err
	case s.Status == 0 || s.Status >= 500:
		return a, true, nil // nobody knows
	case s.Status == 201 || s.Status == 200:
		a.Verdict = auction.Accepted
		if s.Status == 200 {
			a.Verdict = auction.Replayed
		}
		err = p.readBid(s.Body, &a)
		return a, true, err
	case s.Status == 429 || s.Status == 401:
		return a, false, nil
	default:
		err = p.readRefusal(s.Body, &a)
		return a, true, err
	}
}

func (p Plan) readBid(text []byte, a *history.Answer) error {
	var told struct {
		Bid struct {
			ID, AuctionID, Version, BidderID int64
			Amount, RequestID                string
			CreatedAt                        time.Time
		}
		Auction json.RawMessage
	}
	if err := json.Unmarshal(text, &told); err != nil {
		return err
	}
	lot, err := p.House.ReadLot(told.Auction)
	if err != nil {
		return err
	}
	b := told.Bid
	amount, err := p.House.Currency.Parse(b.Amount)
	if err != nil {
		return err
	}
	if b.AuctionID != a.Offer.AuctionID || b.BidderID != a.Offer.BidderID || amount.Cmp(a.Offer.Amount) != 0 || b.RequestID != a.Offer.RequestID.String() {
		return fmt.Errorf("the bid is not the one that was sent: %s by %d under %s", a.Offer.Amount, a.Offer.BidderID, a.Offer.RequestID)
	}
	a.Bid = auction.Bid{ID: b.ID, AuctionID: b.AuctionID, Version: b.Version, BidderID: b.BidderID, Amount: amount,
		RequestID: a.Offer.RequestID, CreatedAt: b.CreatedAt}
	a.Told = lot.State()
	return nil
}

func (p Plan) readRefusal(text []byte, a *history.Answer) error {
	var told struct {
		Code                     string
		Version                  int64
		CurrentPrice, MinimumBid string
		EndTime, ServerTime      time.Time
	}
	if err := json.Unmarshal(text, &told); err != nil {
		return err
	}
	verdict, known := verdicts[told.Code]
	if !known {
		return fmt.Errorf("%q is no verdict", told.Code)
	}
	a.Verdict = verdict
	if verdict == auction.Reused {
		return nil
	}
	price, err1 := p.House.Currency.Parse(told.CurrentPrice)
	floor, err2 := p.House.Currency.Parse(told.MinimumBid)
	if err1 != nil || err2 != nil {
		return auction.ErrAmount
	}
	a.Told = auction.State{AuctionID: a.Offer.AuctionID, Version: told.Version, CurrentPrice: price, MinimumBid: floor,
		EndTime: told.EndTime, Now: told.ServerTime}
	return nil
}
