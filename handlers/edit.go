package handlers

import (
	"errors"
	"net/http"
	"strconv"

	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

// showEditForm is where a seller changes a lot that nobody has bid on.
func (h *house) showEditForm(w http.ResponseWriter, r *http.Request) error {
	lot, err := h.changeable(r)
	if err != nil {
		return err
	}
	return h.sellForm(w, r, http.StatusOK, h.editForm(r, lot))
}

// editForm is a lot as it stands, as a form.
func (h *house) editForm(r *http.Request, lot auction.Auction) views.SellForm {
	form := views.SellForm{AuctionID: lot.ID, Version: lot.Version, Zone: zoneOf(reader(r))}
	zone := readZone(r, nil, auction.Mistakes{})
	form.Values = h.textsAndPrices(lot)
	form.Values["endTime"] = auction.LocalText(lot.EndTime, zone)
	if lot.State().Phase() == auction.Scheduled {
		form.Values["startTime"] = auction.LocalText(lot.StartTime, zone)
		form.StartStands = &lot.StartTime
	} else {
		form.Started = &lot.StartTime
	}
	form.EndStands = &lot.EndTime
	form.Times = readTimes(valuesOf(form.Values), auction.Mistakes{}, zone, &lot, lot.Now).meant
	return form
}

// editAuction changes a lot's terms.
func (h *house) editAuction(w http.ResponseWriter, r *http.Request) error {
	person, err := signedIn(r)
	if err != nil {
		return err
	}
	id, err := auctionID(r)
	if err != nil {
		return err
	}
	if !isForm(r) {
		return errUnreadable
	}
	if err := readForm(r); err != nil {
		return err
	}
	stands, err := h.Store.Auction(r.Context(), id)
	if err != nil {
		return err
	}
	lot, err := h.edit(r, stands, person)
	switch {
	case errors.Is(err, auction.ErrEdited) || errors.As(err, new(auction.Mistakes)):
		return h.refuseEdit(w, r, lot, err)
	case err != nil:
		return err
	case web.PrefersJSON(r):
		return writeJSON(w, http.StatusOK, h.auctionJSON(lot))
	default:
		http.Redirect(w, r, auctionPath(id), http.StatusSeeOther)
		return nil
	}
}

// edit reads the terms and has them judged. Whoever may not edit the lot is not
// told first what is wrong with the fields.
func (h *house) edit(r *http.Request, stands auction.Auction, person auction.Person) (auction.Auction, error) {
	if err := mayChange(stands, person); err != nil {
		return stands, err
	}
	version, err := strconv.ParseInt(r.PostForm.Get("version"), 10, 64)
	if err != nil {
		return stands, errUnreadable
	}
	mistakes := auction.Mistakes{}
	terms, _ := h.readTerms(r, mistakes, &stands)
	terms.SellerID = person.ID
	terms = terms.Tidy()
	if mistakes = terms.Check(mistakes); mistakes != nil {
		return stands, mistakes
	}
	return h.Store.Edit(r.Context(), auction.Edit{AuctionID: stands.ID, Version: version, Terms: terms})
}

// refuseEdit shows the form again with what was typed, and where somebody else
// was quicker with what the lot says now. Sent once more, it counts.
func (h *house) refuseEdit(w http.ResponseWriter, r *http.Request, lot auction.Auction, err error) error {
	if web.PrefersJSON(r) {
		return err
	}
	form, status, ok := h.refusedTerms(r, err, &lot)
	if !ok {
		return err
	}
	present := h.editForm(r, lot)
	form.AuctionID, form.Started = lot.ID, present.Started
	version, _ := strconv.ParseInt(r.PostForm.Get("version"), 10, 64) // it was read before
	form.Version = version
	if errors.Is(err, auction.ErrEdited) {
		form.Version = lot.Version
		form.Notice = "The lot was edited meanwhile, in another tab perhaps. Your text is still here, and where it differs, what the lot says now. Save again to put yours in its place."
		form.Stands = h.differing(r, lot, form)
	}
	return h.sellForm(w, r, status, form)
}

// differing is what a lot says where that is not what was typed, as the form
// would show it in its zone.
func (h *house) differing(r *http.Request, lot auction.Auction, form views.SellForm) map[string]string {
	zone := readZone(r, r.PostForm, auction.Mistakes{})
	now := h.textsAndPrices(lot)
	now["endTime"] = views.InWords(lot.EndTime.In(zone))
	terms, _ := h.readTerms(r, auction.Mistakes{}, &lot)
	terms = terms.Tidy()
	same := map[string]bool{
		"title": terms.Title == lot.Title, "description": terms.Description == lot.Description,
		"startingPrice": terms.StartingPrice.Cmp(lot.StartingPrice) == 0, "minIncrement": terms.MinIncrement.Cmp(lot.MinIncrement) == 0,
		"endTime": terms.EndTime.Equal(lot.EndTime),
	}
	if form.Started == nil {
		now["startTime"] = views.InWords(lot.StartTime.In(zone))
		same["startTime"] = terms.StartTime != nil && terms.StartTime.Equal(lot.StartTime)
	}
	for field := range now {
		if same[field] {
			delete(now, field)
		}
	}
	return now
}

// changeable is the lot of an address where its seller may still change it.
func (h *house) changeable(r *http.Request) (auction.Auction, error) {
	person, err := signedIn(r)
	if err != nil {
		return auction.Auction{}, err
	}
	id, err := auctionID(r)
	if err != nil {
		return auction.Auction{}, err
	}
	lot, err := h.Store.Auction(r.Context(), id)
	if err == nil {
		err = mayChange(lot, person)
	}
	return lot, err
}

// mayChange says early what the database would say. It judges again.
func mayChange(lot auction.Auction, person auction.Person) error {
	switch state := lot.State(); {
	case lot.SellerID != person.ID:
		return auction.ErrNotYours
	case person.Suspended:
		return auction.ErrSuspended
	case lot.Status == auction.Withdrawn:
		return auction.ErrWithdrawn
	case state.Over() || state.Phase() == auction.Confirming:
		return auction.ErrEnded
	case lot.BidCount > 0:
		return auction.ErrHasBids
	default:
		return nil
	}
}
