package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"rostrum/handlers"
	"rostrum/store/auction"
)

// end is when the lot ends that an answer leads to.
func (v *visitor) end(a answer) any {
	v.t.Helper()
	if a.StatusCode != http.StatusSeeOther {
		v.t.Errorf("not listed: %d %.900s", a.StatusCode, text(a.text))
		return nil
	}
	return v.call("GET", a.Header.Get("Location"), "", nil).member(v.t, "endTime")
}

func TestOfATimeThatComesTwiceTheSellerSaysWhich(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := s.signedIn(s.Person(true))
	for _, c := range []struct{ zone, local, first, second, firstWords, secondWords string }{
		{"Europe/Berlin", "2027-10-31T02:30", "2027-10-31T00:30:00.000000Z", "2027-10-31T01:30:00.000000Z",
			"The first: Sun 31 Oct 2027, 02:30 CEST", "The second: Sun 31 Oct 2027, 02:30 CET"},
		{"Australia/Lord_Howe", "2027-04-04T01:45", "2027-04-03T14:45:00.000000Z", "2027-04-03T15:15:00.000000Z",
			"The first: Sun 4 Apr 2027, 01:45 UTC+11:00", "The second: Sun 4 Apr 2027, 01:45 UTC+10:30"},
	} {
		fields := listing(func(f url.Values) { f.Set("zone", c.zone); f.Set("endTime", c.local) })
		asked := v.form("/auctions", fields)
		if asked.StatusCode != http.StatusUnprocessableEntity || asked.value("endTime") != c.local || asked.value("zone") != c.zone {
			t.Errorf("%s: %d, the form holds %s in %s", c.zone, asked.StatusCode, asked.value("endTime"), asked.value("zone"))
		}
		asked.shows(t, "this time comes twice. Which one is meant?", c.firstWords, c.secondWords)
		for turn, want := range map[string]string{"first": c.first, "second": c.second} {
			fields.Set("endTurn", turn)
			fields.Set("request_id", auction.NewRequestID().String())
			if got := v.end(v.form("/auctions", fields)); got != want {
				t.Errorf("the %s in %s is %v, want %s", turn, c.zone, got, want)
			}
		}
	}
}

func TestALotLastsDaysOrHours(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := s.signedIn(s.Person(true))
	for _, c := range []struct{ lasts, unit, start, want string }{
		{"7", "days", "2126-07-01T12:00", "2126-07-08T10:00:00.000000Z"},
		{"12", "hours", "2126-07-01T12:00", "2126-07-01T22:00:00.000000Z"},
		{" 1 ", "", "2027-10-30T12:00", "2027-10-31T10:00:00.000000Z"}, // 24 hours, though the clocks are put back
	} {
		a := v.form("/auctions", listing(func(f url.Values) {
			f.Del("endTime")
			for name, value := range map[string]string{"zone": "Europe/Berlin", "lasts": c.lasts, "unit": c.unit, "startTime": c.start} {
				f.Set(name, value)
			}
		}))
		if got := v.end(a); got != c.want {
			t.Errorf("%s %s from %s: %v, want %s", c.lasts, c.unit, c.start, got, c.want)
		}
	}
	fields := listing(func(f url.Values) { f.Del("endTime"); f.Set("lasts", "3") })
	first, second := v.form("/auctions", fields), v.form("/auctions", fields)
	if first.Header.Get("Location") == "" || first.Header.Get("Location") != second.Header.Get("Location") {
		t.Errorf("sent twice, it is at %q and %q", first.Header.Get("Location"), second.Header.Get("Location"))
	}
	for _, c := range []struct{ lasts, end, sentence string }{
		{"", "", "Write how long it lasts, or below when it ends."},
		{"3", "2126-07-01T12:00", "Write how long it lasts or when it ends, not both."},
		{"0", "", "Write a whole number, such as 7."},
		{"-1", "", "Write a whole number, such as 7."},
		{"1.5", "", "Write a whole number, such as 7."},
		{"9223372036854775807", "", "A lot lasts ten years at most."},
		{"3661", "", "A lot lasts ten years at most."},
	} {
		a := v.form("/auctions", listing(func(f url.Values) { f.Set("lasts", c.lasts); f.Set("endTime", c.end) }))
		a.shows(t, c.sentence)
		if a.StatusCode != http.StatusUnprocessableEntity || a.value("lasts") != c.lasts {
			t.Errorf("%q: %d, %q", c.lasts, a.StatusCode, a.value("lasts"))
		}
	}
}

// Without a script the form is in the zone of the settings, else in UTC, and
// what a time means stands on the page that comes back.
func TestAFormSaysWhichZoneItIsIn(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller := s.Person(true)
	v := s.signedIn(seller)
	form := v.get("/sell")
	form.shows(t, "Start and end are in UTC time.")
	if form.value("zone") != "UTC" {
		t.Errorf("the zone is %q", form.value("zone"))
	}
	if err := s.SetPreferences(t.Context(), seller.ID, "America/Sao_Paulo", true); err != nil {
		t.Fatal(err)
	}
	form = v.get("/sell")
	form.shows(t, "Start and end are in America/Sao Paulo time.")
	refused := v.form("/auctions", listing(func(f url.Values) {
		f.Set("title", "")
		f.Set("zone", form.value("zone"))
		f.Set("startTime", "2126-12-01T12:00")
		f.Set("endTime", "2126-12-02T00:00")
	}))
	refused.shows(t, "Starts Sun 1 Dec 2126, 12:00 UTC-03:00.", "Ends Mon 2 Dec 2126, 00:00 UTC-03:00, as Monday begins.", "America/Sao Paulo time")
	none := v.form("/auctions", listing(func(f url.Values) { f.Del("zone"); f.Set("endTime", "2126-12-02T00:00") }))
	if got := v.end(none); got != "2126-12-02T03:00:00.000000Z" {
		t.Errorf("a form without a zone ends at %v", got)
	}
}

func TestTimesAreToldWhileTheyAreWritten(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller := s.Person(true)
	v := s.signedIn(seller)
	a := s.lotOf(seller, nil)
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"zone=Europe/Berlin&endTime=2126-12-02T00:00", []string{"Ends Mon 2 Dec 2126, 00:00 CET, as Monday begins."}},
		{"zone=Europe/Berlin&startTime=2126-07-01T12:00&lasts=7&unit=days", []string{"Starts Mon 1 Jul 2126, 12:00 CEST.", "Ends Mon 8 Jul 2126, 12:00 CEST."}},
		{"zone=UTC&lasts=7", []string{"Put up now, it ends "}},
		{"zone=Europe/Berlin&endTime=2027-03-28T02:30", []string{"there is no such time"}},
		{"zone=UTC&startTime=2001-01-01T00:00&lasts=1&unit=days", []string{"This start is past: bidding starts at once.", "Put up now, it ends "}},
		{"zone=UTC&lasts=1&unit=weeks", []string{"Choose days or hours."}},
		{"zone=Europe/Berlin&startTime=2027-03-28T02:30", []string{"there is no such time"}},
		{"zone=Europe/Berlin&endTime=2027-10-31T02:30", []string{"Which one is meant?", "CEST", "CET"}},
		{"zone=UTC&endTime=2001-01-01T00:00", []string{"The end must be in the future."}},
		{"zone=UTC&startTime=2126-01-02T00:00&endTime=2126-01-01T00:00", []string{"The end must be after the start."}},
		{"zone=UTC&lasts=x", []string{"Write a whole number"}},
		{"zone=UTC&lasts=24&unit=hours&endTime=2126-07-01T12:30&lot=" + strings.TrimPrefix(path(a), "/auctions/"), []string{"Ends "}},
	} {
		v.get("/sell/times?"+c.query).shows(t, c.want...)
	}
	for _, query := range []string{"", "zone=UTC", "zone=UTC&unit=days&startTime=&endTime=&lasts="} {
		if said := text(v.get("/sell/times?" + query).text); said != "" {
			t.Errorf("of an empty form is said %q", said)
		}
	}
	if other := s.signedIn(s.Person(true)).get("/sell/times?lot=" + strings.TrimPrefix(path(a), "/auctions/")); other.StatusCode != http.StatusForbidden {
		t.Errorf("of somebody else's lot: %d", other.StatusCode)
	}
}

func TestYenHaveNoDecimalsFromTheFormToTheLot(t *testing.T) {
	t.Parallel()
	yen, err := auction.NewCurrency("JPY")
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, func(o *handlers.Options) { o.Currency = yen })
	s.Exec(`UPDATE house SET currency = 'JPY', digits = 0`)
	seller := s.Person(true)
	v := s.signedIn(seller)
	v.form("/auctions", listing(func(f url.Values) { f.Set("startingPrice", "1640.50") })).shows(t, "Write an amount like 10, with at most 12 digits and no decimals.")
	listed := v.form("/auctions", listing(func(f url.Values) { f.Set("startingPrice", "1,640"); f.Set("minIncrement", "10") }))
	lot := v.call("GET", listed.Header.Get("Location"), "", nil)
	if lot.member(t, "startingPrice") != "1640" || lot.member(t, "minimumBid") != "1650" {
		t.Errorf("%s", lot.text)
	}
	form := v.get(listed.Header.Get("Location") + "/edit")
	if form.value("startingPrice") != "1640" || form.value("minIncrement") != "10" {
		t.Errorf("edited, it starts at %q in steps of %q", form.value("startingPrice"), form.value("minIncrement"))
	}
	fields := url.Values{"version": {"1"}, "title": {"Desk"}, "startingPrice": {"2000"}, "minIncrement": {"10"}, "lasts": {"3"}}
	v.form(listed.Header.Get("Location")+"/edit", fields)
	v.get(listed.Header.Get("Location")).shows(t, "¥2,000")
}
