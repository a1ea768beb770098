package main

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

// shifts notes what moved on a page without anybody's doing, once it was all
// there: a browser that is kept waiting draws a page before it has all of it.
const shifts = `window.shifts = []; window.settled = Infinity;
	new PerformanceObserver(list => window.shifts.push(...list.getEntries().filter(e => e.startTime > window.settled).map(e => ({value: e.value, typed: e.hadRecentInput,
		moved: e.sources.map(s => (s.node?.id || s.node?.className || s.node?.nodeName || "") + " " + JSON.stringify([s.previousRect, s.currentRect]))}))))
		.observe({type: "layout-shift", buffered: true})`

// Fifty changes of price arrive, the first bid and the first late one among
// them, and prices grow longer: nothing moves, for who looks on and for who is
// outbid, on a desk and on a phone, with and without the dock.
func TestBrowserNothingMovesWhenAPriceChanges(t *testing.T) {
	browserTest(t)
	h := open(t, 10*time.Minute)
	seller := h.add("Sam Seller", "--seller")
	ann, bidders := h.add("Ann Bidder"), []person{h.add("Ben Bidder"), h.add("Cat Bidder"), h.add("Dan Bidder")}
	lot := h.lot(seller, "A telescope", 4*time.Minute)
	sizes := []struct {
		name          string
		width, height int64
	}{{"desk", 1280, 1400}, {"phone", 390, 2200}, {"phone with the dock", 390, 480}}
	var lookers, outbid []*tab
	for _, size := range sizes {
		looker := h.tab("who looks on, "+size.name, h.url)
		looker.size(size.width, size.height)
		looker.before(shifts)
		looker.open(lot)
		looker.see("#connection", "live")
		looker.see("#bids", "No bids.")
		looker.settles()
		lookers = append(lookers, looker)
	}
	lookers[2].prefers("prefers-reduced-motion", "reduce")
	price := 11
	h.bid(ann, lot, fmt.Sprint(price))
	for _, looker := range lookers {
		looker.see("#live", "Extended by a bid at")
	}
	for _, size := range sizes {
		page := h.tab("Ann, "+size.name, h.url)
		page.size(size.width, size.height)
		page.open("/login?next=" + lot)
		page.signIn(ann.email)
		page.before(shifts)
		page.see("#connection", "live")
		page.open(lot)
		page.see("#connection", "live")
		page.see("#panel", "You are leading.")
		page.settles()
		outbid = append(outbid, page)
	}
	for i := range 49 {
		price += 1 + price/6
		h.bid(bidders[i%len(bidders)], lot, fmt.Sprint(price))
		text := fmt.Sprintf("$%d,%03d.00", price/1000, price%1000)
		if price < 1000 {
			text = fmt.Sprintf("$%d.00", price)
		}
		for _, page := range append(lookers, outbid...) {
			page.see("#live", text)
		}
	}
	for _, page := range outbid {
		page.see("#panel, #dock", "ou have been outbid")
	}
	for _, page := range append(lookers, outbid...) {
		page.see("#bids", "All 50 bids")
		var moved []struct {
			Value float64
			Typed bool
			Moved []string
		}
		must(t, json.Unmarshal([]byte(eval[string](page, "JSON.stringify(window.shifts)")), &moved))
		for _, m := range moved {
			t.Errorf("%s: %v moved: %v (typed: %t)", page.net.name, m.Value, m.Moved, m.Typed)
		}
	}

	// The change is seen, but for who wants no motion.
	h.bid(bidders[0], lot, fmt.Sprint(price*2))
	lookers[0].until("digits are highlighted", `document.querySelector("#live .changed")?.getAnimations().length > 0`)
	lookers[2].see("#live .changed", "")
	if n := eval[int](lookers[2], "document.getAnimations().length"); n != 0 {
		t.Errorf("%d things move for somebody who wants none to", n)
	}
}

// settles says that the page is there, and drawn: what moves from now on counts.
func (b *tab) settles() {
	b.t.Helper()
	evalPromise[bool](b, `new Promise(drawn => requestAnimationFrame(() => setTimeout(() => { window.settled = performance.now(); drawn(true); })))`)
}
