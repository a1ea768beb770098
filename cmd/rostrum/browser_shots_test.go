package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var shots = flag.String("shots", "", "a folder for pictures of every page of a demo house, for a person to look at")

// visit is a page, and who sees it.
type visit struct{ name, who, path string }

// TestBrowserShots takes pictures of a demo house, each page as somebody who
// has something to see there.
func TestBrowserShots(t *testing.T) {
	if *shots == "" {
		t.Skip("no folder was named for the pictures")
	}
	browserTest(t)
	must(t, os.MkdirAll(*shots, 0o755))
	h := open(t, 2*time.Minute)
	guests := h.demo()
	var visits []visit
	for _, l := range looks() {
		tabs := map[string]*tab{"stranger": h.tab("stranger", h.url)}
		for _, g := range guests {
			if tabs[g.role] == nil {
				tabs[g.role] = h.tab(g.role, h.url)
				tabs[g.role].enters(g)
			}
		}
		if visits == nil {
			visits = h.visits(tabs["buyer"].reader(), tabs["seller"].reader())
		}
		for _, b := range tabs {
			b.looks(l)
			b.net.refusals()
		}
		for _, v := range visits {
			b := tabs[v.who]
			b.open(v.path)
			b.see("h1", "")
			b.fits(v.name + " " + l.String())
			b.shoot(v.name + "-" + l.String())
		}
	}
}

// demo fills the house with the sample and returns who can sign in.
func (h *house) demo() []guest {
	h.t.Helper()
	var guests []guest
	for _, match := range regexp.MustCompile(`(?m)^\s+(buyer|seller|admin)\s+(\S+)\s+(\S+)$`).FindAllStringSubmatch(h.run("", "demo"), -1) {
		guests = append(guests, guest{role: match[1], email: match[2], password: match[3]})
	}
	if len(guests) < 3 {
		h.t.Fatal("the demo does not say how to sign in")
	}
	return guests
}

func (b *tab) enters(g guest) {
	b.t.Helper()
	b.open("/login")
	b.fill("#email", g.email)
	b.fill("#password", g.password+kb.Enter)
	b.until("somebody is signed in", "document.body.dataset.reader > ''")
}

// reader is the id of who is signed in.
func (b *tab) reader() int64 {
	b.t.Helper()
	return eval[int64](b, "Number(document.body.dataset.reader)")
}

// visits are the pages of the demo house that have something to show.
func (h *house) visits(buyer, seller int64) []visit {
	h.t.Helper()
	list := []visit{
		{"home", "stranger", "/"}, {"home-buyer", "buyer", "/"}, {"search", "buyer", "/auctions?q=wa"}, {"search-nothing", "stranger", "/auctions?q=zzzz"},
		{"closed", "stranger", "/auctions?status=closed"}, {"my-bids", "buyer", "/bids"}, {"watch-list", "buyer", "/watchlist"},
		{"my-lots", "seller", "/lots"}, {"my-lots-sold", "seller", "/lots?state=sold"}, {"sell", "seller", "/sell"}, {"sell-not", "buyer", "/sell"},
		{"settings", "buyer", "/settings"}, {"login", "stranger", "/login"}, {"register", "stranger", "/register"}, {"nowhere", "stranger", "/nowhere"},
		{"admin-open", "admin", "/admin/open"}, {"admin-hottest", "admin", "/admin/open?sort=hottest"}, {"admin-closed", "admin", "/admin/closed"},
		{"admin-people", "admin", "/admin/people"}, {"admin-person", "admin", "/admin/people/1"}, {"admin-audit", "admin", "/admin/audit"},
		{"admin-events", "admin", "/admin/events"},
	}
	seen := map[string]bool{}
	add := func(name, who, path string) {
		if !seen[name] {
			seen[name] = true
			list = append(list, visit{name, who, path})
		}
	}
	for _, a := range h.auctions("open") {
		path := fmt.Sprintf("/auctions/%d", a.ID)
		switch {
		case a.StartTime.After(a.ServerTime):
			add("lot-scheduled", "buyer", path)
			if a.SellerID == seller {
				add("lot-edit", "seller", path+"/edit")
				add("lot-withdrawal", "seller", path+"/withdrawal")
			}
		case a.BidCount == 0:
			add("lot-no-bids", "buyer", path)
		case a.LeaderID == buyer:
			add("lot-leading", "buyer", path)
		case a.BidCount > 4:
			add("lot-bids", "stranger", path)
			add("lot-buyer", "buyer", path)
			add("lot-admin", "admin", fmt.Sprintf("/admin/auctions/%d", a.ID))
			add("lot-log", "stranger", path+"/bids")
		}
	}
	for _, a := range h.auctions("closed") {
		path := fmt.Sprintf("/auctions/%d", a.ID)
		switch {
		case a.LeaderID == buyer:
			add("lot-won", "buyer", path+"/result")
		case a.LeaderID != 0:
			add("lot-sold", "stranger", path)
		default:
			add("lot-unsold", "stranger", path)
		}
	}
	return list
}

// lotJSON is what the pictures need to know of a lot.
type lotJSON struct {
	ID, SellerID, BidCount, LeaderID int64
	StartTime, ServerTime            time.Time
}

func (h *house) auctions(status string) []lotJSON {
	h.t.Helper()
	var all []lotJSON
	for cursor := ""; ; {
		var page struct {
			Items      []lotJSON
			NextCursor string
		}
		h.get("/auctions?"+url.Values{"status": {status}, "cursor": {cursor}}.Encode(), &page)
		all = append(all, page.Items...)
		if cursor = page.NextCursor; cursor == "" {
			return all
		}
	}
}

// get reads JSON.
func (h *house) get(path string, into any) {
	h.t.Helper()
	request, err := http.NewRequest(http.MethodGet, h.url+path, nil)
	must(h.t, err)
	request.Header.Set("Accept", "application/json")
	response, err := http.DefaultClient.Do(request)
	must(h.t, err)
	defer response.Body.Close()
	must(h.t, json.NewDecoder(response.Body).Decode(into))
}

// shoot takes a picture of the whole page.
func (b *tab) shoot(name string) {
	b.t.Helper()
	picture, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	must(b.t, err)
	must(b.t, os.WriteFile(filepath.Join(*shots, name+".png"), picture, 0o644))
}
