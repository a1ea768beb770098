package handlers_test

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"rostrum/handlers"
	"rostrum/store"
	"rostrum/store/auction"
)

// send sends the bid form that a page or a panel holds, as htmx would.
func (v *visitor) send(form answer, a auction.Auction, amount string) answer {
	v.t.Helper()
	id := form.value("request_id")
	if _, err := auction.ParseRequestID(id); err != nil {
		v.t.Fatalf("the form has no request id: %.600s", form.text)
	}
	return v.form(path(a)+"/bids", url.Values{"amount": {amount}, "request_id": {id}}, "HX-Request", "true")
}

func TestABidderIsToldWhatCameOfEachBid(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot, ann, ben := s.Lot(s.Person(true), time.Hour), s.Person(false), s.Person(false)
	v := s.signedIn(ann)
	page := v.get(path(lot))
	if page.value("amount") != "1010.00" {
		t.Errorf("the field is prefilled with %q, want the floor", page.value("amount"))
	}

	mistake := v.send(page, lot, "a lot")
	if mistake.StatusCode != http.StatusBadRequest || mistake.value("amount") != "a lot" || !strings.Contains(mistake.text, `aria-invalid="true"`) {
		t.Errorf("no amount: %d, the field holds %q", mistake.StatusCode, mistake.value("amount"))
	}
	mistake.shows(t, "Write an amount like 1010.00.")

	low := v.send(mistake, lot, "1,001")
	if low.StatusCode != http.StatusConflict || low.value("amount") != "1010.00" {
		t.Errorf("too low: %d, the field holds %q, want the floor", low.StatusCode, low.value("amount"))
	}
	low.shows(t, "Your bid of $1,001 was too low. The lowest bid is $1,010.00.", "$1,010.00")

	in := v.send(low, lot, " 1,234.50 ")
	if in.StatusCode != http.StatusCreated || strings.Contains(in.text, "<html") || in.value("request_id") == low.value("request_id") {
		t.Errorf("accepted: %d, a fragment with a fresh id: %.300s", in.StatusCode, in.text)
	}
	in.shows(t, "Your bid of $1,234.50 is in.", "You are leading.")

	again := v.send(low, lot, "1234.50")
	if again.StatusCode != http.StatusOK || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the same form sent twice: %d", again.StatusCode)
	}
	if other := v.send(low, lot, "5000"); other.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("the same id with another amount: %d", other.StatusCode)
	}

	s.bid(s.token(ben), lot, "1300")
	outbid := v.get(path(lot))
	outbid.shows(t, "You have been outbid.", "Your last bid was $1,234.50")
	if outbid.value("amount") != "1310.00" {
		t.Errorf("after being outbid the field holds %q", outbid.value("amount"))
	}
}

func TestTheBidFormWorksWithoutScripts(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot := s.Lot(s.Person(true), time.Hour)
	v := s.signedIn(s.Person(false))
	id := v.get(path(lot)).value("request_id")
	low := v.form(path(lot)+"/bids", url.Values{"amount": {"1000"}, "request_id": {id}})
	if low.StatusCode != http.StatusConflict || !strings.Contains(low.text, "<html") {
		t.Errorf("too low: %d, want a whole page", low.StatusCode)
	}
	in := v.form(path(lot)+"/bids", url.Values{"amount": {"1010"}, "request_id": {low.value("request_id")}})
	if in.StatusCode != http.StatusCreated || !strings.Contains(in.text, "<html") {
		t.Errorf("accepted: %d, want a whole page", in.StatusCode)
	}
	in.shows(t, "Your bid of $1,010.00 is in.", "1 bid")
}

// A client may stop sending and wait: net/http takes it for one that left.
func TestAHalfClosedClientIsAnsweredToo(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot := s.Lot(s.Person(true), time.Hour)
	token := s.token(s.Person(false))
	for _, c := range []struct{ what, request, want string }{
		{"a page", "GET " + path(lot) + " HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n", "HTTP/1.1 200"},
		{"no such page", "GET /nothing HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n", "HTTP/1.1 404"},
		{"a bid too low", bidRequest(lot, token, "1000"), "HTTP/1.1 409"},
		{"a bid", bidRequest(lot, token, "1010"), "HTTP/1.1 201"},
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, c.request); err != nil {
			t.Fatal(err)
		}
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		answered, err := io.ReadAll(conn)
		if err != nil || !strings.HasPrefix(string(answered), c.want) || !strings.Contains(string(answered), "</html>") {
			t.Errorf("%s: %v, %.100s", c.what, err, answered)
		}
		conn.Close()
	}
}

func bidRequest(lot auction.Auction, token, amount string) string {
	form := url.Values{"amount": {amount}, "request_id": {auction.NewRequestID().String()}}.Encode()
	return "POST " + path(lot) + "/bids HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\nAuthorization: Bearer " + token +
		"\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: " + strconv.Itoa(len(form)) + "\r\n\r\n" + form
}

func TestAFormWithoutAnIdPlacesNoBid(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot := s.Lot(s.Person(true), time.Hour)
	a := s.signedIn(s.Person(false)).form(path(lot)+"/bids", url.Values{"amount": {"1010"}}, "HX-Request", "true")
	if a.StatusCode != http.StatusBadRequest || a.value("amount") != "1010" || a.value("request_id") == "" {
		t.Errorf("%d, the field holds %q", a.StatusCode, a.value("amount"))
	}
}

func TestABidOfSomebodyWhoSignedOutMeanwhileAsksToSignIn(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot := s.Lot(s.Person(true), time.Hour)
	v := s.signedIn(s.Person(false))
	page := v.get(path(lot))
	v.form("/logout", nil)
	a := v.send(page, lot, "1010")
	if a.StatusCode != http.StatusUnauthorized {
		t.Errorf("%d, want 401", a.StatusCode)
	}
	a.shows(t, "You are not signed in any more. Your bid was not placed.", "Sign in")
}

func TestBidsAreLimitedByPersonNotByAddress(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *handlers.Options) { o.BidRate = 2 })
	lot, ann, ben := s.Lot(s.Person(true), time.Hour), s.Person(false), s.Person(false)
	v := s.signedIn(ann)
	page := v.get(path(lot))
	var held answer
	for i := 0; held.Response == nil; i++ {
		if a := v.send(page, lot, "1001"); a.StatusCode == http.StatusTooManyRequests {
			held = a
		} else if i > 200 {
			t.Fatal("200 bids in a row were let through at two a second")
		}
	}
	if wait, err := strconv.Atoi(held.Header.Get("Retry-After")); err != nil || wait < 1 || wait > 5 {
		t.Errorf("Retry-After is %q", held.Header.Get("Retry-After"))
	}
	if held.value("amount") != "1001" || held.value("request_id") != page.value("request_id") {
		t.Errorf("the held bid cannot be sent again as it was: %.300s", held.text)
	}
	held.shows(t, "Please try again in")
	if a := s.bid(s.token(ben), lot, "1010"); a.StatusCode != http.StatusCreated {
		t.Errorf("another person at the same address: %d", a.StatusCode)
	}
}

func TestALateBidIsToldBothTimes(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot := s.Lot(s.Person(true), time.Hour)
	v := s.signedIn(s.Person(false))
	page := v.get(path(lot))
	s.Exec(`UPDATE auction SET start_time = '2026-01-01T00:00:00Z', end_time = '2026-01-02T03:04:05Z' WHERE id = $1`, lot.ID)
	a := v.send(page, lot, "1010")
	if a.StatusCode != http.StatusConflict {
		t.Errorf("%d, want 409", a.StatusCode)
	}
	a.shows(t, "too late: the lot ended at", "03:04:05.000", "Ended, being confirmed.")
	v.get(path(lot)).shows(t, "Ended, being confirmed.")
	s.close()
	for _, headers := range [][]string{{"HX-Request", "true"}, nil} {
		closed := v.form(path(lot)+"/bids", url.Values{"amount": {"1010"}, "request_id": {auction.NewRequestID().String()}}, headers...)
		closed.shows(t, "too late: the lot ended at")
	}
}

func TestEachReaderIsOfferedWhatTheyMayDo(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller, ann, rogue := s.Person(true), s.Person(false), s.Person(false)
	lot := s.Lot(seller, time.Hour)
	start := s.Now().Add(time.Hour)
	later, err := s.List(t.Context(), auction.Listing{SellerID: seller.ID, Title: "Later", StartingPrice: s.Money("1"),
		MinIncrement: s.Money("1"), StartTime: &start, EndTime: start.Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	suspended := s.signedIn(rogue)
	yes := true
	s.set(rogue, store.Change{Suspended: &yes})
	for _, c := range []struct {
		what string
		a    answer
		want string
		form bool
	}{
		{"nobody", s.visitor().get(path(lot)), "Sign in to bid.", false},
		{"the seller", s.signedIn(seller).get(path(lot)), "This is your own lot.", false},
		{"a suspended person", suspended.get(path(lot)), "You may not bid for now.", false},
		{"before the start", s.signedIn(ann).get(path(later)), "Bidding has not started.", false},
		{"a bidder", s.signedIn(ann).get(path(lot)), "at least $1,010.00", true},
	} {
		c.a.shows(t, c.want)
		if got := c.a.value("request_id") != ""; got != c.form {
			t.Errorf("%s: a bid form is %t, want %t", c.what, got, c.form)
		}
	}
}

func TestTheLogTellsAliasesOnly(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot, ann := s.Lot(s.Person(true), time.Hour), s.Person(false)
	token := s.token(ann)
	for i := range 120 {
		if a := s.bid(token, lot, strconv.Itoa(1010+10*i)); a.StatusCode != http.StatusCreated {
			t.Fatalf("bid %d: %d", i, a.StatusCode)
		}
	}
	first := s.call("GET", path(lot)+"/bids", "", nil)
	cursor, _ := first.member(t, "nextCursor").(string)
	second := s.call("GET", path(lot)+"/bids?cursor="+cursor, "", nil)
	if n := strings.Count(first.text+second.text, `"alias":"`+ann.Alias+`"`); n != 120 || second.member(t, "nextCursor") != nil {
		t.Errorf("%d of 120 bids stand in two pages", n)
	}
	first.hides(t, ann.Email, ann.Name, "requestId")
	page := s.visitor().get(path(lot) + "/bids")
	page.shows(t, ann.Alias, "$2,200.00")
	page.hides(t, ann.Email, ann.Name)
}
