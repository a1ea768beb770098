package main

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Between the end of a lot and its closing nobody has won yet, and no page says
// so; however long it takes.
func TestBrowserEndBeingConfirmed(t *testing.T) {
	browserTest(t)
	h := open(t, time.Second)
	seller := h.add("Sam Seller", "--seller")
	h.add("Ann Bidder")
	ann, late := h.tab("Ann", h.url), h.tab("who came late", h.url)
	ann.open("/login")
	ann.signIn("ann.bidder@example.com")
	ann.see(".person", "Ann")

	database := h.database()
	lot := h.lot(seller, "A sundial", 12*time.Second)
	ann.open(lot)
	ann.bids("")
	ann.see("#panel", "You are leading.")
	ann.stays()
	_, err := database.Exec(t.Context(), "BEGIN; SELECT FROM auction FOR UPDATE") // the house cannot close what somebody holds
	must(t, err)
	ann.see("#live", "Ended Ended, being confirmed.")
	ann.miss("#live", "Next bid")
	late.open(lot)
	late.see("#live", "Ended, being confirmed.")
	late.see("#panel", "Ended, being confirmed.")
	late.miss("#live", "Next bid")
	late.stays()
	if eval[bool](ann, `/won|sold/i.test(document.querySelector("main").innerText)`) {
		t.Error("a result is told that is none yet")
	}

	_, err = database.Exec(t.Context(), "ROLLBACK")
	must(t, err)
	ann.see("#result", "You won. The lot is yours for $11.00.")
	late.see("#result", "Sold for $11.00 to ")
	ann.stayed()
	late.stayed()
}

// database is a connection to the house's database.
func (h *house) database() *pgx.Conn {
	h.t.Helper()
	database, err := pgx.Connect(context.Background(), h.run("", "db", "url"))
	must(h.t, err)
	h.t.Cleanup(func() { database.Close(context.Background()) })
	return database
}
