package main

import (
	"testing"
	"time"
)

// A connection that died without a word is noticed by its silence: the page
// says how old what it shows is, makes the connection anew, and shows what is
// true then.
func TestBrowserNoticesASilentConnection(t *testing.T) {
	browserTest(t)
	h := open(t, time.Second)
	seller, ben := h.add("Sam Seller", "--seller"), h.add("Ben Bidder")
	lot := h.lot(seller, "A hydrometer", time.Hour)
	line := lineTo(t, h)
	page := h.tab("Ann", line.URL)
	page.net.breaks()
	page.before(`{ window.later = 0; const right = Date.now; Date.now = () => right() + window.later }`)
	page.open(lot)
	page.see("#connection", "live")
	page.miss("#connection", "last known")
	page.stays()

	line.freeze()
	h.bid(ben, lot, "20")
	page.see("#connection", "live") // nobody can know yet
	page.within("let time pass", script("window.later = 25000"))
	page.see("#connection", "reconnecting, last known 2")
	page.until("its age counts up", `/last known (2[7-9]|[3-9]\d) s ago/.test(document.querySelector("#connection").innerText)`)
	page.see("#live", "$10.00")
	page.within("let time pass", script("window.later = 150000"))
	page.see("#connection", "reconnecting, last known 3 min ago")

	line.thaw()
	page.see("#connection", "live")
	page.see("#live", "$20.00")
	page.miss("#connection", "last known")
	page.stayed()
	eventually(t, "one stream is open", func() bool { now, _ := page.net.open(); return now == 1 && h.streams() == 1 })
}
