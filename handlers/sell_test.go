package handlers_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"rostrum/store/auction"
)

func listing(change func(url.Values)) url.Values {
	v := url.Values{
		"title": {"Walnut desk"}, "description": {"Brass fittings."}, "startingPrice": {"1,640"}, "minIncrement": {"10"},
		"endTime": {time.Now().UTC().Add(48 * time.Hour).Format("2006-01-02T15:04")}, "zone": {"UTC"},
		"request_id": {auction.NewRequestID().String()},
	}
	if change != nil {
		change(v)
	}
	return v
}

func TestASellerListsALotByFormOnceHoweverOftenItIsSent(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := s.signedIn(s.Person(true))
	fields := listing(nil)
	first, second := v.form("/auctions", fields), v.form("/auctions", fields)
	if first.StatusCode != http.StatusSeeOther || first.Header.Get("Location") == "" || first.Header.Get("Location") != second.Header.Get("Location") {
		t.Fatalf("%d to %q, then %d to %q", first.StatusCode, first.Header.Get("Location"), second.StatusCode, second.Header.Get("Location"))
	}
	v.get(first.Header.Get("Location")).shows(t, "Walnut desk", "Brass fittings.", "$1,640.00", "This is your own lot.")
	other := v.form("/auctions", listing(func(f url.Values) { f["request_id"] = fields["request_id"]; f.Set("title", "Oak desk") }))
	if other.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("the same id for another lot: %d", other.StatusCode)
	}
}

func TestARefusedListingKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := s.signedIn(s.Person(true))
	for _, c := range []struct{ field, value, sentence string }{
		{"title", "", "Please fill this in."},
		{"title", strings.Repeat("x", 201), "Use at most 200 characters."},
		{"description", strings.Repeat("y", 10_001), "Use at most 10000 characters."},
		{"startingPrice", "12,34", "Write an amount like"},
		{"minIncrement", "0", "The increment must be more than zero."},
		{"endTime", "2001-01-01T00:00", "The end must be in the future."},
		{"endTime", "soon", "Choose a day and a time."},
		{"startTime", "2126-01-01T00:00", "The end must be after the start."},
		{"title", "\u200b", "Please fill this in."},
		{"title", "desk\u202e", "one line of plain text"},
	} {
		a := v.form("/auctions", listing(func(f url.Values) { f.Set(c.field, c.value) }))
		if a.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s %.20q: %d", c.field, c.value, a.StatusCode)
		}
		a.shows(t, c.sentence)
		if c.field != "description" && a.value(c.field) != c.value || !strings.Contains(a.text, "Brass fittings.") && c.field != "description" {
			t.Errorf("%s %.20q was not kept: %q", c.field, c.value, a.value(c.field))
		}
	}
}

func TestAnEndIsMeantInTheSellersZone(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := s.signedIn(s.Person(true))
	for _, c := range []struct {
		zone, local, want string // want "" is a refusal
	}{
		{"UTC", "2126-07-01T12:00", "2126-07-01T12:00:00.000000Z"},
		{"Europe/Berlin", "2126-07-01T12:00", "2126-07-01T10:00:00.000000Z"},
		{"Europe/Berlin", "2126-12-01T12:00", "2126-12-01T11:00:00.000000Z"},
		{"Asia/Kolkata", "2126-07-01T00:00", "2126-06-30T18:30:00.000000Z"},
		{"Europe/Berlin", "2027-03-28T02:30", ""}, // skipped: 02:00 becomes 03:00
	} {
		a := v.form("/auctions", listing(func(f url.Values) { f.Set("zone", c.zone); f.Set("endTime", c.local) }))
		if c.want == "" {
			a.shows(t, "In Europe/Berlin the clocks are put forward from 02:00 to 03:00 on Sun 28 Mar 2027: there is no such time. Write one before 02:00, or from 03:00 on.")
			continue
		}
		if got := s.call("GET", a.Header.Get("Location"), "", nil).member(t, "endTime"); got != c.want {
			t.Errorf("%s in %s is %v, want %s", c.local, c.zone, got, c.want)
		}
	}
}

func TestAFormThatIsItselfWrongKeepsWhatWasTypedToo(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := s.signedIn(s.Person(true))
	for field, want := range map[string]int{"zone": http.StatusUnprocessableEntity, "request_id": http.StatusBadRequest} {
		a := v.form("/auctions", listing(func(f url.Values) { f.Set(field, "Mars/Olympus") }))
		if a.StatusCode != want || a.value("title") != "Walnut desk" || a.value("request_id") == "Mars/Olympus" {
			t.Errorf("a bad %s: %d, the title is %q", field, a.StatusCode, a.value("title"))
		}
	}
	odd := v.form("/auctions", listing(func(f url.Values) { f.Set("zone", "Mars/Olympus") }))
	odd.shows(t, "Please write the times in UTC.")
	if odd.value("zone") != "UTC" || strings.Contains(odd.text, "data-zone-field") {
		t.Errorf("the form cannot be sent again: its zone is %q", odd.value("zone"))
	}
	if a := v.form("/auctions", listing(func(f url.Values) { f.Set("description", strings.Repeat("y", 200_000)) })); a.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a form without end: %d", a.StatusCode)
	}
}

func TestMarkupInALotIsTextEverywhere(t *testing.T) {
	t.Parallel()
	s := open(t)
	token := s.token(s.Person(true))
	hostile := `<script>alert(1)</script>"'><img src=x onerror=alert(2)>`
	a := s.call("POST", "/auctions", token, map[string]any{"title": hostile, "description": hostile, "startingPrice": "1", "minIncrement": "1",
		"endTime": time.Now().Add(time.Hour).UTC().Format(time.RFC3339)})
	at := fmt.Sprint("/auctions/", a.member(t, "id"))
	for _, page := range []string{"/", at, at + "/bids"} {
		s.visitor().get(page).hides(t, "<script>alert", "<img src=x")
	}
}

func TestAListIsPagedAndKeepsItsOrder(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller := s.Person(true)
	for i := range 60 {
		s.Lot(seller, time.Duration(60-i)*time.Hour)
	}
	v := s.visitor()
	home := v.get("/")
	if n := strings.Count(home.text, `id="row-`); n != 50 {
		t.Errorf("the home page shows %d lots", n)
	}
	if n := strings.Count(home.text, "hx-sse:connect"); n != 1 {
		t.Errorf("the home page opens %d streams, want one", n)
	}
	first := s.call("GET", "/auctions", "", nil)
	cursor, _ := first.member(t, "nextCursor").(string)
	second := s.call("GET", "/auctions?cursor="+url.QueryEscape(cursor), "", nil)
	if n := strings.Count(second.text, `"id"`); n != 10 || second.member(t, "nextCursor") != nil {
		t.Errorf("the second page has %d lots: %s", n, second.text)
	}
	if strings.Index(first.text, `"id":60,`) > strings.Index(first.text, `"id":59,`) {
		t.Error("what ends sooner must stand first")
	}
}
