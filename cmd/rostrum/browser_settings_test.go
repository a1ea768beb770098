package main

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// reach comes to an element by the keyboard alone, from where the focus is.
func (b *tab) reach(css string) {
	b.t.Helper()
	b.ready(css)
	for range 80 {
		b.press(kb.Tab)
		if eval[bool](b, fmt.Sprintf("document.activeElement.matches(%s)", quote(css))) {
			return
		}
	}
	b.t.Fatalf("%s: Tab never reaches %s", b.net.name, css)
}

// types comes to a field and writes in the place of what it holds: a field
// that is reached by Tab has all of it marked.
func (b *tab) types(css, text string) {
	b.t.Helper()
	b.reach(css)
	b.press(text)
}

// answers asks with an API token and returns the status.
func (h *house) answers(token string) int {
	h.t.Helper()
	request, err := http.NewRequest(http.MethodGet, h.url+"/auctions", nil)
	must(h.t, err)
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	must(h.t, err)
	response.Body.Close()
	return response.StatusCode
}

// A person goes through all their settings with the mouse.
func TestBrowserSettings(t *testing.T) {
	browserTest(t)
	h := open(t, time.Second)
	h.add("Ann Bidder")
	ann, there := h.tab("Ann", h.url), h.tab("Ann elsewhere", h.url)
	ann.zone("Asia/Kolkata") // which browsers call Asia/Calcutta
	for _, page := range []*tab{ann, there} {
		page.open("/settings")
		page.signIn("ann.bidder@example.com")
		page.see("h1", "Settings")
	}

	ann.fill("#name", "Anna Bell")
	ann.click("#save-name")
	ann.see("#your-name", "Your name is changed.")
	ann.see(".person", "Anna Bell")

	ann.stays()
	ann.net.expect("422 /settings/alias")
	ann.fill("#alias", "B7")
	ann.click("#save-alias")
	ann.see("#alias-mistake", "an alias that the house gives")
	ann.holds("#alias", "B7")
	ann.until("the field has the focus", "document.activeElement.id === 'alias'")
	ann.fill("#alias", "Red Fox")
	ann.click("#save-alias")
	ann.see("#your-alias", "Your alias is changed.")
	ann.see("#said", "Your alias is changed.")
	ann.miss(".mistake", "")
	ann.stayed()

	ann.net.expect("422 /settings/email")
	ann.fill("#email", "anna@example.com")
	ann.fill("#email_password", "wrong")
	ann.click("#save-email")
	ann.see("#email_password-mistake", "This is not your password.")
	ann.holds("#email", "anna@example.com")
	ann.holds("#email_password", "")
	ann.fill("#email_password", password)
	ann.click("#save-email")
	ann.see("#your-email", "Your address is changed.")

	ann.see("#own-zone", "Your browser says Asia/Kolkata")
	ann.click("#use-zone")
	ann.holds("#zone", "Asia/Kolkata")
	ann.miss("#own-zone", "")
	ann.click("#preferences .check")
	ann.click("#save-preferences")
	ann.see("#preferences", "Your preferences are kept.")
	ann.holds("#zone", "Asia/Kolkata")
	ann.until("bids are not shown once more", "!document.querySelector('[name=confirm]').checked")
	if zone := ann.attribute("body", "data-zone"); zone != "Asia/Kolkata" {
		t.Errorf("pages are in %q", zone)
	}

	ann.miss(".bar", "Sell")
	ann.click("#switch-selling")
	ann.see("#selling", "Selling is on.")
	ann.see(".bar", "Sell")
	ann.click("#switch-selling")
	ann.see("#selling", "Selling is off.")
	ann.miss(".bar", "Sell")

	ann.stays()
	ann.see("#tokens", "command line")
	ann.fill("#token_name", "Bidding robot")
	ann.click("#make-token")
	ann.see("#tokens", "Copy it now: it is not shown again.")
	token := eval[string](ann, "document.querySelector('#new-token').textContent")
	if status := h.answers(token); status != http.StatusOK {
		t.Errorf("the token is answered %d", status)
	}
	ann.click("#copy-token")
	ann.stayed()
	ann.open("/settings")
	ann.miss("#new-token", "")
	ann.see(".kept li:first-child", "Bidding robot")
	ann.see(".kept li:first-child", "last used")
	ann.stays()
	ann.click(".kept li:first-child button")
	ann.see("#tokens", "The token is revoked.")
	ann.miss("#tokens", "Bidding robot")
	ann.see("#tokens", "command line")
	if status := h.answers(token); status != http.StatusUnauthorized {
		t.Errorf("revoked, the token is answered %d", status)
	}

	ann.see("#sign-ins li:first-child", "this one")
	ann.see("#sign-ins li:last-child", "Sign out there")
	ann.click("#sign-ins li:last-child button")
	ann.see("#sign-ins", "You are signed out there.")
	ann.miss("#sign-ins", "Sign out there")
	ann.stayed()
	there.open("/settings")
	there.see("h1", "Sign in")

	there.fill("#email", "anna@example.com")
	there.fill("#password", password)
	there.press(kb.Enter)
	there.see("h1", "Settings")
	ann.net.expect("422 /settings/password")
	ann.fill("#old_password", "wrong")
	ann.fill("#new_password", "battery staple")
	ann.click("#save-password")
	ann.see("#old_password-mistake", "This is not your password.")
	ann.fill("#old_password", password)
	ann.fill("#new_password", "battery staple")
	ann.click("#save-password")
	ann.see("#your-password", "Your password is changed.")

	// Who was signed out meanwhile is told so, also by a form that htmx sends.
	there.net.expect("401 /settings/alias")
	there.fill("#alias", "Blue Hare")
	there.click("#save-alias")
	there.see("h1", "Sign in")
	ann.open("/settings")
	ann.holds("#alias", "Red Fox")
}

// The same with the keyboard alone, from the sign-in on.
func TestBrowserSettingsByKeyboard(t *testing.T) {
	browserTest(t)
	h := open(t, time.Second)
	h.add("Ann Bidder")
	ann, there := h.tab("Ann", h.url), h.tab("Ann elsewhere", h.url)
	for _, page := range []*tab{ann, there} {
		page.open("/settings")
		page.types("#email", "ann.bidder@example.com")
		page.types("#password", password+kb.Enter)
		page.see("h1", "Settings")
	}

	ann.types("#name", "Anna Bell"+kb.Enter)
	ann.see("#your-name", "Your name is changed.")

	ann.net.expect("422 /settings/alias")
	ann.types("#alias", "Rostrum"+kb.Enter)
	ann.see("#alias-mistake", "the house itself")
	ann.within("mark the field", script("document.activeElement.select()"))
	ann.press("Red Fox" + kb.Enter)
	ann.see("#your-alias", "Your alias is changed.")
	ann.until("the focus stays", "document.activeElement.id === 'alias'")

	ann.types("#email", "anna@example.com")
	ann.types("#email_password", password+kb.Enter)
	ann.see("#your-email", "Your address is changed.")

	ann.types("#zone", "Vienna")
	ann.holds("#zone", "Europe/Vienna")
	ann.reach("[name=confirm]")
	ann.press(" ")
	ann.reach("#save-preferences")
	ann.press(kb.Enter)
	ann.see("#preferences", "Your preferences are kept.")
	ann.holds("#zone", "Europe/Vienna")
	ann.until("bids are not shown once more", "!document.querySelector('[name=confirm]').checked")

	ann.reach("#switch-selling")
	ann.press(kb.Enter)
	ann.see("#selling", "Selling is on.")

	ann.types("#token_name", "Bidding robot"+kb.Enter)
	ann.see("#new-token", "rostrum_")
	ann.until("the token has the focus", "document.activeElement.id === 'new-token'")
	ann.reach("#tokens .kept button")
	ann.press(kb.Enter)
	ann.see("#tokens", "The token is revoked.")
	ann.miss("#tokens", "Bidding robot")

	ann.reach("#end-others")
	ann.press(kb.Enter)
	ann.see("#sign-ins", "You are signed out there.")
	ann.until("the focus stays near", "document.activeElement.closest('#sign-ins') !== null")
	there.open("/settings")
	there.see("h1", "Sign in")

	ann.types("#old_password", password)
	ann.types("#new_password", "battery staple"+kb.Enter)
	ann.see("#your-password", "Your password is changed.")
	ann.reach("#sign-ins li button")
	ann.press(kb.Enter)
	ann.see(".bar", "Sign in")
}

// The same where no script runs.
func TestBrowserSettingsWithoutScripts(t *testing.T) {
	browserTest(t)
	h := open(t, time.Second)
	h.add("Ann Bidder")
	ann, there := h.tab("Ann", h.url), h.tab("Ann elsewhere", h.url)
	for _, page := range []*tab{ann, there} {
		page.withoutScripts()
		page.open("/settings")
		page.signIn("ann.bidder@example.com")
		page.see("h1", "Settings")
	}
	ann.net.expect("422 /settings/name", "422 /settings/alias", "422 /settings/email", "422 /settings/tokens", "422 /settings/password")

	ann.fill("#name", " ")
	ann.click("#save-name")
	ann.see("#name-mistake", "Please fill this in.")
	ann.fill("#name", "Anna Bell")
	ann.click("#save-name")
	ann.see("#your-name", "Your name is changed.")
	ann.fill("#alias", "x")
	ann.click("#save-alias")
	ann.see("#alias-mistake", "2 to 30 characters")
	ann.holds("#alias", "x")
	ann.fill("#alias", "Red Fox")
	ann.click("#save-alias")
	ann.see("#your-alias", "Your alias is changed.")
	ann.fill("#email", "anna@example.com")
	ann.click("#save-email")
	ann.see("#email_password-mistake", "This is not your password.")
	ann.holds("#email", "anna@example.com")
	ann.until("the page stands at the form", "Math.abs(document.querySelector('#your-email').getBoundingClientRect().top) < innerHeight")
	ann.fill("#email_password", password)
	ann.click("#save-email")
	ann.see("#your-email", "Your address is changed.")
	ann.miss("#own-zone", "")
	ann.choose("#zone", "Europe/Vienna")
	ann.click("#save-preferences")
	ann.see("#preferences", "Your preferences are kept.")
	ann.holds("#zone", "Europe/Vienna")
	ann.click("#switch-selling")
	ann.see("#selling", "Selling is on.")
	ann.click("#make-token")
	ann.see("#token_name-mistake", "Please fill this in.")
	ann.fill("#token_name", "Bidding robot")
	ann.click("#make-token")
	ann.see("#new-token", "rostrum_")
	ann.miss("#copy-token", "")
	ann.click("#tokens .kept li:first-child button")
	ann.see("#tokens", "The token is revoked.")
	ann.miss("#tokens", "Bidding robot")
	ann.click("#sign-ins li:last-child button")
	ann.see("#sign-ins", "You are signed out there.")
	there.open("/settings")
	there.see("h1", "Sign in")
	ann.fill("#new_password", "battery staple")
	ann.click("#save-password")
	ann.see("#old_password-mistake", "This is not your password.")
	ann.fill("#old_password", password)
	ann.fill("#new_password", "battery staple")
	ann.click("#save-password")
	ann.see("#your-password", "Your password is changed.")
	ann.click("#sign-ins li:first-child button")
	ann.see(".bar", "Sign in")
}
