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

// ownPhases are the phases of one's own lots on each tab.
var ownPhases = map[views.OwnState]auction.Phase{
	views.OwnOpen: auction.Running, views.OwnScheduled: auction.Scheduled,
	views.OwnSold: auction.Sold, views.OwnUnsold: auction.Unsold, views.OwnWithdrawn: auction.CalledOff,
}

// listOwnLots is a seller's own lots, those in one state.
func (h *house) listOwnLots(w http.ResponseWriter, r *http.Request) error {
	person, err := h.seller(w, r)
	if err != nil || person == nil {
		return err
	}
	state, query, err := readOwnQuery(r, person.ID)
	if err != nil {
		return err
	}
	lots, err := h.Store.OwnLots(r.Context(), query)
	if err != nil {
		return err
	}
	lots, next := cut(lots, lotsPerPage, func(l store.OwnLot) string { return writeOwnCursor(l.Mark()) })
	counts, err := h.Store.OwnCounts(r.Context(), person.ID)
	if err != nil {
		return err
	}
	page := views.OwnLots{State: state, Tabs: ownTabs(state, counts), MayList: !person.Suspended}
	if next != nil {
		page.Next = ownPath(state) + "&cursor=" + url.QueryEscape(*next)
	}
	page.Rows, page.Stream = h.ownRows(lots)
	return web.Render(w, r, http.StatusOK, views.OwnLotsPage(h.page(r, "My lots"), page))
}

func readOwnQuery(r *http.Request, sellerID int64) (views.OwnState, store.OwnQuery, error) {
	state := views.OwnState(r.FormValue("state"))
	if state == "" {
		state = views.OwnOpen
	}
	q := store.OwnQuery{SellerID: sellerID, Phase: ownPhases[state], Limit: lotsPerPage + 1}
	if !state.Known() {
		return state, q, &problem{status: 400, code: "unreadable", title: "The state is open, scheduled, sold, unsold or withdrawn."}
	}
	if cursor := r.FormValue("cursor"); cursor != "" {
		mark, err := readOwnCursor(cursor)
		if err != nil {
			return state, q, err
		}
		q.After = &mark
	}
	return state, q, nil
}

// A cursor of one's own lots is the mark behind which the next page begins.
func writeOwnCursor(m store.OwnMark) string { return fmt.Sprintf("%d-%d", m.Micros, m.ID) }

func readOwnCursor(text string) (store.OwnMark, error) {
	at, id, _ := strings.Cut(text, "-")
	var m store.OwnMark
	var err1, err2 error
	m.Micros, err1 = strconv.ParseInt(at, 10, 64)
	m.ID, err2 = strconv.ParseInt(id, 10, 64)
	if err1 != nil || err2 != nil || writeOwnCursor(m) != text || m.Micros > store.LastMicros {
		return m, errCursor
	}
	return m, nil
}

func ownPath(state views.OwnState) string { return "/lots?state=" + string(state) }

func ownTabs(current views.OwnState, counts map[auction.Phase]int) []views.Tab {
	var tabs []views.Tab
	for _, state := range views.OwnStates() {
		n := counts[ownPhases[state]]
		count := strconv.Itoa(n)
		if n >= store.MostCounted {
			count = strconv.Itoa(store.MostCounted) + "+"
		}
		text := strings.ToUpper(string(state[:1])) + string(state[1:])
		tabs = append(tabs, views.Tab{Text: text, Path: ownPath(state), Count: count, Current: state == current})
	}
	return tabs
}

func (h *house) ownRows(lots []store.OwnLot) (rows []views.OwnRow, stream string) {
	listed := make([]store.Listed, len(lots))
	for i, lot := range lots {
		rows = append(rows, views.OwnRow{ID: lot.ID, Title: lot.Title, WinnerAlias: lot.WinnerAlias, Live: h.rowState(lot.State())})
		listed[i].Auction = lot.Auction
	}
	return rows, streamOf(listed)
}
