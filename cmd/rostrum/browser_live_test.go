package main

import (
	"fmt"
	"testing"
	"time"
)

// A page that missed something shows the present state as soon as it hears of
// the house again: whether its stream was cut, never came about, or the whole
// house was away.
func TestBrowserCatchesUp(t *testing.T) {
	browserTest(t)
	h := open(t, time.Second)
	seller, bidder := h.add("Sam Seller", "--seller"), h.add("Ben Bidder")
	lot := h.lot(seller, "A barometer", time.Hour)
	line := lineTo(t, h)
	early, late := h.tab("who was there", line.URL), h.tab("who came late", line.URL)
	early.net.breaks()
	late.net.breaks()

	early.open(lot)
	early.see("#connection", "live")
	early.see("#live", "$10.00")
	early.stays()

	// The stream is cut, and does not come back for some time.
	began := time.Now()
	line.goDown()
	early.see("#connection", "reconnecting")
	h.bid(bidder, lot, "20")

	// The page comes, its stream does not.
	late.open(lot)
	late.see("#live", "$20.00")
	late.stays()
	h.bid(bidder, lot, "30")
	eventually(t, "the streams were away for 5 seconds", func() bool { return line.tries() >= 4 && time.Since(began) > 5*time.Second })
	early.see("#live", "$10.00")
	late.see("#live", "$20.00")
	late.miss("#connection", "live")

	line.comeBack()
	for _, page := range []*tab{early, late} {
		page.see("#live", "$30.00")
		page.see("#bids", "$30.00")
		page.see("#connection", "live")
	}

	// The house goes and comes back, with the same data.
	h.stop()
	for _, page := range []*tab{early, late} {
		page.see("#connection", "reconnecting")
	}
	h.start()
	h.bid(bidder, lot, "40") // before any page has found the way
	line.leadTo(t, h)
	for _, page := range []*tab{early, late} {
		page.see("#live", "$40.00")
		page.see("#connection", "live")
		page.stayed()
		if now, _ := page.net.open(); now != 1 {
			t.Errorf("%s has %d streams", page.net.name, now)
		}
	}
	eventually(t, "two pages hold two streams", func() bool { return h.streams() == 2 })
	h.bid(bidder, lot, "50")
	early.see("#live", "$50.00")
	late.see("#live", "$50.00")
}

// Whichever script comes last, the page has its stream and follows it.
func TestBrowserSlowScripts(t *testing.T) {
	browserTest(t)
	h := open(t, time.Second)
	seller, bidder := h.add("Sam Seller", "--seller"), h.add("Ben Bidder")
	lot := h.lot(seller, "A telegraph", time.Hour)
	line := lineTo(t, h)
	for i, late := range []string{"/static/htmx", "/static/hx-sse", "/static/app"} {
		price := fmt.Sprintf("$%d.00", 20+i)
		line.slowWith(late)
		page := h.tab("who waits for "+late, line.URL)
		page.open(lot)
		page.see("#connection", "live")
		h.bid(bidder, lot, price[1:])
		page.see("#live", price)
		page.see("#said", "Price "+price)
	}
}

// The home page keeps all its prices right by one stream, which goes on when
// a lot is over.
func TestBrowserHomePage(t *testing.T) {
	browserTest(t)
	h := open(t, time.Second)
	seller, ben := h.add("Sam Seller", "--seller"), h.add("Ben Bidder")
	h.add("Ann Bidder")
	globe := h.lot(seller, "A globe", time.Hour)

	ann, looker := h.tab("Ann", h.url), h.tab("a looker", h.url)
	ann.open("/login?next=" + globe)
	ann.signIn("ann.bidder@example.com")
	ann.see("h1", "A globe")
	ann.bids("")
	ann.see("#panel", "You are leading.")

	clock := h.lot(seller, "A clock", 12*time.Second)
	ann.click(".bar .name")
	looker.open("/")
	rows := `[...document.querySelectorAll(".row h2")].map(h => h.innerText).join()`
	looker.until("what ends first stands first", rows+` === "A clock,A globe"`)
	for _, page := range []*tab{ann, looker} {
		page.see("h1", "Open auctions")
		page.stays()
	}
	h.bid(ben, clock, "12")
	looker.see(row(clock), "$12.00")
	ann.see(row(globe), "You are leading")
	looker.miss(row(globe), "You are leading")

	h.bid(ben, globe, "15")
	ann.see(row(globe), "$15.00")
	ann.see(row(globe), "You have been outbid")
	looker.see(row(globe), "$15.00")
	looker.miss(row(globe), "outbid")
	if now, ever := looker.net.open(); now != 1 || ever != 1 {
		t.Errorf("the home page has %d streams open, and had %d", now, ever)
	}
	if n := h.streams(); n != 2 {
		t.Errorf("%d streams are open for two pages", n)
	}

	looker.see(row(clock), "Sold")
	h.bid(ben, globe, "25")
	looker.see(row(globe), "$25.00")
	if now, ever := looker.net.open(); now != 1 || ever != 1 {
		t.Errorf("when a lot was over the home page had %d streams open, and %d in all", now, ever)
	}
	for _, page := range []*tab{ann, looker} {
		page.stayed()
	}
}

// A tab that nobody sees gives its stream up: browsers hold six connections
// to a house. Seen again, it shows what is true then.
func TestBrowserHiddenTab(t *testing.T) {
	browserTest(t)
	h := open(t, time.Second)
	seller, bidder := h.add("Sam Seller", "--seller"), h.add("Ben Bidder")
	lot := h.lot(seller, "A sextant", time.Hour)
	page := h.tab("Ann", h.url)
	page.open(lot)
	page.see("#connection", "live")
	page.stays()

	other := page.beside()
	if !eval[bool](page, "document.hidden") {
		t.Skip("this browser has no hidden tabs")
	}
	eventually(t, "the hidden tab has no stream", func() bool { now, _ := page.net.open(); return now == 0 && h.streams() == 0 })
	h.bid(bidder, lot, "33")
	other.open(lot)
	other.see("#live", "$33.00")
	other.see("#connection", "live")

	page.toFront()
	page.see("#live", "$33.00")
	page.see("#connection", "live")
	page.stayed()
	eventually(t, "one tab is seen and one stream is open", func() bool { return h.streams() == 1 })
	h.bid(bidder, lot, "44")
	page.see("#live", "$44.00")
}

// row is the line of a lot in a list.
func row(lot string) string { return `.row:has(a[href="` + lot + `"])` }
