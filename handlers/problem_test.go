package handlers_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
)

func TestEveryMistakeInARequestHasItsStatusAndCode(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller, ann := s.Person(true), s.Person(false)
	token, sellerToken := s.token(ann), s.token(seller)
	lot := s.Lot(seller, time.Hour)
	key := []string{"Idempotency-Key", auction.NewRequestID().String()}
	for _, c := range []struct {
		what, method, path, token, body string
		headers                         []string
		status                          int
		code                            string
	}{
		{"no such lot", "GET", "/auctions/99", "", "", nil, 404, "not_found"},
		{"an id that is none", "GET", "/auctions/01", "", "", nil, 404, "not_found"},
		{"no such page", "GET", "/nothing/here", "", "", nil, 404, "not_found"},
		{"another method", "DELETE", path(lot), token, "", nil, 405, "method_not_allowed"},
		{"a bad cursor", "GET", "/auctions?cursor=x", "", "", nil, 400, "cursor_invalid"},
		{"a bad cursor of a log", "GET", path(lot) + "/bids?cursor=-4", "", "", nil, 400, "cursor_invalid"},
		{"a status that is none", "GET", "/auctions?status=all", "", "", nil, 400, "unreadable"},
		{"the result of an open lot", "GET", path(lot) + "/result", "", "", nil, 409, "auction_open"},
		{"nobody bids", "POST", path(lot) + "/bids", "", `{"amount":"1010"}`, key, 401, "unauthenticated"},
		{"a token that is none", "GET", "/auctions", "rostrum_x", "", nil, 401, "unauthenticated"},
		{"an amount in capitals", "POST", path(lot) + "/bids", token, `{"AMOUNT":"1010"}`, key, 400, "unreadable"},
		{"an amount in other letters", "POST", path(lot) + "/bids", token, `{"amount":"1010","bidderId":null,"Amount":"2000"}`, key, 400, "unreadable"},
		{"two amounts", "POST", path(lot) + "/bids", token, `{"amount":"1010","amount":"2000"}`, key, 400, "unreadable"},
		{"a body that breaks off, 1", "POST", path(lot) + "/bids", token, `{`, key, 400, "unreadable"},
		{"a body that breaks off, 2", "POST", path(lot) + "/bids", token, `{"amount"`, key, 400, "unreadable"},
		{"a body that breaks off, 3", "POST", path(lot) + "/bids", token, `{"amount":`, key, 400, "unreadable"},
		{"a body that breaks off, 4", "POST", path(lot) + "/bids", token, `{"amount":"1010"`, key, 400, "unreadable"},
		{"a body that breaks off, 5", "POST", path(lot) + "/bids", token, `{"amount":"1010",`, key, 400, "unreadable"},
		{"a body that breaks off, 6", "POST", path(lot) + "/bids", token, `{"amount":"1010"}}`, key, 400, "unreadable"},
		{"a body that is no object", "POST", path(lot) + "/bids", token, `[{"amount":"1010"}]`, key, 400, "unreadable"},
		{"nothing as a body", "POST", path(lot) + "/bids", token, `null`, key, 400, "unreadable"},
		{"half a body", "POST", path(lot) + "/bids", token, `{"amount":`, key, 400, "unreadable"},
		{"two bodies", "POST", path(lot) + "/bids", token, `{"amount":"1010"}{}`, key, 400, "unreadable"},
		{"no key", "POST", path(lot) + "/bids", token, `{"amount":"1010"}`, nil, 400, "idempotency_key_required"},
		{"a bad key, and a bad amount", "POST", path(lot) + "/bids", token, `{"amount":"x"}`, []string{"Idempotency-Key", "1"}, 400, "idempotency_key_invalid"},
		{"a bad amount, and another's id", "POST", path(lot) + "/bids", token, fmt.Sprintf(`{"amount":"x","bidderId":%d}`, seller.ID), key, 400, "amount_invalid"},
		{"another's id, and no such lot", "POST", "/auctions/99/bids", token, fmt.Sprintf(`{"amount":"1010","bidderId":%d}`, seller.ID), key, 403, "bidder_mismatch"},
		{"a bid on no such lot", "POST", "/auctions/99/bids", token, `{"amount":"1010"}`, key, 404, "not_found"},
		{"one's own lot", "POST", path(lot) + "/bids", sellerToken, `{"amount":"1010"}`, key, 403, "own_auction"},
		{"too low", "POST", path(lot) + "/bids", token, `{"amount":"1009.99"}`, key, 409, "price_too_low"},
		{"a listing by no seller", "POST", "/auctions", token, `{}`, nil, 403, "not_a_seller"},
		{"an empty listing", "POST", "/auctions", sellerToken, `{}`, nil, 422, "invalid"},
		{"a listing with a number for a title", "POST", "/auctions", sellerToken, `{"title":5}`, nil, 400, "unreadable"},
		{"a listing with a bad key", "POST", "/auctions", sellerToken, `{}`, []string{"Idempotency-Key", "1"}, 400, "idempotency_key_invalid"},
		{"a body without end", "POST", "/auctions", sellerToken, `{"title":"` + strings.Repeat("x", 200_000) + `"}`, nil, 413, "too_large"},
		{"the admins' pages", "GET", "/admin/events", token, "", nil, 404, "not_found"},
		{"a stream of nothing", "GET", "/events", "", "", nil, 400, "unreadable"},
		{"a stream of no such lot", "GET", "/auctions/99/events", "", "", nil, 404, "not_found"},
		{"a stream of no such lots", "GET", "/events?auction=99", "", "", nil, 404, "not_found"},
		{"another site", "POST", path(lot) + "/bids", token, `{"amount":"1010"}`, append([]string{"Sec-Fetch-Site", "cross-site"}, key...), 403, "cross_site"},
	} {
		a := s.call(c.method, c.path, c.token, c.body, c.headers...)
		if a.StatusCode != c.status || a.Header.Get("Content-Type") != "application/problem+json" || a.member(t, "code") != c.code {
			t.Errorf("%s: %d %s, want %d %s", c.what, a.StatusCode, a.text, c.status, c.code)
		}
	}
}

func TestAnAddressThatTakesOtherMethodsSaysWhich(t *testing.T) {
	t.Parallel()
	a := open(t).visitor().do("PUT", "/auctions", "", "Accept", "text/html")
	if a.StatusCode != http.StatusMethodNotAllowed || !strings.Contains(a.Header.Get("Allow"), "POST") {
		t.Errorf("PUT /auctions: %d, Allow %q", a.StatusCode, a.Header.Get("Allow"))
	}
	a.shows(t, "This address does not take that method.")
}

func TestARefusedListingNamesEachField(t *testing.T) {
	t.Parallel()
	s := open(t)
	a := s.call("POST", "/auctions", s.token(s.Person(true)), map[string]any{
		"title": "", "startingPrice": "1.005", "minIncrement": 0, "startTime": "soon", "endTime": "2020-01-01T00:00:00Z"})
	for _, field := range []string{"title", "startingPrice", "minIncrement", "startTime"} {
		if a.member(t, "errors."+field) == nil {
			t.Errorf("errors has no %s: %s", field, a.text)
		}
	}
	late := s.call("POST", "/auctions", s.token(s.Person(true)), map[string]any{
		"title": "Watch", "startingPrice": "1", "minIncrement": "1", "endTime": "2020-01-01T00:00:00Z"})
	if late.StatusCode != 422 || late.member(t, "errors.endTime") != "The end must be in the future." {
		t.Errorf("an end in the past: %d %s", late.StatusCode, late.text)
	}
}

func TestHTMLOrJSONByWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller := s.Person(true)
	lot, token := s.Lot(seller, time.Hour), s.token(seller)
	for _, c := range []struct {
		what    string
		headers []string
		want    string
	}{
		{"a browser", []string{"Accept", "text/html,application/xhtml+xml,*/*;q=0.8"}, "text/html; charset=utf-8"},
		{"no preference", []string{"Accept", "*/*"}, "text/html; charset=utf-8"},
		{"no preference with a token", []string{"Accept", "*/*", "Authorization", "Bearer " + token}, "application/json"},
		{"a program", []string{"Accept", "application/json"}, "application/json"},
		{"HTML rather", []string{"Accept", "application/json;q=0.5, text/html"}, "text/html; charset=utf-8"},
	} {
		for _, at := range []string{path(lot), "/auctions", path(lot) + "/bids"} {
			if a := s.visitor().do("GET", at, "", c.headers...); a.Header.Get("Content-Type") != c.want {
				t.Errorf("%s at %s: %s, want %s", c.what, at, a.Header.Get("Content-Type"), c.want)
			}
		}
	}
}

func TestNoGetChangesAnything(t *testing.T) {
	t.Parallel()
	s := open(t)
	admin := s.Person(true)
	yes := true
	s.set(admin, store.Change{Admin: &yes})
	lot, v := s.Lot(admin, time.Hour), s.signedIn(admin)
	written := func() (n int) {
		err := s.SQL.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM auction) + (SELECT count(*) FROM bid) + (SELECT count(*) FROM outbox)
			+ (SELECT count(*) FROM session) + (SELECT count(*) FROM account) + (SELECT sum(version) FROM auction)`).Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := written()
	for _, at := range []string{"/", "/auctions", path(lot), path(lot) + "/bids", path(lot) + "/result", "/sell", "/login", "/register", "/logout", "/admin/events"} {
		v.get(at)
	}
	if after := written(); after != before {
		t.Errorf("reading pages wrote: %d, before %d", after, before)
	}
}

func TestAnUnknownTokenIsSentNowhere(t *testing.T) {
	t.Parallel()
	v := open(t).visitor()
	for _, path := range []string{"/login", "/", "/settings", "/admin"} {
		a := v.get(path, "Authorization", "Bearer rostrum_unknown")
		if a.StatusCode != http.StatusUnauthorized || a.Header.Get("Location") != "" {
			t.Errorf("%s: %d to %q", path, a.StatusCode, a.Header.Get("Location"))
		}
	}
}
