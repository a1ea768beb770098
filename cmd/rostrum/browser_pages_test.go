package main

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"rostrum/store/auction"
)

// hostile are texts that would do something if a page took them for more than
// text: each sets `pwned`, or signs out.
func hostile() []string {
	return []string{
		`<script>pwned=1</script>`,
		`<img src=x onerror=pwned=1>`,
		`"><svg onload=pwned=1>`,
		`'><svg onload=pwned=1>`,
		`" autofocus onfocus=pwned=1 x="`,
		`</title></textarea><script>pwned=1</script>`,
		`javascript:pwned=1//`,
		`<a href=javascript:pwned=1 autofocus>x</a>`,
		`{{constructor.constructor('pwned=1')()}}`,
		`<div hx-post=/logout hx-trigger=load>x</div>`,
		`<hx-partial hx-target=body><img src=x onerror=pwned=1></hx-partial>`,
		`<div hx-on:htmx:load=pwned=1 hx-get=/ hx-trigger=load>`,
		`]]><!--<img src=x onerror=pwned=1>-->`,
		`&lt;img src=x onerror=pwned=1&gt;`,
	}
}

// hostileHouse is a house in which every text field holds hostile texts.
type hostileHouse struct {
	*house
	all                person // seller and admin
	bidder             person
	open, sold, called string // lots
}

func newHostileHouse(t *testing.T) *hostileHouse {
	t.Helper()
	h := &hostileHouse{house: open(t, time.Second)}
	h.all, h.bidder = h.add("Ada Admin", "--seller", "--admin"), h.add("Ben Bidder")
	for _, text := range hostile() {
		h.open = h.hostileLot(text, time.Hour)
	}
	h.bid(h.bidder, h.open, "11")
	h.sold = h.hostileLot(hostile()[1], 4*time.Second)
	h.bid(h.bidder, h.sold, "11")
	h.called = h.hostileLot(hostile()[2], time.Hour)
	h.bid(h.bidder, h.called, "11")
	eventually(t, "the lot has a result", func() bool { return h.status(h.sold) == "CLOSED" })
	return h
}

func (h *hostileHouse) hostileLot(title string, lasts time.Duration) string {
	h.t.Helper()
	a := h.call(h.all, "/auctions", map[string]any{"title": title, "description": strings.Join(hostile(), "\n"),
		"startingPrice": "10.00", "minIncrement": "1.00", "endTime": time.Now().Add(lasts).UTC().Format(time.RFC3339Nano)})
	return fmt.Sprintf("/auctions/%.0f", a["id"])
}

func (h *house) status(lot string) string {
	h.t.Helper()
	var a struct{ Status string }
	h.get(lot, &a)
	return a.Status
}

// sends posts a form and waits for the page that answers it.
func (b *tab) sends(path string, fields url.Values) {
	b.t.Helper()
	b.open("/healthz")
	b.within("send a form to "+path, script(fmt.Sprintf(`{
		const form = document.createElement("form");
		form.method = "post";
		form.action = %s;
		for (const [name, value] of new URLSearchParams(%s)) {
			const field = form.appendChild(document.createElement("textarea"));
			field.name = name;
			field.value = value;
		}
		document.body.append(form);
		form.submit();
	}`, quote(path), quote(fields.Encode()))))
	b.see("h1", "")
}

// TestBrowserEveryPage opens every page, in every look, with hostile texts in
// every place for a text: nothing of them runs, nothing breaks the house's
// policy (a tab complains of that at the end), axe finds nothing serious, and
// no page is wider than its screen.
func TestBrowserEveryPage(t *testing.T) {
	browserTest(t)
	h := newHostileHouse(t)
	ada, ben, stranger := h.tab("Ada", h.url), h.tab("Ben", h.url), h.tab("a stranger", h.url)
	ada.enters(guest{email: h.all.email, password: password})
	ben.enters(guest{email: h.bidder.email, password: password})
	h.fill(ada, ben)

	pages := map[*tab][]string{
		stranger: {"/", "/auctions?status=closed", "/auctions?q=" + url.QueryEscape(hostile()[2]), h.open, h.open + "/bids", h.sold, h.sold + "/result", h.called,
			"/login?next=" + url.QueryEscape(hostile()[2]), "/register"},
		ben: {"/", h.open, h.sold, h.sold + "/result", h.called, "/bids", "/watchlist", "/settings"},
		ada: {"/", "/auctions?status=closed", h.open, h.sold, "/lots", "/lots?state=sold", "/lots?state=withdrawn", "/sell", "/sell?from=" + strings.TrimPrefix(h.sold, "/auctions/"), "/settings",
			"/admin/open", "/admin/closed", "/admin" + h.open, "/admin" + h.called, "/admin/people", "/admin/people?q=" + url.QueryEscape(hostile()[2]), "/admin/people/2", "/admin/audit", "/admin/events"},
	}
	for b, paths := range pages {
		for _, l := range looks() {
			b.looks(l)
			if b == ben {
				b.open(h.open)
				b.click("#bid .go")
				b.see("#ask", "")
				b.fits("the question, " + l.String())
				b.axe("the question, "+l.String(), l)
			}
			for _, path := range paths {
				what := b.net.name + " at " + path + ", " + l.String()
				b.open(path)
				b.see("h1", "")
				b.fits(what)
				b.axe(what, l)
				if eval[bool](b, "typeof pwned !== 'undefined'") {
					t.Fatal(what, "runs what somebody wrote")
				}
			}
		}
		if signedIn := eval[bool](b, "document.body.dataset.reader > ''"); signedIn != (b != stranger) {
			t.Errorf("%s was signed in or out by what somebody wrote", b.net.name)
		}
	}
}

// fill writes hostile texts wherever a person may write.
func (h *hostileHouse) fill(ada, ben *tab) {
	h.t.Helper()
	short := hostile()[1]
	ben.sends("/settings/name", url.Values{"name": {hostile()[2]}})
	ben.sends("/settings/tokens", url.Values{"token_name": {short}})
	ben.sends(h.open+"/watch", url.Values{"watching": {"true"}})
	ada.sends("/settings/name", url.Values{"name": {hostile()[0]}})
	ada.sends("/admin"+h.called+"/withdrawal", url.Values{"reason": {strings.Join(hostile(), " ")}})
	ada.sends("/admin/people/2/suspension", url.Values{"reason": {short}})
	ada.sends("/admin/people/2/restoration", url.Values{"reason": {hostile()[4]}})
}

// TestBrowserRefusals draws what is typed and refused: a mistake keeps it in
// its field, as text.
func TestBrowserRefusals(t *testing.T) {
	browserTest(t)
	h := open(t, time.Second)
	sam := h.add("Sam Seller", "--seller")
	lot := h.lot(h.add("Other Seller", "--seller"), "A ladder", time.Hour)
	b := h.tab("Sam", h.url)
	b.enters(guest{email: sam.email, password: password})
	b.net.refusals()
	for texts := range slices.Chunk(hostile(), 3) {
		text := strings.Join(texts, " ")
		for path, form := range map[string]url.Values{
			"/register":        {"name": {text}, "email": {text}, "password": {"x"}, "next": {text}},
			"/login":           {"email": {text}, "password": {text}, "next": {text}},
			"/auctions":        {"request_id": {auction.NewRequestID().String()}, "title": {text}, "description": {text}, "startingPrice": {text}, "minIncrement": {text}, "startTime": {text}, "endTime": {text}, "zone": {text}},
			lot + "/bids":      {"request_id": {auction.NewRequestID().String()}, "amount": {text}},
			"/settings/email":  {"email": {text}, "email_password": {text}},
			"/settings/alias":  {"alias": {text}},
			"/settings/tokens": {"token_name": {strings.Repeat(text, 50)}},
		} {
			b.sends(path, form)
			if eval[bool](b, "typeof pwned !== 'undefined'") {
				t.Fatal(path, "runs", text)
			}
		}
	}
}
