package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
)

// ask sends the bid form to where it is shown once more.
func (v *visitor) ask(form answer, a auction.Auction, amount string, headers ...string) answer {
	v.t.Helper()
	return v.form(path(a)+"/bids/confirmation", url.Values{"amount": {amount}, "request_id": {form.value("request_id")}}, headers...)
}

// yes presses the button below the question.
func (v *visitor) yes(question answer, a auction.Auction, headers ...string) answer {
	v.t.Helper()
	_, asked, found := strings.Cut(question.text, `<dialog id="ask"`)
	if !found {
		v.t.Fatalf("there is no question (%d): %.600s", question.StatusCode, text(question.text))
	}
	question.text = asked
	fields := url.Values{"amount": {question.value("amount")}, "request_id": {question.value("request_id")}}
	if raise := question.value("raise"); raise != "" {
		fields.Set("raise", raise)
	}
	return v.form(path(a)+"/bids", fields, headers...)
}

func (s *site) bidCount(a auction.Auction) int64 {
	s.t.Helper()
	now, err := s.Auction(s.t.Context(), a.ID)
	if err != nil {
		s.t.Fatal(err)
	}
	return now.BidCount
}

func TestABidIsShownOnceMoreAsTheHouseUnderstoodIt(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot := s.Lot(s.Person(true), time.Hour)
	v := s.signedIn(s.Person(false))
	for _, headers := range [][]string{nil, {"HX-Request", "true"}} {
		page := v.get(path(lot))
		if !strings.Contains(page.text, `action="`+path(lot)+`/bids/confirmation"`) {
			t.Fatalf("the form does not lead to the question: %.900s", page.text)
		}
		floor, before := page.value("amount"), s.bidCount(lot)
		if before > 0 {
			s.bid(s.token(s.Person(false)), lot, floor) // so that the bidder does not lead
			before++
			floor = "12000"
		} else {
			floor = " 1,400 "
		}
		asked := v.ask(page, lot, floor, headers...)
		if asked.StatusCode != http.StatusOK || asked.value("request_id") != page.value("request_id") {
			t.Errorf("asked: %d, with the id %q", asked.StatusCode, asked.value("request_id"))
		}
		if want := map[string]string{" 1,400 ": "Bid $1,400.00 ?", "12000": "Bid $12,000.00 ?"}[floor]; true {
			asked.shows(t, want, "Antique watch", "A bid is binding.")
		}
		if s.bidCount(lot) != before {
			t.Error("the question was a bid")
		}
		if whole := strings.Contains(asked.text, "<html"); whole != (headers == nil) {
			t.Errorf("a whole page: %t", whole)
		}
		if a := v.yes(asked, lot, headers...); a.StatusCode != http.StatusCreated {
			t.Errorf("yes: %d", a.StatusCode)
		}
		if a := v.yes(asked, lot, headers...); a.StatusCode != http.StatusOK {
			t.Errorf("yes once more, by a second press: %d", a.StatusCode)
		}
		if n := s.bidCount(lot); n != before+1 {
			t.Errorf("%d bids, want %d", n, before+1)
		}
	}
}

func TestWhatWouldBeRefusedIsNotAskedAbout(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller, ann := s.Person(true), s.Person(false)
	lot := s.Lot(seller, time.Hour)
	v, own := s.signedIn(ann), s.signedIn(seller)
	page := v.get(path(lot))
	for amount, c := range map[string]struct {
		status int
		says   string
		field  string
	}{
		"1.400":   {400, "Write an amount like 1010.00.", "1.400"},
		"1,40":    {400, "Write an amount like 1010.00.", "1,40"},
		"":        {400, "Write an amount like 1010.00.", ""},
		"1009.99": {409, "Your bid of $1009.99 was too low. The lowest bid is $1,010.00.", "1010.00"},
	} {
		a := v.ask(page, lot, amount)
		if a.StatusCode != c.status || a.value("amount") != c.field || strings.Contains(a.text, "<dialog") {
			t.Errorf("%q: %d, the field holds %q", amount, a.StatusCode, a.value("amount"))
		}
		a.shows(t, c.says)
	}
	if a := v.form(path(lot)+"/bids/confirmation", url.Values{"amount": {"1010"}}); a.StatusCode != 400 {
		t.Errorf("without an id: %d", a.StatusCode)
	}
	if a := own.ask(page, lot, "1010"); a.StatusCode != 403 || strings.Contains(a.text, "<dialog") {
		t.Errorf("the seller: %d", a.StatusCode)
	}
	if a := s.visitor().ask(page, lot, "1010"); a.StatusCode != 303 || a.Header.Get("Location") != "/login?next="+url.QueryEscape(path(lot)) {
		t.Errorf("signed out: %d to %s", a.StatusCode, a.Header.Get("Location"))
	}
	s.Exec(`UPDATE auction SET start_time = '2026-01-01T00:00:00Z', end_time = '2026-01-02T03:04:05Z' WHERE id = $1`, lot.ID)
	late := v.ask(page, lot, "1010")
	late.shows(t, "too late: the lot ended at")
	if late.StatusCode != 409 || s.bidCount(lot) != 0 {
		t.Errorf("after the end: %d", late.StatusCode)
	}
}

func TestThePriceMayMoveWhileOneIsAsked(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot := s.Lot(s.Person(true), time.Hour)
	v := s.signedIn(s.Person(false))
	asked := v.ask(v.get(path(lot)), lot, "1010")
	s.bid(s.token(s.Person(false)), lot, "1200")
	a := v.yes(asked, lot)
	if a.StatusCode != http.StatusConflict || a.value("amount") != "1210.00" {
		t.Errorf("%d, the field holds %q", a.StatusCode, a.value("amount"))
	}
	a.shows(t, "too low. The lowest bid is $1,210.00.")
}

func TestTheLeaderIsAskedBeforeRaisingTheirOwnBid(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot, ann := s.Lot(s.Person(true), time.Hour), s.Person(false)
	v, token := s.signedIn(ann), s.token(ann)
	stale := v.get(path(lot)) // a tab in which nobody has bid yet
	s.bid(token, lot, "1010")

	for _, headers := range [][]string{{"HX-Request", "true"}, nil} {
		asked := v.form(path(lot)+"/bids", url.Values{"amount": {"1,500"}, "request_id": {stale.value("request_id")}}, headers...)
		if asked.StatusCode != http.StatusConflict || s.bidCount(lot) != 1 {
			t.Errorf("a bid from a stale tab: %d, and there are %d bids", asked.StatusCode, s.bidCount(lot))
		}
		asked.shows(t, "You are leading at $1,010.00 .", "Raise your own bid to $1,500.00 ?", "Leave it as it is")
		if !strings.Contains(asked.text, `id="panel"`) {
			t.Error("the answer is no panel")
		}
		stale = asked
	}
	asked := v.ask(v.get(path(lot)), lot, "1500")
	if asked.StatusCode != http.StatusOK {
		t.Errorf("asked by the page itself: %d", asked.StatusCode)
	}
	asked.shows(t, "Raise your own bid to $1,500.00 ?")
	if a := v.yes(asked, lot); a.StatusCode != http.StatusCreated || s.bidCount(lot) != 2 {
		t.Errorf("yes: %d, and there are %d bids", a.StatusCode, s.bidCount(lot))
	}
	if a := v.yes(asked, lot); a.StatusCode != http.StatusOK || s.bidCount(lot) != 2 {
		t.Errorf("yes twice: %d, and there are %d bids", a.StatusCode, s.bidCount(lot))
	}

	// A program says all it means, in JSON and by form.
	if a := s.bid(token, lot, "1600"); a.StatusCode != http.StatusCreated {
		t.Errorf("JSON: %d", a.StatusCode)
	}
	form := url.Values{"amount": {"1700"}, "request_id": {auction.NewRequestID().String()}}.Encode()
	program := s.visitor().do("POST", path(lot)+"/bids", form, "Accept", "application/json", "Authorization", "Bearer "+token,
		"Content-Type", "application/x-www-form-urlencoded")
	if program.StatusCode != http.StatusCreated {
		t.Errorf("a program's form: %d %s", program.StatusCode, program.text)
	}
}

func TestAPersonCanSwitchTheQuestionOff(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot, ann := s.Lot(s.Person(true), time.Hour), s.Person(false)
	s.Exec(`UPDATE account SET confirm_bids = false WHERE id = $1`, ann.ID)
	v := s.signedIn(ann)
	page := v.get(path(lot))
	_, form, _ := strings.Cut(page.text, `id="bid"`)
	form, _, _ = strings.Cut(form, "</form>")
	if !strings.Contains(form, `action="`+path(lot)+`/bids"`) || strings.Contains(form, `name="raise"`) {
		t.Errorf("the form: %.900s", form)
	}
	if a := v.send(page, lot, "1010"); a.StatusCode != http.StatusCreated {
		t.Errorf("%d", a.StatusCode)
	}
	// The leader is asked all the same: a second press is no intent.
	leading := v.get(path(lot))
	again := v.send(leading, lot, "1100")
	if again.StatusCode != http.StatusConflict || leading.value("raise") != "" {
		t.Errorf("raise=%q: %d", leading.value("raise"), again.StatusCode)
	}
	again.shows(t, "You are leading at $1,010.00", "Raise to $1,100.00")
	if a := v.form(path(lot)+"/bids", url.Values{"amount": {"1100"}, "request_id": {again.value("request_id")}, "raise": {"yes"}}); a.StatusCode != http.StatusCreated {
		t.Errorf("the leader who means it: %d", a.StatusCode)
	}
	if a := v.send(page, lot, "1200"); a.StatusCode != http.StatusUnprocessableEntity { // the id of the first bid
		t.Errorf("an old form: %d", a.StatusCode)
	}
}

func TestAQuickStepIsAFormOfItsOwn(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot := s.Lot(s.Person(true), time.Hour)
	v := s.signedIn(s.Person(false))
	page := v.get(path(lot))
	for amount, price := range map[string]string{"1010.00": "$1,010.00", "1020.00": "$1,020.00", "1050.00": "$1,050.00"} {
		if !strings.Contains(page.text, `<button form="steps" name="amount" value="`+amount+`" data-step>`+price+`</button>`) {
			t.Errorf("no step to %s", price)
		}
		v.ask(page, lot, amount).shows(t, "Bid "+price+" ?")
	}
	suspended := true
	person, err := s.AddPerson(t.Context(), auction.Person{Email: "x@example.com", Name: "X"}, "")
	if err != nil {
		t.Fatal(err)
	}
	late := s.signedIn(person)
	s.set(person, store.Change{Suspended: &suspended})
	if a := late.ask(page, lot, "1050.00"); a.StatusCode != http.StatusForbidden && a.StatusCode != http.StatusSeeOther {
		t.Errorf("a suspended person: %d", a.StatusCode)
	}
}

func TestABidThatComesTooLateIsToldWhy(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller, ann := s.Person(true), s.Person(false)
	v := s.signedIn(ann)
	for end, want := range map[string]string{
		`end_time = clock_timestamp() - interval '1 second', start_time = now() - interval '1 hour'`:                                                   "too late: the lot ended at ",
		`end_time = '2020-02-03 04:05:06Z', start_time = '2020-01-01Z'`:                                                                                "the lot ended at Mon 3 Feb 2020, 04:05:06.000.",
		`status = 'WITHDRAWN', closed_at = clock_timestamp(), version = version + 1, end_time = '2036-01-01Z', start_time = now() - interval '1 hour'`: "This lot was withdrawn. Your bid was not placed.",
	} {
		lot := s.Lot(seller, time.Hour)
		page := v.get(path(lot))
		s.Exec(`UPDATE auction SET `+end+` WHERE id = $1`, lot.ID)
		for _, part := range []string{"/bids", "/bids/confirmation"} {
			v.form(path(lot)+part, url.Values{"amount": {"1010"}, "request_id": {page.value("request_id")}}, "HX-Request", "true").shows(t, want)
		}
	}
}
