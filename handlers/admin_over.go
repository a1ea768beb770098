package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

// listOver is what has closed or was withdrawn.
func (h *house) listOver(w http.ResponseWriter, r *http.Request) error {
	filter, query := readOver(r)
	after, err := readPlace(r)
	if err != nil {
		return err
	}
	query.After, query.Limit = after, lotsPerPage+1
	lots, err := h.overLots(r, query, filter)
	switch {
	case errors.As(err, &filter.Mistakes):
		page := views.OverLots{Filter: filter}
		return web.Render(w, r, http.StatusUnprocessableEntity, views.OverLotsPage(h.page(r, "Closed lots"), page))
	case err != nil:
		return err
	}
	lots, next := cut(lots, lotsPerPage, func(o store.Overseen) string { return writePlace(o.Over()) })
	page := views.OverLots{Filter: filter, Next: h.nextOf(r, "/admin/closed", next)}
	for _, lot := range lots {
		page.Lines = append(page.Lines, h.overLine(lot))
	}
	return web.Render(w, r, http.StatusOK, views.OverLotsPage(h.page(r, "Closed lots"), page))
}

// overLots reads a page of what a sound filter leaves.
func (h *house) overLots(r *http.Request, q store.OverQuery, f views.Filter) ([]store.Overseen, error) {
	if len(f.Mistakes) > 0 {
		return nil, f.Mistakes
	}
	lots, err := h.Store.OverLots(r.Context(), q)
	switch {
	case errors.Is(err, auction.ErrNoMatch):
		return nil, auction.Mistakes{"person": "Nobody is called that."}
	case errors.Is(err, auction.ErrManyMatch):
		return nil, auction.Mistakes{"person": "More than 50 people are called that. Write more of the name."}
	default:
		return lots, err
	}
}

// readOver reads which lots are asked for. The days of the period are those of
// the admin's own zone, or UTC where they have not chosen one.
func readOver(r *http.Request) (views.Filter, store.OverQuery) {
	f := readFilter(r, "outcome", "q", "person", "from", "to")
	q := store.OverQuery{Called: f.Values["person"]}
	switch phase := auction.Phase(f.Values["outcome"]); phase {
	case "", auction.Sold, auction.Unsold, auction.CalledOff:
		q.Phase = phase
	default:
		f.Values["outcome"] = ""
	}
	if id, err := readID(f.Values["q"]); err == nil {
		q.Lot = id
	} else {
		q.Words = f.Values["q"]
	}
	zone, err := time.LoadLocation(reader(r).Zone)
	if err != nil {
		zone = time.UTC
	}
	day := func(field string, more int) *time.Time {
		if f.Values[field] == "" {
			return nil
		}
		begins, err := time.ParseInLocation(time.DateOnly, f.Values[field], zone)
		if err != nil {
			f.Mistakes[field] = "Write a day like 2026-11-30."
		}
		begins = begins.AddDate(0, 0, more)
		return &begins
	}
	q.From, q.To = day("from", 0), day("to", 1)
	return f, q
}

// readFilter reads what a list is narrowed to.
func readFilter(r *http.Request, names ...string) views.Filter {
	f := views.Filter{Values: map[string]string{}, Mistakes: auction.Mistakes{}}
	for _, name := range names {
		text := strings.ToValidUTF8(strings.ReplaceAll(r.FormValue(name), "\x00", ""), "")
		f.Values[name] = strings.Join(strings.Fields(text), " ")
		if len(text) > 300 {
			f.Mistakes[name] = "Use fewer words."
		}
	}
	return f
}

// nextOf is the address of a list's next page, "" on the last.
func (h *house) nextOf(r *http.Request, path string, next *string) string {
	if next == nil {
		return ""
	}
	query := url.Values{}
	for name, values := range r.URL.Query() {
		if values[0] != "" {
			query.Set(name, values[0])
		}
	}
	query.Set("cursor", *next)
	return path + "?" + query.Encode()
}

func (h *house) overLine(o store.Overseen) views.OverLine {
	line := views.OverLine{ID: o.ID, Title: o.Title, Phase: o.State().Phase(), Seller: who(o.Seller),
		Start: o.StartTime, End: o.EndTime, Closed: *o.ClosedAt, Bids: o.BidCount}
	if line.Phase == auction.Sold {
		line.Price, line.Winner = h.Currency.Format(o.CurrentPrice), maybeWho(o.Leader)
	}
	return line
}
