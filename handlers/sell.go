package handlers

import (
	"errors"
	"net/http"
	"strconv"

	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

// showSellForm is where a seller lists a lot, or one that is over again.
func (h *house) showSellForm(w http.ResponseWriter, r *http.Request) error {
	person, err := h.seller(w, r)
	if err != nil || person == nil {
		return err
	}
	form := views.SellForm{RequestID: auction.NewRequestID().String(), Zone: zoneOf(person)}
	if from := r.FormValue("from"); from != "" {
		old, err := h.oldLot(r, from, *person)
		if err != nil {
			return err
		}
		form.Values = h.textsAndPrices(old)
	}
	return h.sellForm(w, r, http.StatusOK, form)
}

// seller is who asks, where they may sell. Somebody who may not is told how to
// change that, and nil is returned.
func (h *house) seller(w http.ResponseWriter, r *http.Request) (*auction.Person, error) {
	person, err := signedIn(r)
	switch {
	case err != nil:
		return nil, err
	case person.Seller:
		return &person, nil
	case web.PrefersJSON(r):
		return nil, auction.ErrNotSeller
	default:
		return nil, web.Render(w, r, http.StatusForbidden, views.SellingOffPage(h.page(r, "Selling is off")))
	}
}

// oldLot is a lot of one's own that is over.
func (h *house) oldLot(r *http.Request, from string, person auction.Person) (auction.Auction, error) {
	id, err := readID(from)
	if err != nil {
		return auction.Auction{}, err
	}
	old, err := h.Store.Auction(r.Context(), id)
	switch {
	case err != nil:
		return old, err
	case old.SellerID != person.ID:
		return old, auction.ErrNotYours
	case !old.State().Over():
		return old, auction.ErrStillOpen
	default:
		return old, nil
	}
}

func (h *house) textsAndPrices(a auction.Auction) map[string]string {
	return map[string]string{
		"title": a.Title, "description": a.Description,
		"startingPrice": h.Currency.Text(a.StartingPrice), "minIncrement": h.Currency.Text(a.MinIncrement),
	}
}

func (h *house) sellForm(w http.ResponseWriter, r *http.Request, status int, form views.SellForm) error {
	page := h.page(r, "List a lot")
	if form.AuctionID != 0 {
		page.Title = "Edit lot " + strconv.FormatInt(form.AuctionID, 10)
	} else {
		page.Path = "/sell" // a refused form was sent to another address
	}
	return web.Render(w, r, status, views.SellPage(page, form))
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
	form, status, ok := h.refusedTerms(r, err, nil)
	if !ok {
		return err
	}
	form.RequestID = r.PostForm.Get("request_id")
	if form.Notice != "" {
		form.RequestID = auction.NewRequestID().String() // the one that was sent may be what is wrong
	}
	return h.sellForm(w, r, status, form)
}

// refusedTerms is the form of a refused listing or edit, with what is wrong,
// what was typed and what the times mean. Not ok: it is no matter of the form.
func (h *house) refusedTerms(r *http.Request, err error, stands *auction.Auction) (form views.SellForm, status int, ok bool) {
	p := told(err)
	if p.status >= 500 || p.status == http.StatusRequestEntityTooLarge {
		return form, p.status, false
	}
	form = views.SellForm{Fields: typed(r, nil), ZoneFixed: true}
	if !errors.As(err, &form.Mistakes) {
		form.Notice = p.title
	}
	_, form.Times = h.readTerms(r, auction.Mistakes{}, stands)
	form.Zone = readZone(r, r.PostForm, auction.Mistakes{}).String()
	return form, p.status, true
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
