package handlers

import (
	"errors"
	"net/http"

	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

// showWithdrawal asks a seller once more before a lot is withdrawn.
func (h *house) showWithdrawal(w http.ResponseWriter, r *http.Request) error {
	lot, err := h.changeable(r)
	if err != nil {
		return err
	}
	return h.withdrawForm(w, r, http.StatusOK, lot, views.Fields{})
}

func (h *house) withdrawForm(w http.ResponseWriter, r *http.Request, status int, lot auction.Auction, fields views.Fields) error {
	form := views.WithdrawForm{Fields: fields, AuctionID: lot.ID, Title: lot.Title}
	return web.Render(w, r, status, views.WithdrawPage(h.page(r, "Withdraw "+lot.Title), form))
}

// withdrawAuction takes a seller's lot out of the sale. The second time it
// leads to the lot, which says that it was withdrawn.
func (h *house) withdrawAuction(w http.ResponseWriter, r *http.Request) error {
	person, err := signedIn(r)
	if err != nil {
		return err
	}
	id, err := auctionID(r)
	if err != nil {
		return err
	}
	reason, err := readReason(r)
	if err != nil {
		return err
	}
	lot, err := h.Store.Withdraw(r.Context(), auction.Withdrawal{AuctionID: id, ActorID: person.ID, Reason: reason})
	var mistakes auction.Mistakes
	switch {
	case web.PrefersJSON(r) && err == nil:
		return writeJSON(w, http.StatusOK, h.auctionJSON(lot))
	case web.PrefersJSON(r):
		return err
	case errors.As(err, &mistakes):
		if early := mayChange(lot, person); early != nil {
			return early
		}
		return h.withdrawForm(w, r, http.StatusUnprocessableEntity, lot, typed(r, mistakes))
	case err == nil || errors.Is(err, auction.ErrWithdrawn):
		http.Redirect(w, r, auctionPath(id), http.StatusSeeOther)
		return nil
	default:
		return err
	}
}

func readReason(r *http.Request) (string, error) {
	if isForm(r) {
		err := readForm(r)
		return r.PostForm.Get("reason"), err
	}
	var body struct {
		Reason string `json:"reason"`
	}
	err := readJSON(r, &body)
	return body.Reason, err
}
