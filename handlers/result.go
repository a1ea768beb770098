package handlers

import (
	"errors"
	"net/http"

	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

// resultJSON is how a lot ended. Contact is the other side of the sale, for
// the winner and the seller only.
type resultJSON struct {
	AuctionID   int64         `json:"auctionId"`
	Outcome     auction.Phase `json:"outcome"`
	WinnerAlias *string       `json:"winnerAlias"`
	Price       *string       `json:"price"`
	BidCount    int64         `json:"bidCount"`
	EndTime     instant       `json:"endTime"`
	ClosedAt    *instant      `json:"closedAt"`
	Role        views.Role    `json:"role"`
	Contact     *contactJSON  `json:"contact,omitempty"`
	NextStep    string        `json:"nextStep,omitempty"`
	Reason      string        `json:"reason,omitempty"` // why it was withdrawn, for its seller and those who bid
}

type contactJSON struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}

// showResult tells how a lot ended: to its winner, its seller, those who bid
// in vain and everybody else. Before that it leads back to the lot.
func (h *house) showResult(w http.ResponseWriter, r *http.Request) error {
	id, err := auctionID(r)
	if err != nil {
		return err
	}
	if web.PrefersJSON(r) {
		return h.writeResult(w, r, id)
	}
	lot, err := h.lot(r, id)
	switch {
	case errors.Is(err, auction.ErrStillOpen) || err == nil && lot.Result == nil:
		http.Redirect(w, r, auctionPath(id), http.StatusSeeOther)
		return nil
	case err != nil:
		return err
	case web.IsHTMX(r):
		return web.Render(w, r, http.StatusOK, views.LotSection(lot))
	default:
		return web.Render(w, r, http.StatusOK, views.ResultPage(h.page(r, "Result: "+lot.Title), *lot.Result))
	}
}

func (h *house) writeResult(w http.ResponseWriter, r *http.Request, id int64) error {
	result, err := h.Store.Result(r.Context(), id)
	if err != nil {
		return err
	}
	lot, err := h.Store.Lot(r.Context(), id, readerID(r))
	if err != nil {
		return err
	}
	answer := resultJSON{
		AuctionID: id, Outcome: result.Auction.State().Phase(), BidCount: result.Auction.BidCount,
		EndTime: instant(result.Auction.EndTime), ClosedAt: instantOf(result.Auction.ClosedAt),
		Role: role(result, readerID(r), lot.Own),
	}
	if result.Winner != nil {
		price := h.Currency.Text(result.Auction.CurrentPrice)
		answer.WinnerAlias, answer.Price = &result.WinnerAlias, &price
	}
	if answer.Role == views.Seller || answer.Role == views.Loser {
		answer.Reason = result.Reason
	}
	switch {
	case answer.Role == views.Winner:
		answer.Contact = &contactJSON{result.Seller.Name, result.Seller.Email}
		answer.NextStep = "Write to the seller to arrange payment and delivery."
	case answer.Role == views.Seller && result.Winner != nil:
		answer.Contact = &contactJSON{result.Winner.Name, result.Winner.Email}
		answer.NextStep = "Write to the winner to arrange payment and delivery."
	}
	return writeJSON(w, http.StatusOK, answer)
}
