package handlers_test

import (
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"rostrum/store/auction"
)

// madeToken is the API token that a page shows, "" for none.
func madeToken(a answer) string {
	return strings.TrimPrefix(regexp.MustCompile(`>rostrum_[\w-]{43}<`).FindString(strings.ReplaceAll(a.text, "\n", "")), ">")
}

// lines are the ids of a list of the settings, in its order.
func lines(a answer, of string) (ids []string) {
	for _, match := range regexp.MustCompile(`<li id="`+of+`-(\d+)"`).FindAllStringSubmatch(a.text, -1) {
		ids = append(ids, match[1])
	}
	return ids
}

func TestATokenIsShownOnceWorksAndIsRevoked(t *testing.T) {
	t.Parallel()
	s := open(t)
	ann, ben := s.Person(false), s.Person(false)
	v, other := s.signedIn(ann), s.signedIn(ben)
	a := v.form("/settings/tokens", url.Values{"token_name": {" Bidding robot "}})
	token := strings.TrimSuffix(madeToken(a), "<")
	if a.StatusCode != http.StatusOK || token == "" || a.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("made: %d, %q, %q", a.StatusCode, token, a.Header.Get("Cache-Control"))
	}
	if seen := a.section(t, "tokens"); !strings.Contains(seen, "Copy it now") || !strings.Contains(seen, "Bidding robot made") || !strings.Contains(seen, "not used yet") {
		t.Errorf("%q", seen)
	}
	if n := strings.Count(a.text, token); n != 1 {
		t.Errorf("the token stands in %d places", n)
	}
	again := v.get("/settings")
	again.shows(t, "Bidding robot")
	if madeToken(again) != "" {
		t.Error("the token is shown again")
	}

	lot := s.Lot(s.Person(true), time.Hour)
	if a := s.bid(token, lot, "1010"); a.StatusCode != http.StatusCreated {
		t.Fatalf("a bid by the token: %d %s", a.StatusCode, a.text)
	}
	if seen := v.get("/settings").section(t, "tokens"); !strings.Contains(seen, "last used") {
		t.Errorf("used: %q", seen)
	}

	ids := lines(again, "token")
	if len(ids) != 1 {
		t.Fatalf("tokens %v", ids)
	}
	revocation := "/settings/tokens/" + ids[0] + "/revocation"
	for who, visitor := range map[string]*visitor{"another person": other, "nobody's": v} {
		at := revocation
		if who == "nobody's" {
			at = "/settings/tokens/99/revocation"
		}
		if a := visitor.form(at, nil); a.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", who, a.StatusCode)
		}
	}
	if a := s.call("GET", "/auctions", token, nil); a.StatusCode != http.StatusOK {
		t.Errorf("before: %d", a.StatusCode)
	}
	if seen := v.change("tokens/"+ids[0]+"/revocation", nil).section(t, "tokens"); !strings.Contains(seen, "The token is revoked.") || strings.Contains(seen, "Bidding robot") {
		t.Errorf("revoked: %q", seen)
	}
	if a := s.call("GET", "/auctions", token, nil); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("after: %d", a.StatusCode)
	}
	if a := v.form(revocation, nil); a.StatusCode != http.StatusNotFound {
		t.Errorf("revoked again: %d", a.StatusCode)
	}
}

func TestSignInsAreListedAndEndOneByOneOrAllOthers(t *testing.T) {
	t.Parallel()
	s := open(t)
	ann, ben := s.Person(false), s.Person(false)
	this, bens := s.signedIn(ann), s.signedIn(ben)
	there := func(agent, address string) *visitor {
		v := s.visitor()
		v.form("/login", url.Values{"email": {ann.Email}, "password": {password}}, "User-Agent", agent, "X-Forwarded-For", address)
		if a := v.get("/settings"); a.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d", agent, a.StatusCode)
		}
		return v
	}
	firefox := there("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:141.0) Gecko/20100101 Firefox/141.0", "198.51.100.7")
	odd := there(strings.Repeat("é", 4000)+"<script>", "2001:db8::1")
	safari := there("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1", "198.51.100.8")

	a := this.get("/settings")
	seen := a.section(t, "sign-ins")
	for _, part := range []string{"Firefox on Windows from 198.51.100.7,", "Safari on iPhone from 198.51.100.8,", "An unknown browser from 2001:db8::1,", "this one from 127.0.0.1,"} {
		if !strings.Contains(seen, part) {
			t.Errorf("%q is not listed: %s", part, seen)
		}
	}
	ids := lines(a, "sign-in") // this one first, then by when they were seen
	if len(ids) != 4 || strings.Count(seen, "this one") != 1 {
		t.Fatalf("%v: %s", ids, seen)
	}
	own := lines(bens.get("/settings"), "sign-in")
	for _, id := range []string{own[0], "99999", "x", "0"} {
		if a := this.form("/settings/sign-ins/"+id+"/end", nil); a.StatusCode != http.StatusNotFound {
			t.Errorf("ending %s: %d", id, a.StatusCode)
		}
	}

	signedIn := func(who string, v *visitor, want bool) {
		t.Helper()
		if a := v.get("/settings"); (a.StatusCode == http.StatusOK) != want {
			t.Errorf("%s: %d", who, a.StatusCode)
		}
	}
	if seen := this.change("sign-ins/"+ids[1]+"/end", nil).section(t, "sign-ins"); !strings.Contains(seen, "You are signed out there.") || strings.Contains(seen, "Safari") {
		t.Errorf("ended: %s", seen)
	}
	signedIn("the one that was ended", safari, false)
	signedIn("another", firefox, true)
	this.change("sign-ins/others/end", nil)
	signedIn("all others", firefox, false)
	signedIn("all others", odd, false)
	signedIn("this one", this, true)
	signedIn("somebody else", bens, true)
	if a := this.form("/settings/sign-ins/"+ids[0]+"/end", nil); a.StatusCode != http.StatusSeeOther {
		t.Errorf("this one itself: %d", a.StatusCode)
	}
	signedIn("this one, ended", this, false)
}

func TestSigningOutAndSigningInAnewLeaveNoSignInBehind(t *testing.T) {
	t.Parallel()
	s := open(t)
	ann := s.Person(false)
	v := s.signedIn(ann)
	count := func(want int) {
		t.Helper()
		var n int
		if err := s.SQL.QueryRow(t.Context(), `SELECT count(*) FROM sign_in`).Scan(&n); err != nil || n != want {
			t.Errorf("%d sign-ins, %v; want %d", n, err, want)
		}
	}
	count(1)
	v.form("/login", url.Values{"email": {ann.Email}, "password": {password}})
	count(1)
	v.form("/logout", nil)
	count(0)
	for _, at := range []string{"/login", "/logout", "/register"} {
		values := url.Values{"email": {ann.Email}, "password": {password}}
		if at == "/register" {
			values = url.Values{"name": {"Ben"}, "email": {"ben@example.com"}, "password": {password}}
		}
		if a := s.visitor().form(at, values, "Authorization", "Bearer "+s.token(ann)); a.StatusCode != http.StatusForbidden {
			t.Errorf("%s with an API token: %d", at, a.StatusCode)
		}
	}
	count(0)
	if _, err := s.SignIn(t.Context(), "ben@example.com", password); !errors.Is(err, auction.ErrCredentials) {
		t.Errorf("registering with an API token: %v", err)
	}
}

// Reading writes nothing: not who was seen, not what was told.
func TestLookingAtTheSettingsLeavesTheDatabaseAsItIs(t *testing.T) {
	t.Parallel()
	s := open(t)
	ann := s.Person(false)
	v, token := s.signedIn(ann), s.token(ann)
	s.Exec(`UPDATE sign_in SET seen_at = seen_at - interval '1 day'`)
	state := func() (all string) {
		t.Helper()
		if err := s.SQL.QueryRow(t.Context(), `SELECT concat((SELECT array_agg(i::text) FROM sign_in i), (SELECT array_agg(k::text) FROM api_token k),
			(SELECT array_agg(e::text) FROM session e), (SELECT array_agg(a::text) FROM account a))`).Scan(&all); err != nil {
			t.Fatal(err)
		}
		return all
	}
	before := state()
	for _, at := range []string{"/settings", "/settings?changed=your-name", "/settings/alias", "/"} {
		v.get(at)
		s.call("GET", at, token, nil)
	}
	if after := state(); after != before {
		t.Errorf("it was %s and is %s", before, after)
	}
	if n, err := s.Seen.Once(t.Context()); n != 2 || err != nil {
		t.Errorf("%d were seen, %v", n, err)
	}
	if state() == before {
		t.Error("what was seen is not written")
	}
}
