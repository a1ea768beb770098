package handlers_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
)

// fields are an edit form's as its page holds them, changed.
func (v *visitor) fields(a auction.Auction, change map[string]string) url.Values {
	v.t.Helper()
	page := v.get(path(a) + "/edit")
	if page.StatusCode != http.StatusOK {
		v.t.Fatalf("the form: %d %.300s", page.StatusCode, text(page.text))
	}
	fields := url.Values{"description": {a.Description}}
	for _, name := range []string{"version", "title", "startingPrice", "minIncrement", "startTime", "lasts", "endTime", "zone"} {
		fields.Set(name, page.value(name))
	}
	for name, value := range change {
		fields.Set(name, value)
	}
	return fields
}

// lot is one that the seller listed, with an end to the microsecond.
func (s *site) lotOf(seller auction.Person, change func(*auction.Listing)) auction.Auction {
	s.t.Helper()
	l := auction.Listing{SellerID: seller.ID, Title: "Antique watch", Description: "Gold.", StartingPrice: s.Money("1000"), MinIncrement: s.Money("10"),
		EndTime: time.Date(2126, 7, 1, 12, 30, 0, 123456000, time.UTC)}
	if change != nil {
		change(&l)
	}
	a, err := s.List(s.t.Context(), l)
	if err != nil {
		s.t.Fatal(err)
	}
	return a
}

func (s *site) stands(a auction.Auction) auction.Auction {
	s.t.Helper()
	a, err := s.Auction(s.t.Context(), a.ID)
	if err != nil {
		s.t.Fatal(err)
	}
	return a
}

func TestASellerEditsALotAndWhatWasNotTouchedStays(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller := s.Person(true)
	v := s.signedIn(seller)
	for _, zone := range []string{"", "Europe/Berlin", "Asia/Kathmandu"} {
		if err := s.SetPreferences(t.Context(), seller.ID, zone, true); err != nil {
			t.Fatal(err)
		}
		for name, change := range map[string]func(*auction.Listing){
			"started":                                nil,
			"scheduled":                              func(l *auction.Listing) { start := l.EndTime.Add(-time.Hour); l.StartTime = &start },
			"an end that Berlin's clocks show twice": func(l *auction.Listing) { l.EndTime = time.Date(2027, 10, 31, 1, 30, 0, 1000, time.UTC) },
		} {
			a := s.lotOf(seller, change)
			answer := v.form(path(a)+"/edit", v.fields(a, map[string]string{"title": "A better watch", "startingPrice": "1,234.50"}))
			now := s.stands(a)
			if answer.StatusCode != http.StatusSeeOther || answer.Header.Get("Location") != path(a) || now.Title != "A better watch" || now.Version != 2 ||
				s.Currency.Text(now.CurrentPrice) != "1234.50" || !now.StartTime.Equal(a.StartTime) || !now.EndTime.Equal(a.EndTime) || now.Description != "Gold." {
				t.Errorf("%s in %q: %d %+v\n%.600s", name, zone, answer.StatusCode, now, text(answer.text))
			}
		}
	}
}

func TestAnEditMovesTheTimes(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller := s.Person(true)
	v := s.signedIn(seller)
	start := time.Date(2126, 7, 1, 10, 0, 0, 0, time.UTC)
	scheduled := func(l *auction.Listing) { l.StartTime = &start }
	a := s.lotOf(seller, scheduled)
	v.form(path(a)+"/edit", v.fields(a, map[string]string{"lasts": "36", "unit": "hours"})) // the end was not touched
	if now := s.stands(a); !now.StartTime.Equal(start) || now.EndTime.Sub(start) != 36*time.Hour {
		t.Errorf("from %v to %v", now.StartTime, now.EndTime)
	}
	both := v.form(path(a)+"/edit", v.fields(a, map[string]string{"lasts": "36", "unit": "hours", "endTime": "2126-08-01T00:00"}))
	both.shows(t, "Write how long it lasts or when it ends, not both.")
	v.form(path(a)+"/edit", v.fields(a, map[string]string{"startTime": "", "endTime": "2126-08-01T00:00"})) // at once
	if now := s.stands(a); now.State().Phase() != auction.Running || !now.EndTime.Equal(time.Date(2126, 8, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("from %v to %v", now.StartTime, now.EndTime)
	}
	v.get(path(a)).shows(t, "00:00:00 UTC, as Thursday begins")
}

// An edit page was opened before the lot's start and is sent after it.
func TestAnEditAfterTheStartMovesNoStart(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller := s.Person(true)
	v := s.signedIn(seller)
	for _, c := range []struct {
		name, start string
		change      map[string]string
		refused     bool
	}{
		{"a later start", "2126-06-01T00:00", nil, true},
		{"a past start", "2001-01-01T00:00", nil, true},
		{"a start that is none", "soon", nil, true},
		{"a later start and a length", "2126-06-01T00:00", map[string]string{"lasts": "3", "unit": "days"}, true},
		{"the lot's own start", "own", nil, false},
		{"no start", "", nil, false},
	} {
		later := time.Date(2126, 6, 30, 0, 0, 0, 0, time.UTC)
		a := s.lotOf(seller, func(l *auction.Listing) { l.StartTime = &later })
		fields := v.fields(a, map[string]string{"title": "A better watch"})
		s.Exec(`UPDATE auction SET start_time = '2026-01-02T10:00:00Z' WHERE id = $1`, a.ID)
		fields.Set("startTime", strings.Replace(c.start, "own", "2026-01-02T10:00", 1))
		for name, value := range c.change {
			fields.Set(name, value)
		}
		answer := v.form(path(a)+"/edit", fields)
		if !c.refused {
			if answer.StatusCode != http.StatusSeeOther || s.stands(a).Title != "A better watch" {
				t.Errorf("%s: %d", c.name, answer.StatusCode)
			}
			continue
		}
		answer.shows(t, "Bidding started at Fri 2 Jan 2026, 10:00 UTC meanwhile: the start cannot be moved any more.", "that stays as it is")
		if answer.StatusCode != http.StatusUnprocessableEntity || answer.value("title") != "A better watch" || s.stands(a).Version != 1 {
			t.Errorf("%s: %d, the form holds %q, version %d", c.name, answer.StatusCode, answer.value("title"), s.stands(a).Version)
		}
	}
}

// One tab was quicker: the other is told, keeps its text, and may save again.
func TestTwoTabsDoNotOverwriteEachOther(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller := s.Person(true)
	v := s.signedIn(seller)
	a := s.lotOf(seller, nil)
	first, second := v.fields(a, map[string]string{"title": "First"}), v.fields(a, map[string]string{"title": "Second", "minIncrement": "10.00"})
	v.form(path(a)+"/edit", first)
	refused := v.form(path(a)+"/edit", second)
	if refused.StatusCode != http.StatusConflict || refused.value("title") != "Second" || refused.value("version") != "2" || s.stands(a).Title != "First" {
		t.Fatalf("%d, the form holds %q", refused.StatusCode, refused.value("title"))
	}
	refused.shows(t, "The lot was edited meanwhile", "Now: First")
	if n := strings.Count(refused.text, "Now:"); n != 1 {
		t.Errorf("%d fields differ, not the title alone", n)
	}
	second.Set("version", refused.value("version"))
	if again := v.form(path(a)+"/edit", second); again.StatusCode != http.StatusSeeOther || s.stands(a).Title != "Second" {
		t.Errorf("saved again: %d", again.StatusCode)
	}
	if same := v.form(path(a)+"/edit", second); same.StatusCode != http.StatusSeeOther || s.stands(a).Version != 3 {
		t.Errorf("the same twice: %d, version %d", same.StatusCode, s.stands(a).Version)
	}
}

func TestARefusedEditKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller := s.Person(true)
	v := s.signedIn(seller)
	a := s.lotOf(seller, nil)
	for _, c := range []struct{ field, value, sentence string }{
		{"title", "", "Please fill this in."},
		{"minIncrement", "0", "The increment must be more than zero."},
		{"endTime", "2001-01-01T00:00", "The end must be in the future."},
		{"endTime", "", "Write how long it lasts"},
		{"lasts", "soon", "Write a whole number, such as 7."},
		{"lasts", "99999999", "A lot lasts ten years at most."},
	} {
		answer := v.form(path(a)+"/edit", v.fields(a, map[string]string{c.field: c.value}))
		answer.shows(t, c.sentence, "Edit lot")
		if answer.StatusCode != http.StatusUnprocessableEntity || answer.value(c.field) != c.value || answer.value("version") != "1" {
			t.Errorf("%s %q: %d, %q", c.field, c.value, answer.StatusCode, answer.value(c.field))
		}
	}
	if s.stands(a).Version != 1 {
		t.Error("something was changed")
	}
}

// Nobody edits or withdraws a lot of somebody else, or one whose terms stand:
// the pages say so, and so do the forms that are sent all the same.
func TestWhatNobodyMayChange(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller, ann, admin := s.Person(true), s.Person(false), s.Person(true)
	yes := true
	s.set(admin, store.Change{Admin: &yes})
	own, other, anyone := s.signedIn(seller), s.signedIn(ann), s.visitor()
	house := s.signedIn(admin)
	for name, c := range map[string]struct {
		who      *visitor
		state    string
		status   int
		sentence string
	}{
		"another person": {other, ``, 403, "somebody else&#39;s lot."},
		"an admin":       {house, ``, 403, "somebody else&#39;s lot."},
		"bid on":         {own, `UPDATE auction SET bid_count = 1, leader_id = 1, current_price = 1010, version = 2 WHERE id = $1`, 409, "Somebody has bid on this lot."},
		"ended":          {own, `UPDATE auction SET start_time = now() - interval '2 days', end_time = clock_timestamp() WHERE id = $1`, 409, "This lot has ended."},
		"closed":         {own, `UPDATE auction SET status = 'CLOSED', closed_at = clock_timestamp() WHERE id = $1`, 409, "This lot has ended."},
	} {
		a := s.lotOf(seller, nil)
		fields := own.fields(a, map[string]string{"title": "Changed"})
		if c.state != "" {
			s.Exec(c.state, a.ID)
		}
		before := s.stands(a)
		for kind, answer := range map[string]answer{
			"the form": c.who.get(path(a) + "/edit"), "an edit": c.who.form(path(a)+"/edit", fields),
			"the question": c.who.get(path(a) + "/withdrawal"), "a withdrawal": c.who.form(path(a)+"/withdrawal", url.Values{"reason": {"x"}}),
		} {
			if answer.StatusCode != c.status {
				t.Errorf("%s, %s: %d", name, kind, answer.StatusCode)
			}
			answer.shows(t, c.sentence)
		}
		for _, part := range []string{"/edit", "/withdrawal"} {
			if answer := anyone.form(path(a)+part, fields); answer.StatusCode != http.StatusSeeOther || !strings.HasPrefix(answer.Header.Get("Location"), "/login?next=") {
				t.Errorf("nobody: %d to %s", answer.StatusCode, answer.Header.Get("Location"))
			}
		}
		if now := s.stands(a); now.Version != before.Version || now.Title != before.Title || now.Status != before.Status {
			t.Errorf("%s: %+v", name, now)
		}
	}
}

func TestASellerWithdrawsALotAndListsItAgain(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller := s.Person(true)
	v, stranger := s.signedIn(seller), s.visitor()
	a := s.lotOf(seller, nil)
	v.get(path(a)).shows(t, "Edit", "Withdraw")
	v.get(path(a)+"/withdrawal").shows(t, "Withdraw Antique watch", "Nobody has bid.")
	long := v.form(path(a)+"/withdrawal", url.Values{"reason": {strings.Repeat("x", 1001)}})
	if long.StatusCode != http.StatusUnprocessableEntity || s.stands(a).Status != auction.Open {
		t.Errorf("a reason without end: %d", long.StatusCode)
	}
	for range 2 {
		if done := v.form(path(a)+"/withdrawal", url.Values{"reason": {"It <b>broke</b>."}}); done.StatusCode != http.StatusSeeOther || done.Header.Get("Location") != path(a) {
			t.Errorf("%d to %s", done.StatusCode, done.Header.Get("Location"))
		}
	}
	if now := s.stands(a); now.Status != auction.Withdrawn || now.Version != 2 {
		t.Errorf("%+v", now)
	}
	for _, part := range []string{"", "/result"} {
		v.get(path(a)+part).shows(t, "This lot was withdrawn.", "It &lt;b&gt;broke&lt;/b&gt;.", "List it again")
		page := stranger.get(path(a) + part)
		page.shows(t, "This lot was withdrawn.")
		page.hides(t, "broke")
	}
	v.get("/lots?state=withdrawn").shows(t, "Antique watch", "List again")

	again := v.get("/sell?from=" + strings.TrimPrefix(path(a), "/auctions/"))
	for name, want := range map[string]string{"title": "Antique watch", "startingPrice": "1000.00", "minIncrement": "10.00", "startTime": "", "endTime": "", "lasts": ""} {
		if got := again.value(name); got != want {
			t.Errorf("listed again, %s is %q, want %q", name, got, want)
		}
	}
	again.shows(t, "Gold.")
	open := s.lotOf(seller, nil)
	for from, want := range map[string]int{"1000000": 404, "x": 404, strings.TrimPrefix(path(open), "/auctions/"): 409} {
		if answer := v.get("/sell?from=" + from); answer.StatusCode != want {
			t.Errorf("from %s: %d, want %d", from, answer.StatusCode, want)
		}
	}
	if answer := s.signedIn(s.Person(true)).get("/sell?from=" + strings.TrimPrefix(path(a), "/auctions/")); answer.StatusCode != http.StatusForbidden {
		t.Errorf("somebody else's: %d", answer.StatusCode)
	}
}

// The house's reason is for those who bid, and for the seller.
func TestBiddersAreToldWhyALotWithBidsWasWithdrawn(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller, ann, admin, yes := s.Person(true), s.Person(false), s.Person(false), true
	s.set(admin, store.Change{Admin: &yes})
	a := s.lotOf(seller, nil)
	s.bid(s.token(ann), a, "1010")
	if _, err := s.Withdraw(t.Context(), auction.Withdrawal{AuctionID: a.ID, ActorID: admin.ID, ByAdmin: true, Reason: "It is a copy."}); err != nil {
		t.Fatal(err)
	}
	for _, who := range []auction.Person{seller, ann} {
		s.signedIn(who).get(path(a)).shows(t, "This lot was withdrawn.", "It is a copy.", "Last price", "No bid on it counts any more.")
		if reason := s.call("GET", path(a)+"/result", s.token(who), nil).member(t, "reason"); reason != "It is a copy." {
			t.Errorf("in JSON: %v", reason)
		}
	}
	s.visitor().get(path(a)).hides(t, "a copy")
	if reason := s.call("GET", path(a)+"/result", "", nil).member(t, "reason"); reason != nil {
		t.Errorf("to a stranger in JSON: %v", reason)
	}
	late := s.bid(s.token(ann), a, "2000")
	if late.StatusCode != http.StatusConflict || late.member(t, "code") != "auction_closed" {
		t.Errorf("a bid on it: %d %s", late.StatusCode, late.text)
	}
	events := s.call("GET", path(a)+"/events", "", nil, "Accept", "text/event-stream")
	if !strings.Contains(events.text, "event: closed") || strings.Count(events.text, "data:") != 1 {
		t.Errorf("its stream is %q", events.text)
	}
}

func TestAWithdrawalInJSONIsTheAuctionAsItStands(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller := s.Person(true)
	a := s.lotOf(seller, nil)
	first := s.call("POST", path(a)+"/withdrawal", s.token(seller), map[string]any{"reason": "Lost."})
	if first.StatusCode != http.StatusOK || first.member(t, "status") != "WITHDRAWN" || first.member(t, "closedAt") == nil {
		t.Errorf("%d %s", first.StatusCode, first.text)
	}
	second := s.call("POST", path(a)+"/withdrawal", s.token(seller), map[string]any{})
	if second.StatusCode != http.StatusConflict || second.member(t, "code") != "auction_withdrawn" {
		t.Errorf("%d %s", second.StatusCode, second.text)
	}
	if _, err := s.Result(t.Context(), a.ID); errors.Is(err, auction.ErrStillOpen) {
		t.Error("it is still open")
	}
}
