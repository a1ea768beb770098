package main

import (
	"testing"
	"time"
)

// The price may go as high as it can while somebody writes a bid: the form goes,
// and says why.
func TestBrowserOffersNoBidThatCannotBeWritten(t *testing.T) {
	browserTest(t)
	h := open(t, time.Second)
	seller, ben := h.add("Sam Seller", "--seller"), h.add("Ben Bidder")
	h.add("Ann Bidder")
	lot := h.lot(seller, "Steel wristwatch", time.Hour)
	ann, asked := h.tab("Ann", h.url), h.tab("Ann, elsewhere", h.url)
	for _, b := range []*tab{ann, asked} {
		b.open("/login?next=" + lot)
		b.signIn("ann.bidder@example.com")
		b.see("#connection", "live")
		b.fill("#amount", "999999999999")
	}
	asked.click("#bid .go")
	asked.see("#ask", "Bid $999,999,999,999.00?")

	h.bid(ben, lot, "999999999999.99")
	for _, b := range []*tab{ann, asked} {
		b.see("#panel", "The price is as high as it can go here. Nobody can bid more.")
		b.see("#live", "Nobody can bid more.")
		b.miss("#panel form", "")
		b.miss("#ask", "")
		b.miss("#dock a", "")
		b.until("it is said", `["Nobody can bid more.", "Price $999,999,999,999.99, nobody can bid more."].includes(document.querySelector("#said").textContent)`)
		b.see("#connection", "live")
	}
}
