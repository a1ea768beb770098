package handlers

import (
	"errors"
	"fmt"
	"net/http"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

const (
	lotsPerPage = 50
	mostCounted = 1000
)

// listAuctions is the home page and the list: open or closed lots, those that
// are looked for.
func (h *house) listAuctions(w http.ResponseWriter, r *http.Request) error {
	asked, err := h.readSearch(r)
	var mistakes auction.Mistakes
	if errors.As(err, &mistakes) && !web.PrefersJSON(r) {
		return h.drawSearch(w, r, http.StatusUnprocessableEntity, asked, views.List{Mistakes: mistakes})
	}
	if err != nil {
		return err
	}
	found, err := h.Store.Auctions(r.Context(), asked.query)
	if err != nil {
		return err
	}
	lots, next := cut(found.Lots, lotsPerPage, func(l store.Listed) string { return asked.writeCursor(l.Mark()) })
	if web.PrefersJSON(r) {
		return h.writeLots(w, lots, next)
	}
	list := views.List{Rows: h.rows(r, lots, asked.address("")), Stream: streamOf(lots)}
	if next != nil {
		list.Next = asked.address(*next)
	}
	if asked.query.After == nil {
		if list.Count, err = h.counted(r, asked.query, found); err != nil {
			return err
		}
	}
	return h.drawSearch(w, r, http.StatusOK, asked, list)
}

// counted counts the lots of a query in words.
func (h *house) counted(r *http.Request, q store.Query, first store.Page) (string, error) {
	n := max(len(first.Lots), first.Gathered)
	if n == q.Limit {
		var err error
		if n, err = h.Store.Count(r.Context(), q, mostCounted+1); err != nil {
			return "", err
		}
	}
	switch {
	case n > mostCounted:
		return "more than 1,000 lots", nil
	case n == 1:
		return "1 lot", nil
	default:
		return fmt.Sprintf("%d lots", max(n, len(first.Lots))), nil
	}
}

// drawSearch draws the whole page, or for htmx what was found, with the address
// at which it is found again.
func (h *house) drawSearch(w http.ResponseWriter, r *http.Request, status int, asked search, list views.List) error {
	list.Search, list.Closed = asked.drawn(), asked.query.Closed
	list.Heading = "Open auctions"
	if list.Closed {
		list.Heading = "Closed auctions"
	}
	page := h.page(r, list.Heading)
	if web.IsHTMX(r) {
		page.Path = asked.address("")
		w.Header().Set("HX-Push-Url", page.Path)
		return web.Render(w, r, status, views.Found(page, list))
	}
	return web.Render(w, r, status, views.Home(page, list))
}
