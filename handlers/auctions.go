package handlers

import (
	"net/http"
	"strconv"

	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

const lastBids = 8

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

// auctionID reads the id in the address. What is no id is the id of nothing.
func auctionID(r *http.Request) (int64, error) { return readID(r.PathValue("id")) }

func readID(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 || strconv.FormatInt(id, 10) != text {
		return 0, auction.ErrNotFound
	}
	return id, nil
}
