package handlers

import (
	"cmp"
	"encoding/json"
	"net/http"

	"rostrum/store/auction"
	"rostrum/web"
)

// placeBid has a bid judged and tells the bidder what came of it.
func (h *house) placeBid(w http.ResponseWriter, r *http.Request) error {
	offer, err := h.readOffer(r)
	var outcome auction.Outcome
	if err == nil {
		outcome, err = h.Store.PlaceBid(r.Context(), offer)
	}
	if err == nil {
		err = h.refusal(outcome)
	}
	switch {
	case !web.PrefersJSON(r):
		return h.drawBid(w, r, offer, outcome, err)
	case err != nil:
		return err
	default:
		return h.writeBid(w, outcome)
	}
}

// readOffer reads a bid by form or by JSON. The order of its checks is part of
// the contract: who asks, how often, then what they send.
func (h *house) readOffer(r *http.Request) (auction.Offer, error) {
	person, err := signedIn(r)
	if err != nil {
		return auction.Offer{}, err
	}
	if err := pass(r, h.limits.bids, byPerson(person.ID)); err != nil {
		return auction.Offer{}, err
	}
	return h.readOfferOf(r, person.ID)
}

// readOfferOf reads what a person offers. A program's bid says all it means; a
// page may be old, so its form says whether its reader knows that they lead.
func (h *house) readOfferOf(r *http.Request, person int64) (auction.Offer, error) {
	sent, err := readSentBid(r)
	if err != nil {
		return auction.Offer{}, err
	}
	offer := auction.Offer{BidderID: person, AskLeader: isForm(r) && !web.PrefersJSON(r) && r.PostForm.Get("raise") != "yes"}
	if sent.key == "" {
		return offer, errKeyRequired
	}
	if offer.RequestID, err = auction.ParseRequestID(sent.key); err != nil {
		return offer, errKeyInvalid
	}
	parse := h.Currency.Parse
	if isForm(r) {
		parse = h.Currency.ParseForm
	}
	if offer.Amount, err = parse(sent.amount); err != nil || offer.Amount.IsZero() {
		return offer, errAmount
	}
	if sent.bidderID != nil && *sent.bidderID != person {
		return offer, errMismatch
	}
	offer.AuctionID, err = auctionID(r)
	return offer, err
}

// sentBid is a bid as it was sent, not yet understood.
type sentBid struct {
	key, amount string
	bidderID    *int64
}

func readSentBid(r *http.Request) (sentBid, error) {
	if isForm(r) {
		if err := readForm(r); err != nil {
			return sentBid{}, err
		}
		return sentBid{key: cmp.Or(r.PostForm.Get("request_id"), r.Header.Get("Idempotency-Key")), amount: r.PostForm.Get("amount")}, nil
	}
	var body struct {
		Amount   json.RawMessage `json:"amount"`
		BidderID *int64          `json:"bidderId"`
	}
	if err := readJSON(r, &body); err != nil {
		return sentBid{}, err
	}
	return sentBid{key: r.Header.Get("Idempotency-Key"), amount: amountText(body.Amount), bidderID: body.BidderID}, nil
}

// verdicts are the problems of bids that do not stand.
var verdicts = map[auction.Verdict]problem{
	auction.Reused:     {status: 422, code: "idempotency_key_reused", title: "This id belongs to another bid.", detail: "Send a fresh UUID."},
	auction.Suspended:  {status: 403, code: "suspended", title: "This account may not bid for now.", detail: "Please write to the house."},
	auction.OwnAuction: {status: 403, code: "own_auction", title: "Sellers do not bid on their own lots."},
	auction.NotStarted: {status: 409, code: "auction_not_started", title: "The auction has not started yet."},
	auction.Ended:      {status: 409, code: "auction_closed", title: "The auction has ended."},
	auction.TooLow:     {status: 409, code: "price_too_low", title: "The bid is too low.", detail: "Nobody can bid more: the price is as high as it can go here."},
	auction.Leading:    {status: 409, code: "leading", title: "You are leading already.", detail: "Say that you mean to raise your own bid."},
}

// refusal is the problem that a verdict makes, nil where the bid stands.
func (h *house) refusal(o auction.Outcome) error {
	p, refused := verdicts[o.Verdict]
	switch {
	case !refused:
		return nil
	case o.Verdict == auction.Reused: // nothing is told to whom the id does not belong
		return &p
	case o.Verdict == auction.TooLow && o.Auction.State().CanRise():
		p.detail = "The lowest bid is " + h.Currency.Format(o.Auction.MinimumBid()) + "."
	}
	p.standing = &standingJSON{
		Version:      o.Auction.Version,
		CurrentPrice: h.Currency.Text(o.Auction.CurrentPrice), MinimumBid: h.Currency.Text(o.Auction.MinimumBid()),
		EndTime: instant(o.Auction.EndTime), ServerTime: instant(o.Auction.Now),
	}
	return &p
}

// writeBid answers a bid that stands in JSON.
func (h *house) writeBid(w http.ResponseWriter, o auction.Outcome) error {
	return writeJSON(w, bidStatus(w, o), placedJSON{
		Bid: bidJSON{
			ID: o.Bid.ID, AuctionID: o.Bid.AuctionID, Version: o.Bid.Version, BidderID: o.Bid.BidderID,
			Amount: h.Currency.Text(o.Bid.Amount), RequestID: o.Bid.RequestID.String(), CreatedAt: instant(o.Bid.CreatedAt),
		},
		Auction: h.auctionJSON(o.Auction),
	})
}

func bidStatus(w http.ResponseWriter, o auction.Outcome) int {
	if o.Verdict == auction.Replayed {
		w.Header().Set("Idempotent-Replayed", "true")
		return http.StatusOK
	}
	return http.StatusCreated
}
