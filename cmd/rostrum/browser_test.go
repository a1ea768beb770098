package main

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// A whole auction: Sam sells, Ann and Ben outbid each other, a stranger looks
// on. Nobody's page is loaded anew from the first bid to the result.
func TestBrowserAuction(t *testing.T) {
	browserTest(t)
	h := open(t, 10*time.Second) // within which the next bid comes, also on a busy machine
	h.add("Sam Seller", "--seller")
	sam, ann, ben, stranger := h.tab("Sam", h.url), h.tab("Ann", h.url), h.tab("Ben", h.url), h.tab("a stranger", h.url)
	for _, buyer := range []*tab{ann, ben} {
		buyer.register()
	}
	ben.clockAhead(time.Hour)

	lot := sam.listsByForm(20 * time.Second)
	pages := []*tab{ann, ben, stranger}
	for _, page := range pages {
		page.open(lot)
	}
	pages = append(pages, sam)
	for _, page := range pages {
		page.see("#connection", "live")
		page.stays()
	}

	// They outbid each other, and each page tells it at once.
	ann.see("#panel", "at least $11.00")
	ann.holds("#amount", "11.00")
	ann.bids("")
	ann.see("#notice", "Your bid of $11.00 is in.")
	ann.see("#panel", "You are leading.")
	ann.see("#bids", "You")
	for _, page := range pages {
		page.see("#live", "$11.00")
	}
	ben.see("#live", "Next bid from $12.00")
	ben.see("#floor", "$12.00")
	ben.holds("#amount", "12.00")
	ben.miss("#panel", "outbid")
	ben.bids("")
	ben.see("#panel", "You are leading.")
	ann.see("#panel", "You have been outbid. Your last bid was $11.00.")
	ann.miss("#panel", "You are leading.")
	ann.see("#notice", "The lowest bid is $13.00 now.") // in the place of what was told of the bid before
	stranger.see("#said", "Price $12.00, next bid from $13.00.")

	refused(ann, lot)
	ann.bidsByKeyboard("14")
	ann.see("#panel", "You are leading.")
	ben.see("#panel", "You have been outbid. Your last bid was $12.00.")

	// A bid in the soft close moves the end on every page.
	end := h.end(lot)
	ann.until("the soft close has begun", "Date.parse("+quote(end)+") - Date.now() < 9000")
	ben.bids("1,500.50")
	ben.see("#panel", "You are leading.")
	moved := h.end(lot)
	if moved <= end {
		t.Errorf("a bid in the soft close left the end at %s", moved)
	}
	for _, page := range pages {
		page.until("the end has moved", "Date.parse(document.querySelector('#live [data-until]')?.dataset.until) === Date.parse("+quote(moved)+")")
		page.see("#live [role=timer]", "0:") // on the server's clock, also where the browser's is wrong
		if now, ever := page.net.open(); now != 1 || ever != 1 {
			t.Errorf("%s's page has %d streams open, and had %d", page.net.name, now, ever)
		}
	}
	if n := h.streams(); n != len(pages) {
		t.Errorf("%d streams are open for %d pages", n, len(pages))
	}

	results(t, sam, ann, ben, stranger)
	for _, page := range pages {
		page.stayed()
	}
	eventually(t, "every stream has ended", func() bool { return h.streams() == 0 })

	for page, sentence := range map[*tab]string{ben: "You won", ann: "You did not win", stranger: "seller "} {
		page.open("/auctions?status=closed")
		page.see(".row", sentence)
		page.miss(".row", "leading")
	}
}

// refused bids keep what was typed, or write the floor in its place, where a
// second Enter does not send it.
func refused(ann *tab, lot string) {
	ann.net.expect("400 "+lot+"/bids/confirmation", "409 "+lot+"/bids/confirmation")
	ann.fill("#amount", "a lot of money")
	ann.click("#bid .go")
	ann.see("#amount-mistake", "Write an amount like 13.00.")
	ann.holds("#amount[aria-invalid]", "a lot of money")
	ann.until("the mistake has the focus", "document.activeElement.id === 'amount'")

	ann.fill("#amount", "12.99")
	ann.click("#bid .go")
	ann.see("#notice", "Your bid of $12.99 was too low. The lowest bid is $13.00.")
	ann.until("a second Enter has nothing to send", "document.activeElement.id === 'notice'")
	ann.holds("#amount", "13.00")
}

// results come by themselves, to each page its own.
func results(t *testing.T, sam, ann, ben, stranger *tab) {
	ben.see("#result", "You won. The lot is yours for $1,500.50.")
	ben.see("#result address", "Sam Seller")
	ben.see("#result address", "sam.seller@example.com")
	sam.see("#result", "Your lot is sold")
	sam.see("#result address", "Ben")
	sam.see("#result address", "ben@example.com")
	ann.see("#result", "Sold for $1,500.50. Your last bid was $14.00.")
	stranger.see("#result", "Sold for $1,500.50 to ")
	for _, page := range []*tab{sam, ann, ben, stranger} {
		page.see("#live, #result", "Sold")
		page.miss("#panel, #dock, #connection", "")
	}
	for _, page := range []*tab{ann, stranger} {
		if eval[bool](page, "/@|Seller|Ben/.test(document.querySelector('main').innerHTML)") {
			t.Errorf("%s is told who sold or bought", page.net.name)
		}
	}
}

// bids by mouse: writes an amount, "" for the one that is there, and says yes.
func (b *tab) bids(amount string) {
	b.t.Helper()
	if amount != "" {
		b.fill("#amount", amount)
	}
	b.click("#bid .go")
	b.reads()
	b.click("#answer .go")
}

// reads takes the time to read a question: whoever answers at once has not.
func (b *tab) reads() {
	b.t.Helper()
	b.until("there was time to read", `document.querySelector("#ask")?.matches(":modal") && performance.now() - asked > 750`)
}

// bidsByKeyboard begins at the top of the page.
func (b *tab) bidsByKeyboard(amount string) {
	b.t.Helper()
	b.within("forget the focus", script("document.activeElement.blur(); getSelection().removeAllRanges()"))
	for range 40 {
		b.press(kb.Tab)
		if eval[string](b, "document.activeElement.id") == "amount" {
			b.press(amount + kb.Enter)
			b.see("#ask", "Bid $"+amount)
			b.until("the button has the focus", "document.activeElement.matches('#answer .go')")
			b.reads()
			b.press(kb.Enter)
			return
		}
	}
	b.t.Fatal("Tab never reaches the bid field")
}

// register makes an account by form and comes to the home page.
func (b *tab) register() {
	b.t.Helper()
	b.open("/register")
	b.net.expect("422 /register")
	b.fill("#name", b.net.name)
	b.fill("#email", "no address")
	b.fill("#password", password)
	b.press(kb.Enter)
	b.see("#email-mistake", "")
	b.holds("#name", b.net.name)
	b.holds("#email", "no address")
	b.fill("#email", b.net.name+"@example.com")
	b.fill("#password", password)
	b.press(kb.Enter)
	b.see(".person", b.net.name)
}

// signIn comes back to where one was sent from.
func (b *tab) signIn(email string) {
	b.t.Helper()
	b.net.expect("401 /login")
	b.see("h1", "Sign in")
	b.fill("#email", email)
	b.fill("#password", "wrong "+password)
	b.press(kb.Enter)
	b.see(".line.warn", "do not match")
	b.holds("#email", email)
	b.fill("#password", password)
	b.press(kb.Enter)
}

// listsByForm lists a lot, with the seller's clock in Tokyo, and returns its path.
func (b *tab) listsByForm(lasts time.Duration) string {
	b.t.Helper()
	b.zone("Asia/Tokyo")
	b.open("/sell")
	b.signIn("sam.seller@example.com")

	b.net.expect("422 /auctions")
	b.see("h1", "Put a lot up")
	b.fill("#description", "A clock.\nIt runs.")
	b.fill("#startingPrice", "ten")
	b.fill("#minIncrement", "0")
	b.choose("#endTime", "2020-02-03T04:05")
	b.click(".form .go")
	b.see("#title-mistake", "Please fill this in.")
	b.see("#startingPrice-mistake", "Write an amount like 10.00")
	b.see("#minIncrement-mistake", "more than zero")
	b.holds("#description", "A clock.\nIt runs.")
	b.holds("#startingPrice", "ten")
	b.holds("#minIncrement", "0")
	b.holds("#endTime", "2020-02-03T04:05")

	tokyo, err := time.LoadLocation("Asia/Tokyo")
	must(b.t, err)
	b.fill("#title", "A long case clock")
	b.fill("#startingPrice", "10")
	b.fill("#minIncrement", "1.00")
	end := time.Now().Add(lasts).Truncate(time.Second)
	b.choose("#endTime", end.In(tokyo).Format("2006-01-02T15:04:05"))
	b.click(".form .go")
	b.see("h1", "A long case clock")
	b.see("#panel", "your own lot")
	if until := b.attribute("#live [data-until]", "data-until"); until != end.UTC().Format(time.RFC3339) {
		b.t.Errorf("the lot ends at %s, not at %s as the seller said", until, end.UTC())
	}
	return eval[string](b, "location.pathname")
}
