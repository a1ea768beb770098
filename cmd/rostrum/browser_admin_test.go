package main

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// Ruth, an admin, suspends a bidder and withdraws a lot that was bid on: once
// by mouse, once by keyboard alone. Who is concerned learns it on the page that
// they have open, and the audit log keeps both.
func TestBrowserAdmin(t *testing.T) {
	browserTest(t)
	for _, way := range []struct {
		name string
		does func(b *tab, css string)
	}{
		{"by mouse", (*tab).click},
		{"by keyboard", (*tab).tabOn},
	} {
		t.Run(way.name, func(t *testing.T) {
			h := open(t, 10*time.Second)
			sue, ann, ben := h.add("Sue Seller", "--seller"), h.add("Ann"), h.add("Ben")
			h.add("Ruth Root", "--admin")
			lot := h.lot(sue, "A long case clock", time.Hour)
			h.bid(ben, lot, "11")
			anns, bens, ruths := h.tab("Ann", h.url), h.tab("Ben", h.url), h.tab("Ruth", h.url)
			for page, who := range map[*tab]person{anns: ann, bens: ben} {
				page.open("/login?next=" + lot)
				page.signsIn(who.email)
				page.see("#connection", "live")
			}

			// She looks on live.
			ruths.open("/login?next=/admin")
			ruths.signsIn("ruth.root@example.com")
			ruths.see("h1", "Open lots")
			ruths.see(".row", "$11.00")
			eventually(t, "all three pages are live", func() bool { return h.streams() == 3 })
			led := eval[string](ruths, "document.querySelector('.row-state').innerText")
			h.bid(ann, lot, "12")
			ruths.see(".row", "$12.00")
			ruths.until("it tells who leads now", "document.querySelector('.row-state').innerText.includes('leader') && document.querySelector('.row-state').innerText !== "+quote(led))

			// She finds Ben and suspends him.
			way.does(ruths, "nav[aria-label=Admin] [href='/admin/people']")
			ruths.enter(way.name)
			ruths.see("h1", "People")
			way.does(ruths, "#q")
			ruths.press("ben@" + kb.Enter)
			ruths.see("td", "ben@example.com")
			ruths.miss("td", "ann@example.com")
			way.does(ruths, "td a[href^='/admin/people/']")
			ruths.enter(way.name)
			ruths.see("h1", "Ben")
			way.does(ruths, "summary")
			ruths.enter(way.name)
			way.does(ruths, "#reason-suspension")
			ruths.press("He bids and does not pay.")
			way.does(ruths, "#suspension button")
			ruths.enter(way.name)
			ruths.see(".line.warn", "They cannot sign in or bid: suspended since")
			ruths.see("td", "He bids and does not pay.")

			// His page is still open, and his next bid is refused.
			bens.net.expect("403 " + lot + "/bids/confirmation")
			bens.fill("#amount", "20")
			bens.press(kb.Enter)
			bens.see("#panel", "You may not bid for now. Please write to the house.")

			// She withdraws the lot, and Ann reads why.
			ruths.open("/admin/open")
			way.does(ruths, ".row h2 a")
			ruths.enter(way.name)
			ruths.see("h1", "A long case clock")
			ruths.see(".line.warn", "2 bids will count no more")
			way.does(ruths, "#reason")
			ruths.press("The clock is a copy.")
			way.does(ruths, "main .go")
			ruths.enter(way.name)
			ruths.see("dd", "Withdrawn")
			anns.see("#result", "This lot was withdrawn.")
			anns.see("#result", "The clock is a copy.")

			ruths.open("/admin/audit")
			log := eval[string](ruths, "document.querySelector('tbody').innerText.replace(/\\s+/g, ' ')")
			withdrew, suspended := strings.Index(log, "withdrew lot"), strings.Index(log, "suspended Ben")
			if withdrew < 0 || suspended < withdrew || !strings.Contains(log, "The clock is a copy.") || !strings.Contains(log, "He bids and does not pay.") {
				t.Errorf("the audit log says %s", log)
			}
		})
	}
}

// signsIn fills in the form that is there.
func (b *tab) signsIn(email string) {
	b.t.Helper()
	b.fill("#email", email)
	b.fill("#password", password)
	b.press(kb.Enter)
}

// tabOn goes on to an element by the Tab key alone, from where the focus is.
func (b *tab) tabOn(css string) {
	b.t.Helper()
	b.see(css, "")
	for range 80 {
		if eval[bool](b, "document.activeElement === document.querySelector("+quote(css)+")") {
			return
		}
		b.press(kb.Tab)
	}
	b.t.Fatalf("%s: Tab never reaches %s", b.net.name, css)
}

// enter does by keyboard what the click has done already.
func (b *tab) enter(way string) {
	b.t.Helper()
	if way == "by keyboard" {
		b.press(kb.Enter)
	}
}
