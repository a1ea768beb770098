package handlers

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

const (
	lotsPerPage = 50
	lastBids    = 8
)

// listAuctions is the home page and the list: open lots ending soonest first,
// or closed ones.
func (h *house) listAuctions(w http.ResponseWriter, r *http.Request) error {
	query, err := readQuery(r)
	if err != nil {
		return err
	}
	lots, err := h.Store.Auctions(r.Context(), query)
	if err != nil {
		return err
	}
	lots, next := cut(lots, lotsPerPage, func(l store.Listed) string { return writeCursor(l.Mark()) })
	if web.PrefersJSON(r) {
		return h.writeLots(w, lots, next)
	}
	page := h.lotList(r, lots, query, next)
	return web.Render(w, r, http.StatusOK, views.Home(h.page(r, page.Heading), page))
}

// showAuction is a lot's page.
func (h *house) showAuction(w http.ResponseWriter, r *http.Request) error {
	id, err := auctionID(r)
	if err != nil {
		return err
	}
	if web.PrefersJSON(r) {
		a, err := h.Store.Auction(r.Context(), id)
		if err != nil {
			return err
		}
		return writeJSON(w, http.StatusOK, h.auctionJSON(a))
	}
	lot, err := h.lot(r, id)
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, views.LotPage(h.page(r, lot.Title), lot))
}

// readQuery reads which page of which list is asked for. One lot more than the
// page holds is read to know whether another page follows.
func readQuery(r *http.Request) (store.Query, error) {
	q := store.Query{Limit: lotsPerPage + 1, ReaderID: readerID(r)}
	switch status := r.FormValue("status"); status {
	case "", "open":
	case "closed":
		q.Closed = true
	default:
		return q, &problem{status: 400, code: "unreadable", title: "The status is open or closed."}
	}
	if cursor := r.FormValue("cursor"); cursor != "" {
		mark, err := readCursor(cursor)
		if err != nil {
			return q, err
		}
		q.After = &mark
	}
	return q, nil
}

// A cursor is the mark behind which the next page begins: "end-id".
func writeCursor(m store.Mark) string { return fmt.Sprintf("%d-%d", m.EndMicros, m.ID) }

func readCursor(text string) (store.Mark, error) {
	end, id, _ := strings.Cut(text, "-")
	var m store.Mark
	var err1, err2 error
	m.EndMicros, err1 = strconv.ParseInt(end, 10, 64)
	m.ID, err2 = strconv.ParseInt(id, 10, 64)
	if err1 != nil || err2 != nil || writeCursor(m) != text || m.EndMicros > store.LastMicros {
		return m, errCursor
	}
	return m, nil
}

// auctionID reads the id in the address. What is no id is the id of nothing.
func auctionID(r *http.Request) (int64, error) { return readID(r.PathValue("id")) }

func readID(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 || strconv.FormatInt(id, 10) != text {
		return 0, auction.ErrNotFound
	}
	return id, nil
}

// lotList draws a page of lots for a reader.
func (h *house) lotList(r *http.Request, lots []store.Listed, q store.Query, next *string) views.List {
	page := views.List{Heading: "Open auctions", Closed: q.Closed, Rows: h.rows(r, lots, r.URL.RequestURI()), Stream: streamOf(lots)}
	status := "open"
	if q.Closed {
		page.Heading, status = "Closed auctions", "closed"
	}
	if next != nil {
		page.Next = "/auctions?status=" + status + "&cursor=" + url.QueryEscape(*next)
	}
	return page
}
