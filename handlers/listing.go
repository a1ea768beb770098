package handlers

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"rostrum/store/auction"
)

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
	if err := readForm(r); err != nil {
		return auction.Listing{}, err
	}
	id, err := auction.ParseRequestID(r.PostForm.Get("request_id"))
	if err != nil {
		return auction.Listing{}, errKeyInvalid
	}
	l, _ := h.readTerms(r, mistakes, nil)
	l.RequestID = &id
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
