package handlers

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"rostrum/store"
	"rostrum/views"
	"rostrum/web"
)

var errWatching = &problem{status: 400, code: "unreadable", title: "The request could not be read.", detail: "Say watching: true or false."}

type watchingJSON struct {
	AuctionID int64 `json:"auctionId"`
	Watching  bool  `json:"watching"`
}

// watch puts a lot on the reader's watch list or takes it off, as often as it
// is asked for.
func (h *house) watch(w http.ResponseWriter, r *http.Request) error {
	id, err := auctionID(r)
	if err != nil {
		return err
	}
	watching, err := readWatching(r)
	if err != nil {
		return err
	}
	person, err := signedIn(r)
	if err != nil {
		return h.askToSignIn(w, r, err)
	}
	change := h.Store.Unwatch
	if watching {
		change = h.Store.Watch
	}
	title, err := change(r.Context(), person.ID, id)
	if err != nil {
		return err
	}
	back := local(r.PostForm.Get("next"))
	switch {
	case web.PrefersJSON(r):
		return writeJSON(w, http.StatusOK, watchingJSON{id, watching})
	case web.IsHTMX(r):
		return web.Render(w, r, http.StatusOK, views.StarButton(views.Star{AuctionID: id, Title: title, Watched: watching, Path: back}))
	default:
		http.Redirect(w, r, back, http.StatusSeeOther)
		return nil
	}
}

func readWatching(r *http.Request) (bool, error) {
	var body struct {
		Watching *bool `json:"watching"`
	}
	if !isForm(r) {
		if err := readJSON(r, &body); err != nil {
			return false, err
		}
		if body.Watching == nil {
			return false, errWatching
		}
		return *body.Watching, nil
	}
	if err := readForm(r); err != nil {
		return false, err
	}
	watching, err := readYesNo(r.PostForm.Get("watching"))
	if err != nil {
		return false, errWatching
	}
	return watching, nil
}

// askToSignIn sends who is not signed in to the sign-in page, from which they
// come back to the page that the star stands on. For htmx there is nothing to
// put in the star's place: the browser goes there.
func (h *house) askToSignIn(w http.ResponseWriter, r *http.Request, err error) error {
	if web.PrefersJSON(r) {
		return err
	}
	address := "/login?next=" + url.QueryEscape(local(r.PostForm.Get("next")))
	if web.IsHTMX(r) {
		w.Header().Set("HX-Redirect", address)
		w.WriteHeader(http.StatusUnauthorized)
		return nil
	}
	http.Redirect(w, r, address, http.StatusSeeOther)
	return nil
}

// listWatched is the reader's watch list: open lots ending soonest first, then
// those that are over.
func (h *house) listWatched(w http.ResponseWriter, r *http.Request) error {
	person, err := signedIn(r)
	if err != nil {
		return err
	}
	after, err := readWatchCursor(r.FormValue("cursor"))
	if err != nil {
		return err
	}
	lots, err := h.Store.WatchList(r.Context(), person.ID, after, lotsPerPage+1)
	if err != nil {
		return err
	}
	lots, next := cut(lots, lotsPerPage, writeWatchCursor)
	if web.PrefersJSON(r) {
		return h.writeLots(w, lots, next)
	}
	list := views.List{Heading: "Watch list", Rows: h.rows(r, lots, r.URL.RequestURI()), Stream: streamOf(lots)}
	if next != nil {
		list.Next = "/watchlist?cursor=" + url.QueryEscape(*next)
	}
	return web.Render(w, r, http.StatusOK, views.WatchPage(h.page(r, list.Heading), list))
}

// A watch list's cursor is the place behind which the next page begins:
// "open.end.id" or "over.end.id".
func writeWatchCursor(l store.Listed) string {
	part, m := "open", l.WatchMark()
	if m.Over {
		part = "over"
	}
	return fmt.Sprintf("%s.%d.%d", part, m.Key, m.ID)
}

func readWatchCursor(text string) (*store.WatchMark, error) {
	if text == "" {
		return nil, nil //nolint:nilnil // no cursor is the beginning
	}
	var m store.WatchMark
	part, place, _ := strings.Cut(text, ".")
	end, id, _ := strings.Cut(place, ".")
	var err1, err2 error
	m.Over = part == "over"
	m.Key, err1 = strconv.ParseInt(end, 10, 64)
	m.ID, err2 = strconv.ParseInt(id, 10, 64)
	if err1 != nil || err2 != nil || part != "open" && part != "over" || m.Key > store.LastMicros || m.Key < -store.LastMicros {
		return nil, errCursor
	}
	return &m, nil
}
