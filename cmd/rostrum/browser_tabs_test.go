package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// way is a tab of a page and what is seen once it is open.
type way struct{ nav, text, address, shows, hides string }

// The parts of each list are opened by keyboard alone, one from another.
func TestBrowserOpensEachTabByKeyboard(t *testing.T) {
	browserTest(t)
	h := open(t, time.Second)
	sam, ann, ben := h.add("Sam Seller", "--seller"), h.add("Ann Bidder"), h.add("Ben Bidder")
	h.add("Ruth Root", "--admin")
	for _, lot := range []struct {
		title string
		lasts time.Duration
		bids  []person
	}{
		{"Old map", 8 * time.Second, []person{ann}},
		{"Brass bell", 8 * time.Second, []person{ann, ben}},
		{"Glass dog", 8 * time.Second, nil},
		{"Silver vase", time.Hour, []person{ann}},
		{"Blue clock", time.Hour, []person{ann, ben}},
	} {
		path := h.lot(sam, lot.title, lot.lasts)
		for i, bidder := range lot.bids {
			h.bid(bidder, path, fmt.Sprint(11+i))
		}
	}
	h.call(sam, "/auctions", map[string]any{"title": "Steel ruler", "startingPrice": "10.00", "minIncrement": "1.00",
		"startTime": time.Now().Add(time.Hour).UTC().Format(time.RFC3339), "endTime": time.Now().Add(2 * time.Hour).UTC().Format(time.RFC3339)})

	anns, sams, ruths := h.tab("Ann", h.url), h.tab("Sam", h.url), h.tab("Ruth", h.url)
	anns.size(390, 844)
	for b, who := range map[*tab]string{anns: ann.email, sams: sam.email, ruths: "ruth.root@example.com"} {
		b.open("/login")
		b.signsIn(who)
		b.see("h1", "Open auctions")
	}
	for _, title := range []string{"Old map", "Brass bell", "Glass dog"} {
		eventually(t, title+" is closed", func() bool {
			anns.open("/auctions?status=closed")
			return eval[bool](anns, fmt.Sprintf(`document.body.innerText.includes(%s)`, quote(title)))
		})
	}
	anns.walk("/", []way{
		{"Lots", "Closed", "/auctions?status=closed", "Glass dog", "Silver vase"},
		{"Lots", "Open", "/auctions", "Silver vase", "Glass dog"},
	})
	anns.walk("/bids", []way{
		{"My bids", "Leading", "/bids?part=leading", "Silver vase", "Blue clock"},
		{"My bids", "Outbid", "/bids?part=outbid", "Blue clock", "Silver vase"},
		{"My bids", "Won", "/bids?part=won", "Old map", "Brass bell"},
		{"My bids", "Lost", "/bids?part=lost", "Brass bell", "Old map"},
		{"My bids", "All", "/bids", "Brass bell", "Glass dog"},
	})
	sams.walk("/lots", []way{
		{"My lots", "Scheduled", "/lots?state=scheduled", "Steel ruler", "Silver vase"},
		{"My lots", "Sold", "/lots?state=sold", "Old map", "Glass dog"},
		{"My lots", "Unsold", "/lots?state=unsold", "Glass dog", "Old map"},
		{"My lots", "Withdrawn", "/lots?state=withdrawn", "withdrawn", "Old map"},
		{"My lots", "Open", "/lots?state=open", "Silver vase", "Glass dog"},
	})
	ruths.walk("/admin/open", []way{
		{"Order", "Hottest", "/admin/open?sort=hottest", "Blue clock", "Glass dog"},
		{"Order", "Ending next", "/admin/open", "Silver vase", "Glass dog"},
		{"Admin", "Closed", "/admin/closed", "Glass dog", "Silver vase"},
		{"Outcome", "Sold", "/admin/closed?outcome=sold", "Old map", "Glass dog"},
		{"Outcome", "Not sold", "/admin/closed?outcome=unsold", "Glass dog", "Old map"},
		{"Outcome", "Withdrawn", "/admin/closed?outcome=withdrawn", "No lot is like this.", "Old map"},
		{"Outcome", "All", "/admin/closed", "Old map", "Silver vase"},
		{"Admin", "People", "/admin/people", "Ann Bidder", "Old map"},
		{"People", "Sellers", "/admin/people?kind=sellers", "Sam Seller", "Ann Bidder"},
		{"People", "Admins", "/admin/people?kind=admins", "Ruth Root", "Ann Bidder"},
		{"People", "Suspended", "/admin/people?kind=suspended", "Nobody is like this.", "Ann Bidder"},
		{"People", "Everybody", "/admin/people", "Ann Bidder", "Old map"},
		{"Admin", "Audit", "/admin/audit", "", "Old map"},
		{"Admin", "Events", "/admin/events", "Payload", "Ann Bidder"},
		{"Admin", "Open", "/admin/open", "Silver vase", "Glass dog"},
	})
}

// walk opens tab after tab, each from the page of the one before, and goes back
// from the last one.
func (b *tab) walk(from string, ways []way) {
	b.t.Helper()
	b.open(from)
	for _, w := range ways {
		link := fmt.Sprintf(`.tabs[aria-label=%s] a`, quote(w.nav))
		b.ready(link)
		b.within("leave the focus", script("document.activeElement.blur()"))
		b.tabsTo(link, w.text)
		b.press(kb.Enter)
		b.opened(w)
	}
	if n := len(ways); n > 1 {
		b.within("go back", script("history.back()"))
		b.opened(ways[n-2])
	}
}

// tabsTo comes to a link by the Tab key alone, and sees each time where the
// focus is: drawn, within the window, and behind nothing.
func (b *tab) tabsTo(css, text string) {
	b.t.Helper()
	for range 80 {
		b.press(kb.Tab)
		if !eval[bool](b, fmt.Sprintf(`document.activeElement.matches(%s)`, quote(css))) {
			continue
		}
		b.until("the focus is seen", `(() => {
			const e = document.activeElement, box = e.getBoundingClientRect(), style = getComputedStyle(e);
			return e.matches(":focus-visible") && style.outlineStyle === "solid" && parseFloat(style.outlineWidth) >= 2 &&
				box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth && box.height >= 44 &&
				e.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2));
		})()`)
		if eval[bool](b, fmt.Sprintf(`document.activeElement.innerText.startsWith(%s)`, quote(text))) {
			return
		}
	}
	b.t.Fatalf("%s: Tab never reaches %q", b.net.name, text)
}

// opened waits until a tab is the open one, under its address.
func (b *tab) opened(w way) {
	b.t.Helper()
	b.until(w.address+" is there", fmt.Sprintf(`document.readyState === "complete" && location.pathname + location.search === %s`, quote(w.address)))
	b.see(fmt.Sprintf(`.tabs[aria-label=%s] [aria-current="page"]`, quote(w.nav)), w.text)
	if n := eval[int](b, fmt.Sprintf(`document.querySelectorAll('.tabs[aria-label=%s] [aria-current]').length`, quote(w.nav))); n != 1 {
		b.t.Errorf("%s: %d tabs of %q are the open one", b.net.name, n, w.nav)
	}
	b.see("main", w.shows)
	b.miss("main", w.hides)
}
