package handlers_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"rostrum/handlers"
	"rostrum/store"
)

func TestRegisteringSignsInAndLeadsBack(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := s.visitor()
	fields := url.Values{"name": {"Ann"}, "email": {" Ann@Example.com "}, "password": {password}, "next": {"/auctions?status=closed"}}
	a := v.form("/register", fields)
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/auctions?status=closed" {
		t.Fatalf("registering: %d to %q", a.StatusCode, a.Header.Get("Location"))
	}
	v.get("/").shows(t, "Ann", "Sign out")
	again := s.visitor().form("/register", fields)
	if again.StatusCode != http.StatusUnprocessableEntity || again.value("name") != "Ann" {
		t.Errorf("the same address again: %d, name %q", again.StatusCode, again.value("name"))
	}
	again.shows(t, "has an account already")
	again.hides(t, password)
}

func TestARefusedRegistrationTellsEachMistakeAndKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	s := open(t)
	a := s.visitor().form("/register", url.Values{"name": {""}, "email": {"ann at example"}, "password": {"short"}})
	if a.StatusCode != http.StatusUnprocessableEntity || a.value("email") != "ann at example" {
		t.Errorf("%d, the address is %q", a.StatusCode, a.value("email"))
	}
	a.shows(t, "Please fill this in.", "not an e-mail address", "at least 8 characters")
}

func TestSigningInRenewsTheTokenAndSigningOutEndsTheSession(t *testing.T) {
	t.Parallel()
	s := open(t)
	ann, ben := s.Person(false), s.Person(false)
	v := s.signedIn(ann)
	first := v.cookie()
	s.password(ben)
	v.form("/login", url.Values{"email": {ben.Email}, "password": {password}})
	second := v.cookie()
	if first == "" || second == "" || first == second {
		t.Fatalf("the token was %q and is %q after signing in", first, second)
	}
	v.form("/logout", nil)
	v.get("/").hides(t, ben.Name)
	old := s.visitor()
	old.get("/", "Cookie", "rostrum="+second).hides(t, ben.Name)
	var left int
	if err := s.SQL.QueryRow(t.Context(), `SELECT count(*) FROM session`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d sessions are left: %v", left, err)
	}
}

// cookie is the visitor's session token.
func (v *visitor) cookie() string {
	at, err := url.Parse(v.url)
	if err != nil {
		v.t.Fatal(err)
	}
	for _, c := range v.client.Jar.Cookies(at) {
		return c.Value
	}
	return ""
}

func TestTheCookieIsTheHousesOnly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what   string
		secure bool
		want   []string
	}{
		{"over http", false, []string{"rostrum=", "Path=/", "HttpOnly", "SameSite=Lax"}},
		{"over https", true, []string{"__Host-rostrum=", "Path=/", "HttpOnly", "SameSite=Lax", "Secure"}},
	} {
		s := open(t, func(o *handlers.Options) { o.Secure = c.secure })
		ann := s.Person(false)
		s.password(ann)
		cookie := s.visitor().form("/login", url.Values{"email": {ann.Email}, "password": {password}}).Header.Get("Set-Cookie")
		for _, part := range c.want {
			if !strings.Contains(cookie, part) {
				t.Errorf("%s the cookie has no %s: %s", c.what, part, cookie)
			}
		}
		if strings.Contains(cookie, "Domain") || !c.secure && strings.Contains(cookie, "Secure") {
			t.Errorf("%s the cookie is %s", c.what, cookie)
		}
	}
}

func TestSigningInLeadsOnlyToPagesOfThisHouse(t *testing.T) {
	t.Parallel()
	s := open(t)
	ann := s.Person(false)
	s.password(ann)
	for next, want := range map[string]string{
		"/auctions/42":            "/auctions/42",
		"/auctions?status=closed": "/auctions?status=closed",
		"":                        "/",
		"auctions":                "/",
		"//evil.example":          "/",
		"/\\evil.example":         "/",
		"https://evil.example/":   "/",
		"javascript:alert(1)":     "/",
		"/\t/evil.example":        "/",
		"/%zz":                    "/",
	} {
		a := s.visitor().form("/login", url.Values{"email": {ann.Email}, "password": {password}, "next": {next}})
		if a.StatusCode == http.StatusTooManyRequests {
			s = open(t) // the account's own limit is another test's subject
			ann = s.Person(false)
			s.password(ann)
			a = s.visitor().form("/login", url.Values{"email": {ann.Email}, "password": {password}, "next": {next}})
		}
		if got := a.Header.Get("Location"); a.StatusCode != http.StatusSeeOther || got != want {
			t.Errorf("next %q leads to %q (%d), want %q", next, got, a.StatusCode, want)
		}
	}
}

func TestSigningInIsLimitedByAccount(t *testing.T) {
	t.Parallel()
	s := open(t)
	ann, ben := s.Person(false), s.Person(false)
	s.password(ann)
	s.password(ben)
	v := s.visitor()
	for range 10 {
		if a := v.form("/login", url.Values{"email": {ann.Email}, "password": {"wrong"}}); a.StatusCode != http.StatusUnauthorized {
			t.Fatalf("a wrong password: %d", a.StatusCode)
		}
	}
	a := v.form("/login", url.Values{"email": {strings.ToUpper(ann.Email)}, "password": {password}})
	wait, err := strconv.Atoi(a.Header.Get("Retry-After"))
	if a.StatusCode != http.StatusTooManyRequests || err != nil || wait < 1 {
		t.Errorf("the eleventh attempt: %d, Retry-After %q", a.StatusCode, a.Header.Get("Retry-After"))
	}
	a.shows(t, "Please try again in")
	if a := v.form("/login", url.Values{"email": {ben.Email}, "password": {password}}); a.StatusCode != http.StatusSeeOther {
		t.Errorf("another account from the same address: %d", a.StatusCode)
	}
	if a := v.form("/login", url.Values{"email": {ann.Email}, "password": {password}}, "X-Forwarded-For", "198.51.100.7"); a.StatusCode != http.StatusSeeOther {
		t.Errorf("the account's owner from another address: %d", a.StatusCode)
	}
	for i := range 130 {
		a := v.form("/login", url.Values{"email": {ann.Email}, "password": {"wrong"}}, "X-Forwarded-For", "203.0.113."+strconv.Itoa(i))
		if a.StatusCode == http.StatusTooManyRequests {
			return
		}
	}
	t.Error("130 addresses were let through to one account")
}

func TestSigningInIsLimitedByAddress(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := s.visitor()
	for i := range 130 {
		a := v.form("/login", url.Values{"email": {strconv.Itoa(i) + "@example.com"}, "password": {"wrong"}})
		if a.StatusCode == http.StatusTooManyRequests {
			if i < 30 {
				t.Errorf("only %d attempts from one address", i)
			}
			return
		}
	}
	t.Error("130 attempts in a row from one address were let through")
}

func TestASuspendedPersonCannotSignInAndCannotSell(t *testing.T) {
	t.Parallel()
	s := open(t)
	sue := s.Person(true)
	token := s.token(sue)
	s.password(sue)
	yes := true
	s.set(sue, store.Change{Suspended: &yes})
	a := s.visitor().form("/login", url.Values{"email": {sue.Email}, "password": {password}})
	if a.StatusCode != http.StatusForbidden {
		t.Errorf("signing in: %d", a.StatusCode)
	}
	a.shows(t, "suspended")
	listed := s.call("POST", "/auctions", token, map[string]any{"title": "x", "startingPrice": "1", "minIncrement": "1",
		"endTime": time.Now().Add(time.Hour).UTC().Format(time.RFC3339)})
	if listed.StatusCode != http.StatusForbidden || listed.member(t, "code") != "suspended" {
		t.Errorf("listing: %d %s", listed.StatusCode, listed.text)
	}
}

func TestANewPasswordEndsTheSessionsThatBeganWithTheOldOne(t *testing.T) {
	t.Parallel()
	s := open(t)
	ann := s.Person(false)
	thief := s.signedIn(ann)
	thief.get("/").shows(t, ann.Name)
	s.password(ann) // a new one, though of the same letters
	thief.get("/").hides(t, ann.Name)
}

func TestASuspendedAdminIsNoAdmin(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Person(false)
	yes := true
	s.set(ada, store.Change{Admin: &yes})
	v, token := s.signedIn(ada), s.token(ada)
	s.set(ada, store.Change{Suspended: &yes})
	if a := v.get("/admin/events"); a.StatusCode != http.StatusNotFound {
		t.Errorf("by session: %d", a.StatusCode)
	}
	if a := s.call("GET", "/admin/events", token, nil); a.StatusCode != http.StatusNotFound {
		t.Errorf("by token: %d", a.StatusCode)
	}
}

func TestTextsThatTheDatabaseCannotKeepAreMistakes(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, odd := range []string{"\x00", "\xff", "\u202e", "\u200b"} {
		if a := s.visitor().form("/login", url.Values{"email": {"a" + odd + "@example.com"}, "password": {password}}); a.StatusCode != http.StatusUnauthorized {
			t.Errorf("signing in with %q: %d", odd, a.StatusCode)
		}
		a := s.visitor().form("/register", url.Values{"name": {odd}, "email": {"a" + odd + "@example.com"}, "password": {password}})
		if a.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("registering with %q: %d", odd, a.StatusCode)
		}
	}
}

func TestPagesForPeopleAskToSignInAndComeBack(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot := s.Lot(s.Person(true), time.Hour)
	for _, c := range []struct {
		a    answer
		want string
	}{
		{s.visitor().get("/sell"), "/login?next=%2Fsell"},
		{s.visitor().form(path(lot)+"/bids", url.Values{"amount": {"1010"}}), "/login?next=" + url.QueryEscape(path(lot))},
	} {
		if got := c.a.Header.Get("Location"); c.a.StatusCode != http.StatusSeeOther || got != c.want {
			t.Errorf("%d to %q, want %q", c.a.StatusCode, got, c.want)
		}
	}
}

func TestWritesFromOtherSitesAreRefused(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *handlers.Options) { o.PublicURL = "https://auctions.example.com" })
	lot := s.Lot(s.Person(true), time.Hour)
	for _, at := range []string{"/auctions", path(lot) + "/bids", "/register", "/login", "/logout"} {
		for _, headers := range [][]string{
			{"Origin", "https://evil.example"}, {"Origin", "null"}, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"},
		} {
			if a := s.visitor().form(at, nil, headers...); a.StatusCode != http.StatusForbidden {
				t.Errorf("POST %s with %v: %d", at, headers, a.StatusCode)
			}
		}
		if a := s.visitor().form(at, nil, "Origin", "https://auctions.example.com"); a.StatusCode == http.StatusForbidden {
			t.Errorf("POST %s from the house's own address behind a proxy: 403", at)
		}
	}
}
