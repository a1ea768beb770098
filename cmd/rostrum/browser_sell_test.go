package main

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// seller is a tab of somebody who may sell, with a clock in Berlin.
func (h *house) seller(name string) *tab {
	h.t.Helper()
	sam := h.tab(name, h.url)
	sam.zone("Europe/Berlin")
	sam.register()
	h.run("", "user", "set", "--email", name+"@example.com", "--seller")
	return sam
}

// By mouse: Sam lists a lot for a week, edits it while Ann fills in a bid,
// sees her bid in the list of his lots, and withdraws another one.
func TestBrowserSelling(t *testing.T) {
	browserTest(t)
	h := open(t, 2*time.Minute)
	sam, ann := h.seller("sam"), h.tab("ann", h.url)
	ann.register()

	sam.open("/lots")
	sam.see(".nothing", "None of your lots is open.")
	sam.click(".list-head .go")
	sam.see("#when", "Europe/Berlin time")
	sam.fill("#title", "A long case clock")
	sam.fill("#startingPrice", "10")
	sam.fill("#minIncrement", "1")
	sam.fill("#lasts", "7")
	sam.see("#meant", "Put up now, it ends ")
	sam.fill("#lasts", "")
	sam.sets("#endTime", "2126-12-02T00:00")
	sam.see("#meant", "Ends Mon 2 Dec 2126, 00:00 CET, as Monday begins.")
	sam.sets("#endTime", "2127-03-30T02:30") // over which the clocks are put forward
	sam.see("#meant .mistake", "Write one before 02:00, or from 03:00 on.")
	sam.sets("#endTime", "2127-10-26T02:30") // which they show twice
	sam.see("#meant", "Which one is meant?")
	sam.click("#meant [value=second]")
	sam.click(".form .go")
	sam.see("h1", "A long case clock")
	sam.see("#live", "26 Oct 2127, 02:30:00 CET")
	lot := eval[string](sam, "location.pathname")
	if end := h.end(lot); end != "2127-10-26T01:30:00.000000Z" {
		t.Errorf("it ends at %s", end)
	}

	// What Ann writes stays, and she reads what Sam has changed.
	ann.open(lot)
	ann.see("#connection", "live")
	ann.stays()
	ann.fill("#amount", "50")
	sam.click(".own-acts a")
	sam.holds("#endTime", "2127-10-26T02:30") // in his zone
	sam.see("#meant", "The second: ")
	sam.until("the second of the two is chosen", `document.querySelector("[name=endTurn][value=second]").checked`)
	sam.fill("#title", "A very long case clock")
	sam.fill("#description", "It strikes.")
	sam.fill("#minIncrement", "5")
	sam.click(".form .go")
	sam.see("h1", "A very long case clock")
	ann.see("h1", "A very long case clock")
	ann.see("#edited", "The seller changed this lot just now.")
	ann.see("#lot-text", "It strikes.")
	ann.see("#lot-text", "$5.00")
	ann.see("#floor", "$15.00")
	ann.holds("#amount", "50")
	if end := h.end(lot); end != "2127-10-26T01:30:00.000000Z" {
		t.Errorf("edited, it ends at %s", end)
	}

	// A bid comes to the list of his lots, and takes the edit away.
	sam.open("/lots")
	sam.see(".row", "Edit")
	sam.stays()
	eventually(t, "both listen", func() bool { return h.streams() == 2 })
	ann.click("#bid .go")
	ann.reads()
	ann.click("#ask .go")
	ann.see("#panel", "You are leading.")
	ann.stayed()
	sam.see(".row", "$50.00")
	sam.see(".row", "1 bid")
	sam.miss(".row a", "Edit")
	sam.miss(".row a", "Withdraw")
	sam.stayed()
	sam.net.expect("409 " + lot + "/edit")
	sam.open(lot + "/edit")
	sam.see("h1", "Somebody has bid on this lot.")
}

// By keyboard alone: list a lot, edit it, withdraw it, list it again.
func TestBrowserSellingByKeyboard(t *testing.T) {
	browserTest(t)
	h := open(t, 2*time.Minute)
	sam, ann := h.seller("sam"), h.tab("ann", h.url)

	sam.open("/lots")
	sam.reach(".list-head .go")
	sam.press(kb.Enter)
	sam.see("h1", "Put a lot up")
	sam.reach("#title")
	sam.press("A clock" + kb.Tab + "It runs." + kb.Tab + "10" + kb.Tab + "1")
	sam.reach("#lasts")
	sam.press("12" + kb.Tab + "h" + kb.Tab) // hours
	sam.see("#meant", "Put up now, it ends ")
	sam.reach(".form .go")
	sam.press(kb.Enter)
	sam.see("h1", "A clock")
	lot := eval[string](sam, "location.pathname")
	ann.open(lot)
	ann.see("#connection", "live")
	ann.stays()

	sam.reach(".own-acts a")
	sam.press(kb.Enter)
	sam.see("h1", "Edit lot")
	sam.reach("#title")
	sam.press("A better clock" + kb.Enter) // what is there is selected by Tab
	sam.see("h1", "A better clock")
	ann.see("h1", "A better clock") // she is not signed in: her page has no form

	sam.open("/lots")
	sam.reach("[href='" + lot + "/withdrawal']")
	sam.press(kb.Enter)
	sam.see("h1", "Withdraw A better clock")
	sam.reach("#reason")
	sam.press("It fell down.")
	sam.reach(".form .go")
	sam.press(kb.Enter)
	sam.see("#result", "This lot was withdrawn.")
	sam.see("#result", "It fell down.")
	ann.see("#result", "This lot was withdrawn.")
	ann.miss("#result", "It fell down.")
	ann.stayed()

	sam.open("/lots?state=withdrawn")
	sam.reach(".row [href^='/sell']")
	sam.press(kb.Enter)
	sam.see("h1", "Put a lot up")
	sam.holds("#title", "A better clock")
	sam.holds("#endTime", "")
}

// sets puts a value into a field whose keys depend on the language of the
// browser, and tells the page as typing would.
func (b *tab) sets(css, value string) {
	b.t.Helper()
	b.choose(css, value)
	b.within("type into "+css, script("document.querySelector("+quote(css)+").dispatchEvent(new Event('input', { bubbles: true }))"))
}
