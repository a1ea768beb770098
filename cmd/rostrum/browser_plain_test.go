package main

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// Where no script runs, the same forms and links are plain pages.
func TestBrowserWithoutScripts(t *testing.T) {
	browserTest(t)
	h := open(t, time.Second)
	seller := h.add("Sam Seller", "--seller")
	h.add("Ann Bidder")
	other := h.lot(seller, "A ladder", time.Hour)

	ann := h.tab("Ann", h.url)
	ann.withoutScripts()
	ann.open("/")
	ann.click(row(other) + " a")
	ann.see("h1", "A ladder")
	ann.click("#panel .go")
	ann.signIn("ann.bidder@example.com")
	ann.see("h1", "A ladder")

	lot := h.lot(seller, "A lantern", 20*time.Second)
	ann.open(lot)

	ann.net.expect("400 "+lot+"/bids/confirmation", "409 "+lot+"/bids/confirmation")
	ann.fill("#amount", "some")
	ann.press(kb.Enter)
	ann.see("#amount-mistake", "Write an amount")
	ann.holds("#amount", "some")
	ann.fill("#amount", "10.50")
	ann.press(kb.Enter)
	ann.see("#notice", "too low. The lowest bid is $11.00.")
	ann.holds("#amount", "11.00")
	ann.fill("#amount", "1000") // which a quick step does not send
	ann.click("#bid [data-step]:nth-child(2)")
	ann.see("#ask", "Bid $12.00? On Lot 2, A lantern.")
	ann.miss("#bid", "")
	ann.click("#ask-not")
	ann.fill("#amount", "11")
	ann.press(kb.Enter)
	ann.see("#ask", "Bid $11.00?")
	ann.focused("#answer .go")
	ann.press(kb.Enter)
	ann.see("#notice", "Your bid of $11.00 is in.")
	ann.see("#panel", "You are leading.")
	ann.see("#live", "Ends")
	ann.miss("#live [role=timer]", "") // no clock runs
	ann.see("#live time", "UTC")

	// A bid of one's own is raised on purpose only.
	ann.fill("#amount", "20")
	ann.press(kb.Enter)
	ann.see("#ask", "You are leading at $11.00. Raise your own bid to $20.00?")
	ann.click("#ask-not")
	ann.miss("#ask", "")
	ann.holds("#amount", "20")
	ann.click("#bid .go")
	ann.click("#answer .go")
	ann.see("#notice", "Your bid of $20.00 is in.")

	eventually(t, "the lot has a result", func() bool {
		ann.open(lot + "/result")
		return eval[bool](ann, "document.querySelector('#result') !== null")
	})
	ann.see("#result", "You won. The lot is yours for $20.00.")
	ann.see("#result address", "sam.seller@example.com")
	ann.click(".bar button")
	ann.see(".bar", "Sign in")
	if _, ever := ann.net.open(); ever != 0 {
		t.Errorf("a page without scripts opened %d streams", ever)
	}
}
