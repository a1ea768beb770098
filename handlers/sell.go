package handlers

import (
	"errors"
	"net/http"
	"strconv"

	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

// showSellForm is where a seller lists a lot.
func (h *house) showSellForm(w http.ResponseWriter, r *http.Request) error {
	person, err := signedIn(r)
	if err != nil {
		return err
	}
	if !person.Seller {
		return auction.ErrNotSeller
	}
	return h.sellForm(w, r, http.StatusOK, views.Fields{}, "UTC", auction.NewRequestID().String())
}

func (h *house) sellForm(w http.ResponseWriter, r *http.Request, status int, form views.Fields, zone, requestID string) error {
	return web.Render(w, r, status, views.SellPage(h.page(r, "List a lot"), form, zone, requestID))
}

// createAuction lists a lot, by JSON or by form.
func (h *house) createAuction(w http.ResponseWriter, r *http.Request) error {
	person, err := h.maySell(r)
	if err != nil {
		return err
	}
	listing, err := h.readListing(r)
	listing.SellerID = person.ID
	var a auction.Auction
	if err == nil {
		a, err = h.Store.List(r.Context(), listing)
	}
	switch {
	case err != nil && isForm(r) && !web.PrefersJSON(r):
		return h.refuseListing(w, r, err)
	case err != nil:
		return err
	case !web.PrefersJSON(r):
		http.Redirect(w, r, auctionPath(a.ID), http.StatusSeeOther)
		return nil
	default:
		w.Header().Set("Location", auctionPath(a.ID))
		return writeJSON(w, http.StatusCreated, h.auctionJSON(a))
	}
}

// refuseListing shows the form again, with what is wrong and what was typed.
func (h *house) refuseListing(w http.ResponseWriter, r *http.Request, err error) error {
	p := told(err)
	if p.status >= 500 || p.status == http.StatusRequestEntityTooLarge {
		return err
	}
	form, id := typed(r, nil), r.PostForm.Get("request_id")
	if !errors.As(err, &form.Mistakes) {
		form.Notice = p.title
		id = auction.NewRequestID().String() // the one that was sent may be what is wrong
	}
	if form.Mistakes["zone"] != "" {
		form.Values["zone"] = "UTC"
	}
	return h.sellForm(w, r, p.status, form, "UTC", id)
}

func (h *house) maySell(r *http.Request) (auction.Person, error) {
	person, err := signedIn(r)
	switch {
	case err != nil:
		return person, err
	case person.Suspended:
		return person, auction.ErrSuspended
	case !person.Seller:
		return person, auction.ErrNotSeller
	default:
		return person, pass(r, h.limits.listings, byPerson(person.ID))
	}
}

func auctionPath(id int64) string { return "/auctions/" + strconv.FormatInt(id, 10) }
