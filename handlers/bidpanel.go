package handlers

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

// drawBid answers a bid by form with the bid panel, or with the whole page
// where no script asks; with the status that JSON would have.
func (h *house) drawBid(w http.ResponseWriter, r *http.Request, offer auction.Offer, o auction.Outcome, err error) error {
	if err != nil && told(err).status == http.StatusUnauthorized && !web.IsHTMX(r) {
		return err // to the sign-in page, and back
	}
	id, notALot := auctionID(r)
	if notALot != nil {
		return cmp.Or(err, notALot)
	}
	if !web.IsHTMX(r) {
		return h.drawBidPage(w, r, id, offer, o, err)
	}
	lot, unread := h.Store.Lot(r.Context(), id, readerID(r))
	if unread != nil {
		return errors.Join(unread, err)
	}
	panel := h.panel(lot.Auction, reader(r), lot.Own)
	status := h.bidPanel(&panel, w, r, offer, o, err)
	return web.Render(w, r, status, views.BidPanel(panel))
}

func (h *house) drawBidPage(w http.ResponseWriter, r *http.Request, id int64, offer auction.Offer, o auction.Outcome, err error) error {
	lot, unread := h.lot(r, id)
	if unread != nil {
		return errors.Join(unread, err)
	}
	status := h.bidPanel(&lot.Panel, w, r, offer, o, err)
	return web.Render(w, r, status, views.LotPage(h.page(r, lot.Title), lot))
}

// bidPanel writes into a panel what came of a bid, and returns the status.
func (h *house) bidPanel(
	panel *views.Panel, w http.ResponseWriter, r *http.Request, offer auction.Offer, o auction.Outcome, err error,
) int {
	typed := r.PostFormValue("amount")
	switch {
	case err == nil && o.Bid.ID == 0: // nothing was judged yet
		h.ask(panel, typed, offer, o)
		return http.StatusOK
	case err == nil:
		panel.Notice = fmt.Sprintf("Your bid of %s is in.", h.Currency.Format(o.Bid.Amount))
		return bidStatus(w, o)
	}
	p := told(err)
	p.headers(w)
	panel.Refused = p.code != errAmount.code && o.Verdict != auction.Leading
	switch p.code {
	case "leading":
		h.ask(panel, typed, offer, o)
	case errAmount.code:
		panel.Amount = typed
		panel.Mistake = fmt.Sprintf("Write an amount like %s.", panel.FloorText)
	case "price_too_low":
		panel.Notice = fmt.Sprintf("Your bid of %s%s was too low.", panel.Symbol, strings.TrimSpace(typed))
		if panel.Kind == views.PanelForm {
			panel.Notice += " The lowest bid is " + panel.Floor + "."
		}
	case "auction_closed":
		panel.Notice = tooLate(o.Auction)
	case "idempotency_key_reused":
		panel.Amount = typed
		panel.Notice = "This form was used for another bid already: look at the bids below. Nothing new was placed."
	case "unauthenticated":
		panel.Kind = views.PanelSignIn
		panel.Notice = "You are not signed in any more. Your bid was not placed."
	case "rate_limited", "unavailable":
		panel.Amount = typed
		panel.Notice = p.title + " " + p.detail
		panel.RequestID = r.PostFormValue("request_id") // the same bid may be sent again
	default:
		panel.Amount = typed
		panel.Notice = p.title
	}
	return p.status
}

// tooLate tells when a bid came and when the lot ended, both with their day
// where it is not the same one.
func tooLate(a auction.Auction) string {
	came, ended, form := a.Now.UTC(), a.EndTime.UTC(), "15:04:05.000"
	if a.Status == auction.Withdrawn {
		return "This lot was withdrawn. Your bid was not placed."
	}
	if came.Format(time.DateOnly) != ended.Format(time.DateOnly) {
		form = "Mon 2 Jan 2006, " + form
	}
	return fmt.Sprintf("Your bid came at %s, too late: the lot ended at %s.", came.Format(form+" MST"), ended.Format(form))
}
