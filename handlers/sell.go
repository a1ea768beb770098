package handlers

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"time"

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
	var mistakes auction.Mistakes
	if errors.As(err, &mistakes) && !web.PrefersJSON(r) {
		return h.sellForm(w, r, http.StatusUnprocessableEntity, typed(r, mistakes), r.FormValue("zone"), r.FormValue("request_id"))
	}
	if err != nil {
		return err
	}
	if !web.PrefersJSON(r) {
		http.Redirect(w, r, auctionPath(a.ID), http.StatusSeeOther)
		return nil
	}
	w.Header().Set("Location", auctionPath(a.ID))
	return writeJSON(w, http.StatusCreated, h.auctionJSON(a))
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

// readListing reads a listing from a form or from JSON; what is wrong with its
// fields is a Mistakes.
func (h *house) readListing(r *http.Request) (auction.Listing, error) {
	read := h.readListingJSON
	if isForm(r) {
		read = h.readListingForm
	}
	mistakes := auction.Mistakes{}
	listing, err := read(r, mistakes)
	if err != nil {
		return listing, err
	}
	listing = listing.Tidy()
	if mistakes = listing.Check(mistakes); mistakes != nil {
		return listing, mistakes
	}
	return listing, nil
}

func (h *house) readListingJSON(r *http.Request, mistakes auction.Mistakes) (auction.Listing, error) {
	var body struct {
		Title         string          `json:"title"`
		Description   string          `json:"description"`
		StartingPrice json.RawMessage `json:"startingPrice"`
		MinIncrement  json.RawMessage `json:"minIncrement"`
		StartTime     string          `json:"startTime"`
		EndTime       string          `json:"endTime"`
	}
	if err := readJSON(r, &body); err != nil {
		return auction.Listing{}, err
	}
	l := auction.Listing{Title: body.Title, Description: body.Description}
	if key := r.Header.Get("Idempotency-Key"); key != "" {
		id, err := auction.ParseRequestID(key)
		if err != nil {
			return l, errKeyInvalid
		}
		l.RequestID = &id
	}
	l.StartingPrice = h.amount(mistakes, "startingPrice", amountText(body.StartingPrice), h.Currency.Parse)
	l.MinIncrement = h.amount(mistakes, "minIncrement", amountText(body.MinIncrement), h.Currency.Parse)
	if body.StartTime != "" {
		start := moment(mistakes, "startTime", body.StartTime)
		l.StartTime = &start
	}
	l.EndTime = moment(mistakes, "endTime", body.EndTime)
	return l, nil
}

func (h *house) readListingForm(r *http.Request, mistakes auction.Mistakes) (auction.Listing, error) {
	if err := r.ParseForm(); err != nil {
		return auction.Listing{}, errUnreadable
	}
	zone, err := time.LoadLocation(r.FormValue("zone"))
	if err != nil || r.FormValue("zone") == "Local" {
		return auction.Listing{}, &problem{status: 400, code: "unreadable", title: "The time zone is not known."}
	}
	id, err := auction.ParseRequestID(r.FormValue("request_id"))
	if err != nil {
		return auction.Listing{}, errKeyInvalid
	}
	l := auction.Listing{RequestID: &id, Title: r.FormValue("title"), Description: r.FormValue("description")}
	l.StartingPrice = h.amount(mistakes, "startingPrice", r.FormValue("startingPrice"), h.Currency.ParseForm)
	l.MinIncrement = h.amount(mistakes, "minIncrement", r.FormValue("minIncrement"), h.Currency.ParseForm)
	if text := r.FormValue("startTime"); text != "" {
		start := localMoment(mistakes, "startTime", text, zone)
		l.StartTime = &start
	}
	l.EndTime = localMoment(mistakes, "endTime", r.FormValue("endTime"), zone)
	return l, nil
}

func (h *house) amount(mistakes auction.Mistakes, field, text string, parse func(string) (auction.Money, error)) auction.Money {
	amount, err := parse(text)
	if err != nil {
		example, _ := h.Currency.Parse("10")
		mistakes[field] = fmt.Sprintf("Write an amount like %s, with at most %s.", h.Currency.Text(example), decimals(h.Currency.Digits))
	}
	return amount
}

func decimals(n int) string {
	switch n {
	case 0:
		return "12 digits and no decimals"
	case 1:
		return "12 digits and one decimal"
	default:
		return "12 digits and " + strconv.Itoa(n) + " decimals"
	}
}

// moment reads an instant of RFC 3339.
func moment(mistakes auction.Mistakes, field, text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		mistakes[field] = "Write an instant like 2026-11-30T14:05:00Z."
	}
	return t
}

// localMoment reads what an <input type="datetime-local"> sends, in a zone.
// An hour that a clock change skips there is no time at all; of one that it
// repeats the first is meant.
func localMoment(mistakes auction.Mistakes, field, text string, zone *time.Location) time.Time {
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05"} {
		t, err := time.ParseInLocation(layout, text, zone)
		if err != nil {
			continue
		}
		if t.Format(layout) != text {
			mistakes[field] = "The clocks are put forward over this time: there is no such time on that day."
		}
		return t
	}
	mistakes[field] = "Choose a day and a time."
	return time.Time{}
}

// typed keeps what was typed into a form, with the mistakes in it.
func typed(r *http.Request, mistakes auction.Mistakes) views.Fields {
	values := map[string]string{}
	for name := range r.PostForm {
		values[name] = r.PostForm.Get(name)
	}
	delete(values, "password")
	return views.Fields{Values: values, Mistakes: mistakes}
}

func auctionPath(id int64) string { return "/auctions/" + strconv.FormatInt(id, 10) }

func isForm(r *http.Request) bool {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return kind == "application/x-www-form-urlencoded"
}
