package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// A bid is shown once more before it is placed; Escape goes back to what was
// typed, and a price that moves meanwhile is told.
func TestBrowserAsksBeforeABid(t *testing.T) {
	browserTest(t)
	h := open(t, time.Second)
	seller, ben := h.add("Sam Seller", "--seller"), h.add("Ben Bidder")
	h.add("Ann Bidder")
	lot := h.lot(seller, "Steel wristwatch", time.Hour)
	ann := h.tab("Ann", h.url)
	ann.open("/login?next=" + lot)
	ann.signIn("ann.bidder@example.com")
	ann.see("#connection", "live")
	ann.stays()

	ann.fill("#amount", " 1,400 ")
	ann.press(kb.Enter)
	ann.see("#ask", "Bid $1,400.00? On Lot 1, Steel wristwatch. A bid is binding.")
	ann.until("it is modal", "document.querySelector('#ask').matches(':modal')")
	ann.focused("#answer .go")
	ann.press(kb.Escape)
	ann.miss("#ask", "")
	ann.focused("#amount")
	ann.holds("#amount", " 1,400 ")
	ann.see("#live", "no bids")

	// By mouse; then the price moves past it.
	ann.click("#bid .go")
	ann.see("#ask", "Bid $1,400.00?")
	h.bid(ben, lot, "1399")
	ann.see("#live", "$1,399.00")
	ann.see("#answer", "Bid $1,400.00") // which is the floor now
	h.bid(ben, lot, "1400")
	ann.see("#moved", "The price has moved. The lowest bid is $1,401.00 now.")
	ann.miss("#answer", "")
	ann.focused("#ask-not")
	ann.press(kb.Enter)
	ann.focused("#amount")
	ann.holds("#amount", " 1,400 ")

	// A quick step follows the floor, and is asked about too.
	ann.see("#bid [data-step]:nth-child(1)", "$1,401.00")
	ann.see("#bid [data-step]:nth-child(3)", "$1,405.00")
	ann.press(kb.Tab + kb.Tab) // by keyboard, from the field
	ann.focused("#bid [data-step]:nth-child(2)")
	ann.press(kb.Enter)
	ann.see("#ask", "Bid $1,402.00?")
	ann.focused("#answer .go")
	for range 6 { // quickly: nobody has read the question
		ann.press(kb.Enter)
	}
	ann.see("#ask", "Bid $1,402.00?")
	ann.see("#live", "$1,400.00")
	ann.reads()
	ann.press(kb.Enter)
	ann.see("#notice", "Your bid of $1,402.00 is in.")
	ann.see("#panel", "You are leading.")
	ann.focused("#notice")

	// Enter is held down: what it opens it does not answer.
	h.bid(ben, lot, "1500")
	ann.see("#panel", "You have been outbid. Your last bid was $1,402.00.")
	ann.fill("#amount", "1600")
	ann.press(kb.Enter)
	ann.focused("#answer .go")
	ann.within("hold Enter down", script(`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", repeat: true, bubbles: true, cancelable: true})) &&
		document.activeElement.click()`))
	ann.see("#ask", "Bid $1,600.00?")
	ann.see("#live", "$1,500.00")
	ann.click("#ask-not")
	ann.miss("#ask", "")
	ann.stayed()
}

// Who leads is asked before they raise their own bid, by the house too: another
// tab may not know of it, and somebody may have switched the question off.
func TestBrowserAsksTheLeader(t *testing.T) {
	browserTest(t)
	h := open(t, time.Second)
	seller := h.add("Sam Seller", "--seller")
	h.add("Ann Bidder")
	ben := h.add("Ben Bidder")
	lot := h.lot(seller, "A barometer", time.Hour)
	line := lineTo(t, h)
	ann := h.tab("Ann", line.URL)
	ann.net.breaks()
	ann.open("/login?next=" + lot)
	ann.signIn("ann.bidder@example.com")
	ann.see("#connection", "live")
	stale := ann.beside()
	stale.net.breaks()
	stale.open(lot)
	stale.see("#connection", "live")
	line.goDown() // the other tab hears nothing any more
	ann.toFront()
	ann.bids("20")
	ann.see("#panel", "You are leading.")

	// By keyboard: Enter alone raises nothing.
	ann.fill("#amount", "30")
	ann.press(kb.Enter)
	ann.see("#ask", "You are leading at $20.00. Raise your own bid to $30.00?")
	ann.focused("#ask-not")
	ann.press(kb.Enter)
	ann.focused("#amount")
	ann.holds("#amount", "30")
	ann.press(kb.Enter)
	ann.focused("#ask-not")
	ann.reads()
	ann.within("go back to the button before", script(`document.querySelector("#answer .go").focus()`))
	ann.press(kb.Enter)
	ann.see("#notice", "Your bid of $30.00 is in.")

	_, err := h.database().Exec(t.Context(), "UPDATE account SET confirm_bids = false")
	must(t, err)
	stale.toFront()
	stale.miss("#panel", "leading")
	stale.fill("#amount", "40")
	stale.click("#bid .go")
	stale.see("#ask", "You are leading at $30.00. Raise your own bid to $40.00?")
	stale.click("#ask-not")

	// As a script of an old page posts it, and without the question.
	stale.net.expect("409 " + lot + "/bids")
	posted := `fetch(location.pathname + "/bids", {method: "POST", headers: {Accept: "text/html"}, body: new URLSearchParams({
		amount: "50", request_id: document.querySelector("[name=request_id]").value})}).then(r => window.answered = r.status)`
	stale.within("post from the stale tab", script(posted))
	stale.until("the house asks", "window.answered === 409")

	// With the question switched off a bid is placed at once, and a quick step
	// only fills the field.
	line.comeBack()
	ann.toFront()
	ann.open(lot)
	ann.see("#live", "$30.00")
	ann.click("#bid [data-step]:nth-child(2)")
	ann.holds("#amount", "32.00")
	ann.focused("#bid .go")
	ann.press(kb.Enter)
	ann.see("#ask", "You are leading at $30.00. Raise your own bid to $32.00?")
	ann.reads()
	ann.click("#answer .go")
	ann.see("#notice", "Your bid of $32.00 is in.")

	// However quickly one presses, it is one bid: the leader is asked (409).
	ann.net.refusals()
	h.bid(ben, lot, "40")
	ann.see("#panel", "You have been outbid.")
	ann.fill("#amount", "50")
	for range 8 {
		ann.press(kb.Enter)
	}
	ann.see("#live", "$50.00")
	ann.see("#live", "5 bids")
}

// An answer is lost on its way: the page keeps the bid as it was sent, though
// the price has moved by it, and sent again it is the same one.
func TestBrowserSendsTheSameBidAgain(t *testing.T) {
	browserTest(t)
	h := open(t, time.Second)
	lot := h.lot(h.add("Sam Seller", "--seller"), "A barometer", time.Hour)
	for _, asks := range []bool{true, false} {
		p := h.add(fmt.Sprint("Ann Asked ", asks))
		_, err := h.database().Exec(t.Context(), "UPDATE account SET confirm_bids = $1 WHERE email = $2", asks, p.email)
		must(t, err)
		ann := h.tab("Ann", h.url)
		ann.net.breaks()
		ann.before(`const real = fetch; let lose = true; window.fetch = async (...request) => {
			const answer = await real(...request);
			if (!lose || !answer.url.endsWith("/bids")) return answer;
			lose = false;
			throw new TypeError("the answer is lost");
		}`)
		ann.enters(guest{email: p.email, password: password})
		ann.open(lot)
		ann.see("#connection", "live")
		amount, press := "20", "#bid .go"
		if !asks {
			amount = "30"
		}
		ann.fill("#amount", amount)
		ann.press(kb.Enter)
		if asks {
			press = "#answer .go"
			ann.reads()
			ann.click(press)
		}
		ann.see("[data-lost]", "No answer came. Send the same bid again: it counts once.")
		ann.see("#live", "$"+amount+".00")
		ann.holds("#amount", amount)
		ann.click(press)
		ann.see("#notice", "Your bid of $"+amount+".00 is in.")
		ann.see("#panel", "You are leading.")
	}
	if n := eval[string](h.buyer(h.add("Ben"), lot), "document.querySelector('#live').innerText"); !strings.Contains(n, "2 bids") {
		t.Errorf("two bids, each sent twice: %s", n)
	}
}

func (b *tab) focused(css string) {
	b.t.Helper()
	b.until(css+" has the focus", "document.activeElement?.matches("+quote(css)+")")
}
