package handlers

import (
	"errors"
	"net/http"
	"strconv"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

// linesPerPart is how much of each kind stands on a lot's or person's page.
const linesPerPart = 10

// overseeLot shows admins all that the house knows of a lot.
func (h *house) overseeLot(w http.ResponseWriter, r *http.Request) error {
	id, err := auctionID(r)
	if err != nil {
		return err
	}
	return h.drawOverseen(w, r, http.StatusOK, id, views.Fields{})
}

// withdrawLot takes a lot out of the sale, whoever has bid on it.
func (h *house) withdrawLot(w http.ResponseWriter, r *http.Request) error {
	id, err := auctionID(r)
	if err != nil {
		return err
	}
	if err := readForm(r); err != nil {
		return err
	}
	_, err = h.Store.Withdraw(r.Context(), auction.Withdrawal{AuctionID: id, ActorID: readerID(r), ByAdmin: true, Reason: r.PostForm.Get("reason")})
	form := typed(r, nil)
	switch {
	case err == nil, errors.Is(err, auction.ErrWithdrawn):
		http.Redirect(w, r, "/admin/auctions/"+strconv.FormatInt(id, 10), http.StatusSeeOther)
		return nil
	case errors.As(err, &form.Mistakes):
		return h.drawOverseen(w, r, http.StatusUnprocessableEntity, id, form)
	case errors.Is(err, auction.ErrNotYours), errors.Is(err, auction.ErrSuspended): // an admin no more
		return errNoPage
	default:
		return err
	}
}

func (h *house) drawOverseen(w http.ResponseWriter, r *http.Request, status int, id int64, form views.Fields) error {
	before, err := readBefore(r)
	if err != nil {
		return err
	}
	lot, err := h.overseen(r, id, before)
	if err != nil {
		return err
	}
	lot.Form = form
	return web.Render(w, r, status, views.OverseenLotPage(h.page(r, lot.Auction.Title), lot))
}

// overseen reads the lot, its log from a version on, its events and what
// admins did to it.
func (h *house) overseen(r *http.Request, id, before int64) (views.OverseenLot, error) {
	o, err := h.Store.Overseen(r.Context(), id)
	if err != nil {
		return views.OverseenLot{}, err
	}
	bids, err := h.Store.LoggedBids(r.Context(), id, before, bidsPerPage+1)
	if err != nil {
		return views.OverseenLot{}, err
	}
	events, err := h.Store.EventsOf(r.Context(), id, newest, linesPerPart)
	if err != nil {
		return views.OverseenLot{}, err
	}
	deeds, err := h.Store.Audit(r.Context(), store.AuditQuery{AboutLot: id, Before: newest, Limit: linesPerPart})
	if err != nil {
		return views.OverseenLot{}, err
	}
	bids, next := cut(bids, bidsPerPage, func(b store.LoggedBid) string { return strconv.FormatInt(b.Version, 10) })
	phase := o.State().Phase()
	return views.OverseenLot{
		Auction: o.Auction, Start: h.Currency.Format(o.StartingPrice), Increment: h.Currency.Format(o.MinIncrement),
		Price: h.Currency.Format(o.CurrentPrice), Seller: who(o.Seller), Leader: maybeWho(o.Leader),
		Bids: h.loggedBids(bids), MoreBids: h.nextOf(r, "/admin/auctions/"+strconv.FormatInt(id, 10), next),
		Events: eventLines(events), Deeds: deedLines(deeds),
		MayBeWithdrawn: phase == auction.Scheduled || phase == auction.Running,
	}, nil
}

func (h *house) loggedBids(bids []store.LoggedBid) []views.LoggedBid {
	lines := make([]views.LoggedBid, len(bids))
	for i, b := range bids {
		lines[i] = views.LoggedBid{Version: b.Version, Bidder: who(b.Bidder), Amount: h.Currency.Format(b.Amount),
			RequestID: b.RequestID.String(), At: b.CreatedAt}
	}
	return lines
}
