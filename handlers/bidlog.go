package handlers

import (
	"net/http"
	"strconv"

	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

const bidsPerPage = 100

// listBids is the log of a lot.
func (h *house) listBids(w http.ResponseWriter, r *http.Request) error {
	id, err := auctionID(r)
	if err != nil {
		return err
	}
	before, err := readBefore(r)
	if err != nil {
		return err
	}
	bids, err := h.Store.Bids(r.Context(), id, before, bidsPerPage+1)
	if err != nil {
		return err
	}
	bids, next := cut(bids, bidsPerPage, func(b auction.Bid) string { return strconv.FormatInt(b.Version, 10) })
	if web.PrefersJSON(r) {
		return writeJSON(w, http.StatusOK, list[bidJSON]{h.bidsJSON(bids), next})
	}
	return h.drawLog(w, r, id, bids, next)
}

func (h *house) bidsJSON(bids []auction.Bid) []bidJSON {
	items := make([]bidJSON, len(bids))
	for i, b := range bids {
		items[i] = bidJSON{ID: b.ID, Version: b.Version, BidderID: b.BidderID, Alias: b.Alias,
			Amount: h.Currency.Text(b.Amount), CreatedAt: instant(b.CreatedAt)}
	}
	return items
}

func (h *house) drawLog(w http.ResponseWriter, r *http.Request, id int64, bids []auction.Bid, next *string) error {
	a, err := h.Store.Auction(r.Context(), id)
	if err != nil {
		return err
	}
	more := ""
	if next != nil {
		more = auctionPath(id) + "/bids?cursor=" + *next
	}
	return web.Render(w, r, http.StatusOK, views.BidLog(h.page(r, "Bids on "+a.Title), id, a.Title, h.bidLines(bids), more))
}
