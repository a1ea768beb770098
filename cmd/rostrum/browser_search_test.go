package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// buyer is a tab of somebody who signed in and stands at a lot's list.
func (h *house) buyer(p person, path string) *tab {
	h.t.Helper()
	b := h.tab(p.email, h.url)
	b.open("/login?next=" + path)
	b.fill("#email", p.email)
	b.fill("#password", password)
	b.press(kb.Enter)
	b.see(".person", "")
	return b
}

func TestBrowserSearchKeepsItsAddress(t *testing.T) {
	browserTest(t)
	h := open(t, time.Second)
	seller := h.add("Sam Seller", "--seller")
	clock := h.lot(seller, "Café clock", time.Hour)
	h.lot(seller, "Silver vase", 72*time.Hour)
	ann := h.tab("Ann", h.url)
	zone, name := "America/New_York", "America/New York"
	if time.Now().UTC().Hour() < 7 { // there the day is nearly over, and the clock ends on the next
		zone, name = "Asia/Tokyo", "Asia/Tokyo"
	}
	ann.zone(zone)
	ann.open("/")
	ann.see(".row", "Silver vase")
	ann.see("#count", "2 lots")
	ann.stays()

	// By keyboard: the words, Enter.
	ann.tabTo("q")
	ann.press("CAFE" + kb.Enter)
	ann.miss(".row", "Silver vase")
	ann.see(".row", "Café clock")
	ann.see("#count", "1 lot")
	ann.until("the address is that of the search", `location.pathname + location.search === "/auctions?q=CAFE"`)
	ann.stayed()
	if now, _ := ann.net.open(); now != 1 {
		t.Errorf("%d streams are open for one page", now)
	}
	h.bid(h.add("Ben"), clock, "20")
	ann.see(".row", "$20.00") // what was found is live

	// By mouse: the order and the day are taken as soon as they are chosen.
	ann.click(".search summary")
	ann.click(".check input")
	ann.see("#found", "Today is the day in "+name+".")
	ann.until("the day is in the address", `new URLSearchParams(location.search).get("zone") === "`+zone+`"`)
	ann.fill("[name=from]", "a lot")
	ann.net.expect("422 /auctions")
	ann.click(".search .go")
	ann.see("#found", "Write an amount like 10.00")
	ann.stayed()

	// Back is where one was, and a lot that is opened there leads back too.
	ann.within("go back", script("history.back()"))
	ann.until("back at the day", `!location.search.includes("from=") && location.search.includes("ends=today")`)
	ann.see(".check input:checked", "")
	ann.within("go back", script("history.back()"))
	ann.until("back at the words", `location.search === "?q=CAFE"`)
	ann.holds("#q", "CAFE")
	ann.see(".row", "Café clock")
	ann.within("go back", script("history.back()"))
	ann.see(".row", "Silver vase")
	ann.holds("#q", "")
}

// Who goes back once more while a page is still coming is at another address
// before there is a script that hears of it.
func TestBrowserGoesBackTwiceInAMoment(t *testing.T) {
	browserTest(t)
	h := open(t, time.Second)
	seller := h.add("Sam Seller", "--seller")
	h.lot(seller, "Café clock", time.Hour)
	h.lot(seller, "Silver vase", 72*time.Hour)
	line := lineTo(t, h)
	ann := h.tab("Ann", line.URL)
	ann.open("/")
	for _, words := range []string{"CAFE", "clock"} {
		ann.fill("#q", words)
		ann.press(kb.Enter)
		ann.until("the address is that of the search", fmt.Sprintf(`location.search.startsWith("?q=%s")`, words))
		ann.miss(".row", "Silver vase")
	}
	letGo := line.halve("q=CAFE")
	ann.stays()
	ann.within("go back", script("history.back()"))
	ann.until("a page begins to come", `!window.stays && document.readyState === "loading" && location.search === "?q=CAFE"`)
	ann.within("go back", script("history.back()"))
	ann.until("back at the beginning", `location.search === ""`)
	letGo()
	ann.see(".row", "Silver vase")
	ann.holds("#q", "")
	ann.until("still at the beginning", `document.readyState === "complete" && location.search === ""`)
}

func TestBrowserStars(t *testing.T) {
	browserTest(t)
	h := open(t, time.Second)
	seller := h.add("Sam Seller", "--seller")
	h.lot(seller, "Café clock", time.Hour)
	vase := h.lot(seller, "Silver vase", time.Hour)
	p := h.add("Ann Buyer")
	ann := h.tab("Ann", h.url)

	// Signed out: to sign in, and back.
	ann.open("/auctions?q=clock")
	ann.net.expect("401 /auctions/1/watch")
	ann.click(".row .star button")
	ann.see("h1", "Sign in")
	ann.fill("#email", p.email)
	ann.fill("#password", password)
	ann.press(kb.Enter)
	ann.see(".row", "Café clock")
	ann.until("back at the search", `location.search === "?q=clock"`)
	ann.see(`.star [aria-pressed="false"]`, "")

	ann.stays()
	ann.click(".row .star button")
	ann.see(`.star [aria-pressed="true"]`, "")
	ann.stayed()
	ann.open("/watchlist")
	ann.see(".row", "Café clock")
	ann.miss(".row", "Silver vase")

	// By keyboard alone, on the lot's page.
	ann.open(vase)
	ann.tabTo("watch-2")
	ann.press(" ")
	ann.see(`#watch-2[aria-pressed="true"]`, "")
	ann.until("the star keeps the focus", `document.activeElement.id === "watch-2"`)
	ann.open("/watchlist")
	ann.see(".row", "Silver vase")
	h.bid(h.add("Ben"), vase, "20")
	ann.see(".row", "$20.00")
	ann.tabTo("watch-2") // and in a list
	ann.press(kb.Enter)
	ann.see(`#watch-2[aria-pressed="false"]`, "")
	ann.open("/watchlist")
	ann.miss(".row", "Silver vase")
}

func TestBrowserMyBidsTurn(t *testing.T) {
	browserTest(t)
	h := open(t, time.Second)
	seller, p, ben := h.add("Sam Seller", "--seller"), h.add("Ann Buyer"), h.add("Ben")
	lot := h.lot(seller, "Café clock", time.Hour)
	h.bid(p, lot, "20")
	ann := h.buyer(p, "/bids")
	ann.see(".row", "You are leading")
	ann.see(".row", "your last bid $20.00")
	ann.see(`.tabs [href="/bids?part=leading"]`, "1")
	ann.stays()
	h.bid(ben, lot, "30")
	ann.see(".row", "You have been outbid")
	ann.see(".row", "$30.00")
	ann.see(".row", "your last bid $20.00")
	ann.miss(".row", "You are leading")
	h.bid(p, lot, "40")
	ann.see(".row", "You are leading")
	ann.see(".row", "your last bid $40.00")
	ann.stayed()
	ann.click(`.tabs [href="/bids?part=outbid"]`)
	ann.see(".nothing", "Nobody has outbid you")
}

// tabTo begins at the top of the page and goes on to an element.
func (b *tab) tabTo(id string) {
	b.t.Helper()
	b.within("forget the focus", chromedp.Evaluate[chromedp.Void]("document.activeElement.blur(); getSelection().removeAllRanges()"))
	for range 60 {
		b.press(kb.Tab)
		if eval[string](b, "document.activeElement.id") == id {
			return
		}
	}
	b.t.Fatalf("Tab never reaches #%s", id)
}
