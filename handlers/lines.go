package handlers

import (
	"net/http"
	"net/url"
	"strconv"

	"rostrum/store"
	"rostrum/views"
)

// rows are lots as lines of a list that lies at an address.
func (h *house) rows(r *http.Request, lots []store.Listed, address string) []views.Row {
	reader := readerID(r)
	rows := make([]views.Row, len(lots))
	for i, lot := range lots {
		state := lot.State()
		rows[i] = views.Row{
			ID: lot.ID, Title: lot.Title, SellerAlias: lot.SellerAlias, Standing: standing(state, reader, lot.Own),
			Live: h.rowState(state),
			Star: &views.Star{AuctionID: lot.ID, Title: lot.Title, Watched: lot.Watched, Path: address},
		}
	}
	return rows
}

// streamOf is the address of the one stream that keeps a list's lines current,
// "" where all its lots are over.
func streamOf(lots []store.Listed) string {
	watched := url.Values{}
	for _, lot := range lots {
		if !lot.State().Over() {
			watched.Add("auction", strconv.FormatInt(lot.ID, 10))
		}
	}
	if len(watched) == 0 {
		return ""
	}
	return "/events?" + watched.Encode()
}

// writeLots answers with a page of lots as JSON.
func (h *house) writeLots(w http.ResponseWriter, lots []store.Listed, next *string) error {
	items := make([]auctionJSON, len(lots))
	for i, lot := range lots {
		items[i] = h.auctionJSON(lot.Auction)
	}
	return writeJSON(w, http.StatusOK, list[auctionJSON]{items, next})
}
