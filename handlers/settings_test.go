package handlers_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
)

// kept is a person as the database has them.
func (s *site) kept(p auction.Person) auction.Person {
	s.t.Helper()
	p, err := s.Store.Person(s.t.Context(), p.ID)
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

// section is what a reader sees of one section of the settings.
func (a answer) section(t *testing.T, id string) string {
	t.Helper()
	match := regexp.MustCompile(`(?s)<section id="` + id + `".*?</section>`).FindString(a.text)
	if match == "" {
		t.Fatalf("no section %s (%d): %.300s", id, a.StatusCode, text(a.text))
	}
	return text(match)
}

// change posts a form of the settings and follows where it leads.
func (v *visitor) change(setting string, values url.Values) answer {
	v.t.Helper()
	a := v.form("/settings/"+setting, values)
	if a.StatusCode != http.StatusSeeOther {
		v.t.Fatalf("%s: %d %.300s", setting, a.StatusCode, text(a.text))
	}
	at, _, _ := strings.Cut(a.Header.Get("Location"), "#")
	return v.get(at)
}

func TestEachSettingIsChangedAndToldInItsSection(t *testing.T) {
	t.Parallel()
	s := open(t)
	ann := s.Person(false)
	v := s.signedIn(ann)
	for _, c := range []struct {
		setting, section, told string
		values                 url.Values
		want                   func(*auction.Person)
	}{
		{"name", "your-name", "Your name is changed.", url.Values{"name": {" Anna Bell "}}, func(p *auction.Person) { p.Name = "Anna Bell" }},
		{"alias", "your-alias", "Your alias is changed.", url.Values{"alias": {" Red\u00a0 Fox "}}, func(p *auction.Person) { p.Alias = "Red Fox" }},
		{"alias", "your-alias", "Your alias is changed.", url.Values{"alias": {"Red Fox"}}, func(p *auction.Person) {}},
		{"alias", "your-alias", "Your alias is changed.", url.Values{"alias": {""}}, func(p *auction.Person) { p.Alias = ann.Alias }},
		{"email", "your-email", "Your address is changed.", url.Values{"email": {" Anna@Example.com"}, "email_password": {password}}, func(p *auction.Person) { p.Email = "anna@example.com" }},
		{"preferences", "preferences", "Your preferences are kept.", url.Values{"zone": {"Europe/Vienna"}}, func(p *auction.Person) { p.Zone, p.ConfirmBids = "Europe/Vienna", false }},
		{"preferences", "preferences", "Your preferences are kept.", url.Values{"zone": {""}, "confirm": {"true"}}, func(p *auction.Person) { p.Zone, p.ConfirmBids = "", true }},
		{"selling", "selling", "Selling is on.", url.Values{"selling": {"true"}}, func(p *auction.Person) { p.Seller = true }},
		{"selling", "selling", "Selling is off.", url.Values{"selling": {"false"}}, func(p *auction.Person) { p.Seller = false }},
		{"password", "your-password", "Your password is changed.", url.Values{"old_password": {password}, "new_password": {"battery staple"}}, func(p *auction.Person) { p.PasswordChanges++ }},
	} {
		want := s.kept(ann)
		c.want(&want)
		a := v.change(c.setting, c.values)
		if got := s.kept(ann); got != want {
			t.Errorf("%s: %+v, want %+v", c.setting, got, want)
		}
		if seen := a.section(t, c.section); !strings.Contains(seen, c.told) {
			t.Errorf("%s: told is %q", c.setting, seen)
		}
		if n := strings.Count(a.text, "data-told"); n != 1 {
			t.Errorf("%s: told in %d places", c.setting, n)
		}
	}
	if a := v.get("/settings?changed=nothing"); strings.Contains(a.text, "data-told") {
		t.Error("something is told of nothing")
	}
	a := v.get("/settings")
	if a.value("name") != "Anna Bell" || a.value("email") != "anna@example.com" || a.value("alias") != ann.Alias {
		t.Errorf("the forms hold %q, %q, %q", a.value("name"), a.value("email"), a.value("alias"))
	}
}

func TestASwitchTakesOnlyWhatItsFormSends(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, seller := range []bool{true, false} {
		ann := s.Person(seller)
		v := s.signedIn(ann)
		for _, c := range []struct{ setting, field string }{{"selling", "selling"}, {"preferences", "confirm"}} {
			for _, text := range []string{"", "1", "on", "yes", "TRUE", "False", "true "} {
				before := s.kept(ann)
				if a := v.form("/settings/"+c.setting, url.Values{c.field: {text}}); a.StatusCode != http.StatusBadRequest {
					t.Errorf("%s=%q: %d", c.field, text, a.StatusCode)
				}
				if s.kept(ann) != before {
					t.Errorf("%s=%q changed something", c.field, text)
				}
			}
		}
		if a := v.form("/settings/selling", url.Values{}); a.StatusCode != http.StatusBadRequest || s.kept(ann).Seller != seller {
			t.Errorf("without the field: %d", a.StatusCode)
		}
	}
}

func TestARefusedSettingTellsTheMistakeAtItsFieldAndKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	s := open(t)
	ann, ben, sue := s.Person(false), s.Person(false), s.Person(true)
	s.Lot(sue, time.Hour)
	if err := s.SetAlias(t.Context(), ben.ID, "Red Fox"); err != nil {
		t.Fatal(err)
	}
	anns, sues := s.signedIn(ann), s.signedIn(sue)
	for _, c := range []struct {
		who              *visitor
		setting, section string
		values           url.Values
		status           int
		field, says      string
	}{
		{anns, "name", "your-name", url.Values{"name": {" "}}, 422, "name", "Please fill this in."},
		{anns, "name", "your-name", url.Values{"name": {"Ann\u202ennA"}}, 422, "name", "one line of plain text"},
		{anns, "name", "your-name", url.Values{"name": {strings.Repeat("n", 101)}}, 422, "name", "at most 100"},
		{anns, "alias", "your-alias", url.Values{"alias": {"x"}}, 422, "alias", "2 to 30"},
		{anns, "alias", "your-alias", url.Values{"alias": {"<Fox>"}}, 422, "alias", "only"},
		{anns, "alias", "your-alias", url.Values{"alias": {"RED-F0X"}}, 422, "alias", "Somebody has this alias"},
		{anns, "alias", "your-alias", url.Values{"alias": {sue.Alias}}, 422, "alias", "the house gives"},
		{anns, "alias", "your-alias", url.Values{"alias": {"Rostrum"}}, 422, "alias", "the house itself"},
		{anns, "email", "your-email", url.Values{"email": {"ann at example"}, "email_password": {password}}, 422, "email", "not an e-mail address"},
		{anns, "email", "your-email", url.Values{"email": {ben.Email}, "email_password": {password}}, 422, "email", "This address has an account already."},
		{anns, "email", "your-email", url.Values{"email": {ben.Email}, "email_password": {"wrong"}}, 422, "email_password", "This is not your password."},
		{anns, "password", "your-password", url.Values{"old_password": {"wrong"}, "new_password": {"battery staple"}}, 422, "old_password", "This is not your password."},
		{anns, "password", "your-password", url.Values{"old_password": {password}, "new_password": {"short"}}, 422, "new_password", "at least 8"},
		{anns, "preferences", "preferences", url.Values{"zone": {"Mars/Base"}}, 422, "zone", "choose one of these"},
		{anns, "tokens", "tokens", url.Values{"token_name": {""}}, 422, "token_name", "Please fill this in."},
		{anns, "tokens", "tokens", url.Values{"token_name": {strings.Repeat("n", 61)}}, 422, "token_name", "at most 60"},
		{sues, "selling", "selling", url.Values{"selling": {"false"}}, 409, "", "You have open lots."},
	} {
		before := s.kept(ann)
		a := c.who.form("/settings/"+c.setting, c.values)
		if seen := a.section(t, c.section); a.StatusCode != c.status || !strings.Contains(seen, c.says) {
			t.Errorf("%s %v: %d, %q", c.setting, c.values, a.StatusCode, seen)
		}
		if s.kept(ann) != before {
			t.Errorf("%s %v changed something", c.setting, c.values)
		}
		if c.field == "" {
			continue
		}
		if !strings.Contains(a.text, `id="`+c.field+`-mistake"`) {
			t.Errorf("%s %v: the mistake is not at %s", c.setting, c.values, c.field)
		}
		for field, typed := range c.values {
			want := typed[0]
			if strings.Contains(field, "password") {
				want = ""
			}
			if got := a.value(field); got != strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(want) && field != "zone" {
				t.Errorf("%s: %s holds %q, want %q", c.setting, field, got, want)
			}
		}
		a.hides(t, password, "battery staple")
	}
}

func TestANewPasswordEndsTheOtherBrowserAndNotThisOne(t *testing.T) {
	t.Parallel()
	s := open(t)
	ann := s.Person(false)
	this, there := s.signedIn(ann), s.visitor()
	there.form("/login", url.Values{"email": {ann.Email}, "password": {password}})
	token, before := s.token(ann), this.cookie()
	there.get("/settings").section(t, "your-name")
	this.change("password", url.Values{"old_password": {password}, "new_password": {"battery staple"}})
	this.get("/settings").section(t, "your-name")
	if after := this.cookie(); after == before || after == "" {
		t.Errorf("the session's token was %q and is %q", before, after)
	}
	s.visitor().get("/", "Cookie", "rostrum="+before).hides(t, ann.Name)
	if a := there.get("/settings"); a.StatusCode != http.StatusSeeOther || !strings.HasPrefix(a.Header.Get("Location"), "/login") {
		t.Errorf("the other browser: %d", a.StatusCode)
	}
	if a := s.call("POST", "/auctions", token, "{}"); a.StatusCode != http.StatusForbidden {
		t.Errorf("the token stays: %d", a.StatusCode)
	}
	for secret, want := range map[string]int{password: http.StatusUnauthorized, "battery staple": http.StatusSeeOther} {
		if a := s.visitor().form("/login", url.Values{"email": {ann.Email}, "password": {secret}}); a.StatusCode != want {
			t.Errorf("signing in with %q: %d", secret, a.StatusCode)
		}
	}
}

func TestGuessingAPasswordInTheSettingsIsLimitedAsSigningInIs(t *testing.T) {
	t.Parallel()
	s := open(t)
	ann := s.Person(false)
	v := s.signedIn(ann)
	for i := range 9 { // signing in was the first try
		values := url.Values{"email": {"anna@example.com"}, "email_password": {"wrong"}, "old_password": {"wrong"}, "new_password": {"battery staple"}}
		if a := v.form("/settings/"+[]string{"email", "password"}[i%2], values); a.StatusCode != http.StatusUnprocessableEntity {
			t.Fatalf("try %d: %d", i, a.StatusCode)
		}
	}
	for setting, section := range map[string]string{"email": "your-email", "password": "your-password"} {
		a := v.form("/settings/"+setting, url.Values{"email": {"anna@example.com"}, "email_password": {password}, "old_password": {password}, "new_password": {"battery staple"}})
		if wait, err := strconv.Atoi(a.Header.Get("Retry-After")); a.StatusCode != http.StatusTooManyRequests || err != nil || wait < 1 {
			t.Errorf("%s: %d, Retry-After %q", setting, a.StatusCode, a.Header.Get("Retry-After"))
		}
		if seen := a.section(t, section); !strings.Contains(seen, "Please try again in") {
			t.Errorf("%s: %q", setting, seen)
		}
	}
	if p := s.kept(ann); p.Email != ann.Email {
		t.Errorf("the address is %s", p.Email)
	}
	if a := s.visitor().form("/login", url.Values{"email": {ann.Email}, "password": {password}}); a.StatusCode != http.StatusTooManyRequests {
		t.Errorf("signing in after that: %d", a.StatusCode)
	}
}

func TestSettingsAreForWhoIsSignedInInABrowser(t *testing.T) {
	t.Parallel()
	s := open(t)
	ann := s.Person(false)
	v, token := s.signedIn(ann), s.token(ann)
	before := s.kept(ann)
	all := []string{"name", "alias", "email", "password", "preferences", "selling", "tokens", "tokens/1/revocation", "sign-ins/1/end", "sign-ins/others/end"}
	for _, setting := range all {
		at := "/settings/" + setting
		a := s.visitor().form(at, url.Values{"name": {"x"}})
		if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/login?next=%2Fsettings" {
			t.Errorf("%s signed out: %d to %q", at, a.StatusCode, a.Header.Get("Location"))
		}
		if a := s.call("POST", at, token, map[string]any{"selling": "true"}); a.StatusCode != http.StatusForbidden || a.member(t, "code") != "browser_only" {
			t.Errorf("%s by token: %d %s", at, a.StatusCode, a.text)
		}
		if a := v.form(at, nil, "Origin", "https://evil.example"); a.StatusCode != http.StatusForbidden {
			t.Errorf("%s from elsewhere: %d", at, a.StatusCode)
		}
	}
	if p := s.kept(ann); p != before {
		t.Errorf("%+v, was %+v", p, before)
	}
	if a := s.visitor().get("/settings"); a.Header.Get("Location") != "/login?next=%2Fsettings" {
		t.Errorf("signed out: %d to %q", a.StatusCode, a.Header.Get("Location"))
	}
	for at, want := range map[string]string{"alias": "/settings#your-alias", "sign-ins": "/settings#sign-ins"} {
		if a := v.get("/settings/" + at); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != want {
			t.Errorf("%s: %d to %q", at, a.StatusCode, a.Header.Get("Location"))
		}
	}
	if a := v.get("/settings/nothing"); a.StatusCode != http.StatusNotFound {
		t.Errorf("no such setting: %d", a.StatusCode)
	}
}

func TestASuspendedPersonMaySecureTheAccountAndNoMore(t *testing.T) {
	t.Parallel()
	s := open(t)
	ann := s.Person(false)
	v, yes := s.signedIn(ann), true
	s.set(ann, store.Change{Suspended: &yes})
	v.get("/settings").shows(t, "Your account is suspended.")
	for setting, values := range map[string]url.Values{
		"name": {"name": {"Anna"}}, "alias": {"alias": {"Red Fox"}}, "email": {"email": {"anna@example.com"}, "email_password": {password}},
		"selling": {"selling": {"true"}}, "tokens": {"token_name": {"x"}},
	} {
		if a := v.form("/settings/"+setting, values); a.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %d", setting, a.StatusCode)
		}
	}
	v.change("password", url.Values{"old_password": {password}, "new_password": {"battery staple"}})
	v.change("sign-ins/others/end", nil)
	if p := s.kept(ann); p.Name != ann.Name || p.Alias != ann.Alias || p.Email != ann.Email || p.Seller {
		t.Errorf("%+v", p)
	}
}

func TestAnAliasIsShownOnBidsOfBeforeToo(t *testing.T) {
	t.Parallel()
	s := open(t)
	ann := s.Person(false)
	lot := s.Lot(s.Person(true), time.Hour)
	s.bid(s.token(ann), lot, "1010")
	s.signedIn(ann).change("alias", url.Values{"alias": {"Red Fox"}})
	a := s.visitor().get(path(lot) + "/bids")
	a.shows(t, "Red Fox")
	if seen := text(a.text); strings.Contains(seen, ann.Alias+" ") {
		t.Errorf("the old alias is shown: %s", seen)
	}
}
