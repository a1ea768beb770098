package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"rostrum/store/auction"
)

// A bid may bring the price so high that the next one has no place: then no
// amount is offered that would be refused.
func TestWhereNobodyCanBidMoreNothingIsOffered(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot, ann, ben := s.Lot(s.Person(true), time.Hour), s.Person(false), s.Person(false)
	anns, bens := s.signedIn(ann), s.signedIn(ben)
	old := bens.get(path(lot))

	// Ten below, one bid more is possible, and its amount is offered.
	s.bid(s.token(ben), lot, "999999999980")
	page := anns.get(path(lot))
	page.shows(t, "Next bid from $999,999,999,990.00")
	if page.value("amount") != "999999999990.00" {
		t.Errorf("the field holds %q", page.value("amount"))
	}
	in := anns.send(page, lot, page.value("amount"))
	if in.StatusCode != http.StatusCreated {
		t.Errorf("the amount that was offered: %d", in.StatusCode)
	}
	in.shows(t, "Your bid of $999,999,999,990.00 is in.", "The price is as high as it can go here. Nobody can bid more.")

	offers := []string{`name="amount"`, `class="go" href="#amount"`, "Next bid from", "The lowest bid is", "1,000,000,000,000", "1000000000000", "data-step"}
	for who, v := range map[string]*visitor{"a stranger": s.visitor(), "the leader": anns, "another bidder": bens} {
		page := v.get(path(lot))
		page.shows(t, "The price is as high as it can go here. Nobody can bid more.")
		page.hides(t, append(offers, "Sign in to bid")...)
		if !strings.Contains(page.text, `data-floor="" data-amount=""`) {
			t.Errorf("to %s the page's script is told of a floor", who)
		}
	}

	// A page that was opened before may still send a bid.
	for _, address := range []string{"/bids", "/bids/confirmation"} {
		for _, amount := range []string{"999999999990", "999999999999.99"} {
			for _, htmx := range [][]string{{"HX-Request", "true"}, nil} {
				a := bens.form(path(lot)+address, url.Values{"amount": {amount}, "request_id": {auction.NewRequestID().String()}}, htmx...)
				if a.StatusCode != http.StatusConflict {
					t.Errorf("%s to %s: %d", amount, address, a.StatusCode)
				}
				a.shows(t, "Your bid of $"+amount+" was too low.", "Nobody can bid more.")
				a.hides(t, offers...)
			}
		}
	}
	a := bens.send(old, lot, "1000000000000")
	if a.StatusCode != http.StatusBadRequest {
		t.Errorf("13 digits: %d", a.StatusCode)
	}
	a.shows(t, "Nobody can bid more.")
	refused := s.call("POST", path(lot)+"/bids", s.token(ben), map[string]any{"amount": "999999999999.99"}, "Idempotency-Key", auction.NewRequestID().String())
	if detail, _ := refused.member(t, "detail").(string); refused.StatusCode != http.StatusConflict || !strings.Contains(detail, "Nobody can bid more") {
		t.Errorf("a program is told %d, %q", refused.StatusCode, detail)
	}
}
