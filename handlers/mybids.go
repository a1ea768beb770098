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

// mostOver is how far lots that are over are counted.
const mostOver = 200

// parts are the tabs of "my bids".
var parts = []struct {
	part store.Part
	text string
}{{store.AllBids, "All"}, {store.Leading, "Leading"}, {store.Outbid, "Outbid"}, {store.Won, "Won"}, {store.Lost, "Lost"}}

type myBidJSON struct {
	auctionJSON
	Standing views.Standing `json:"standing"`
	LastBid  *string        `json:"lastBid"`
}

// listMyBids are the lots that the reader bid on.
func (h *house) listMyBids(w http.ResponseWriter, r *http.Request) error {
	person, err := signedIn(r)
	if err != nil {
		return err
	}
	part, after, err := readPart(r)
	if err != nil {
		return err
	}
	lots, err := h.Store.BidOn(r.Context(), person.ID, part, after, lotsPerPage+1)
	if err != nil {
		return err
	}
	lots, next := cut(lots, lotsPerPage, func(l store.Listed) string { return writePartCursor(part, l.Mark()) })
	if web.PrefersJSON(r) {
		return h.writeMyBids(w, lots, person, next)
	}
	counts, err := h.Store.BidCounts(r.Context(), person.ID, mostOver+1)
	if err != nil {
		return err
	}
	list := views.List{Heading: "My bids", Rows: h.rows(r, lots, r.URL.RequestURI()), Stream: streamOf(lots)}
	for i, lot := range lots {
		if lot.Own != nil {
			list.Rows[i].LastBid = h.Currency.Format(*lot.Own)
		}
	}
	if next != nil {
		list.Next = partPath(part) + "cursor=" + url.QueryEscape(*next)
	}
	return web.Render(w, r, http.StatusOK, views.MyBidsPage(h.page(r, list.Heading), list, string(part), partTabs(part, counts)))
}

func (h *house) writeMyBids(w http.ResponseWriter, lots []store.Listed, person auction.Person, next *string) error {
	items := make([]myBidJSON, len(lots))
	for i, lot := range lots {
		items[i] = myBidJSON{auctionJSON: h.auctionJSON(lot.Auction), Standing: standing(lot.State(), person.ID, lot.Own)}
		if lot.Own != nil {
			text := h.Currency.Text(*lot.Own)
			items[i].LastBid = &text
		}
	}
	return writeJSON(w, http.StatusOK, list[myBidJSON]{items, next})
}

func partTabs(current store.Part, counts map[store.Part]int) []views.Tab {
	tabs := make([]views.Tab, len(parts))
	for i, p := range parts {
		tabs[i] = views.Tab{Text: p.text, Path: strings.TrimRight(partPath(p.part), "?&"), Current: p.part == current}
		switch n, counted := counts[p.part]; {
		case !counted:
		case n > mostOver && (p.part == store.Won || p.part == store.Lost):
			tabs[i].Count = fmt.Sprintf("over %d", mostOver)
		default:
			tabs[i].Count = strconv.Itoa(n)
		}
	}
	return tabs
}

// partPath is the address of a part, to which a parameter can be added.
func partPath(part store.Part) string {
	if part == store.AllBids {
		return "/bids?"
	}
	return "/bids?part=" + string(part) + "&"
}

func readPart(r *http.Request) (store.Part, *store.Mark, error) {
	part := store.Part(r.FormValue("part"))
	if part == "" {
		part = store.AllBids
	}
	known := false
	for _, p := range parts {
		known = known || p.part == part
	}
	if !known {
		return part, nil, &problem{status: 400, code: "unreadable", title: "The part is all, leading, outbid, won or lost."}
	}
	text := r.FormValue("cursor")
	if text == "" {
		return part, nil, nil
	}
	var m store.Mark
	fields := strings.Split(text, ".")
	if len(fields) != 3 {
		return part, nil, errCursor
	}
	var err1, err2 error
	m.Key, err1 = strconv.ParseInt(fields[1], 10, 64)
	m.ID, err2 = strconv.ParseInt(fields[2], 10, 64)
	if err1 != nil || err2 != nil || writePartCursor(part, m) != text || m.Key > store.LastMicros || m.Key < 0 {
		return part, nil, errCursor
	}
	return part, &m, nil
}

// A cursor of my bids is the place behind which the next page begins:
// "part.end.id".
func writePartCursor(part store.Part, m store.Mark) string {
	return fmt.Sprintf("%s.%d.%d", part, m.Key, m.ID)
}
