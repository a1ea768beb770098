package handlers_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"rostrum/store/auction"
)

// rows are the ids of the lots in a list, in their order.
func (a answer) rows() []string {
	var ids []string
	for _, match := range regexp.MustCompile(`id="row-(\d+)"`).FindAllStringSubmatch(a.text, -1) {
		ids = append(ids, match[1])
	}
	return ids
}

// next is the address of the next page, "" on the last.
func (a answer) next() string {
	match := regexp.MustCompile(`href="([^"]*)" rel="next"`).FindStringSubmatch(a.text)
	if match == nil {
		return ""
	}
	return strings.ReplaceAll(match[1], "&amp;", "&")
}

func TestOnesOwnLotsStandByWhatBecameOfThem(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller, ann := s.Person(true), s.Person(false)
	s.Lot(s.Person(true), time.Hour) // somebody else's
	later := s.Now().Add(time.Hour)
	lots := map[string]auction.Auction{"withdrawn": s.lotOf(seller, nil), "open": s.lotOf(seller, nil),
		"scheduled": s.lotOf(seller, func(l *auction.Listing) { l.StartTime = &later }), "sold": s.lotOf(seller, nil), "unsold": s.lotOf(seller, nil)}
	s.bid(s.token(ann), lots["sold"], "1010")
	if _, err := s.Withdraw(t.Context(), auction.Withdrawal{AuctionID: lots["withdrawn"].ID, ActorID: seller.ID}); err != nil {
		t.Fatal(err)
	}
	for _, state := range []string{"sold", "unsold"} {
		s.Exec(`UPDATE auction SET start_time = now() - interval '1 day', end_time = clock_timestamp() WHERE id = $1`, lots[state].ID)
	}
	if n, err := s.NewCloser(func(time.Duration) {}).Once(t.Context()); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	v := s.signedIn(seller)
	for state, lot := range lots {
		page := v.get("/lots?state=" + state)
		if got := page.rows(); !slices.Equal(got, []string{fmt.Sprint(lot.ID)}) {
			t.Errorf("%s: the lots %v, not %d", state, got, lot.ID)
		}
		page.shows(t, "Open 1", "Scheduled 1", "Sold 1", "Unsold 1", "Withdrawn 1", "Put a lot up")
		if changes, live := strings.Contains(page.text, path(lot)+`/edit"`), strings.Contains(page.text, "hx-sse:connect"); changes != live || live != (state == "open" || state == "scheduled") {
			t.Errorf("%s: to be edited %v, live %v", state, changes, live)
		}
		if n := strings.Count(page.text, `class="go"`); n != 1 {
			t.Errorf("%s: %d accent actions", state, n)
		}
	}
	v.get("/lots?state=sold").shows(t, "to "+ann.Alias, "$1,010.00")
	if got := v.get("/lots").rows(); !slices.Equal(got, []string{fmt.Sprint(lots["open"].ID)}) {
		t.Errorf("first come the open ones, not %v", got)
	}
	for _, query := range []string{"state=lost", "cursor=x", "state=sold&cursor=1-2-3"} {
		if a := v.get("/lots?" + query); a.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %d", query, a.StatusCode)
		}
	}
}

// While one pages, lots are bid on and others come and go: none is shown twice,
// and none of those that stay is left out.
func TestOnesOwnLotsArePaged(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller := s.Person(true)
	v := s.signedIn(seller)
	now, start := s.Now(), s.Now().Add(time.Hour)
	insert := func(n int, status, from, end, closed string) {
		s.Exec(`INSERT INTO auction (seller_id, title, starting_price, current_price, min_increment, start_time, end_time, soft_close, status, closed_at)
			SELECT $1, 'Lot ' || i, 10, 10, 1, `+from+`, `+end+`, '2 minutes', $3, `+closed+` FROM generate_series(1, $2::int) i, (SELECT $4::timestamptz AS now) o`,
			seller.ID, n, status, now)
	}
	insert(120, "OPEN", "now - interval '1 day'", "now + i / 2 * interval '1 minute' + interval '1 hour'", "NULL") // two at each instant
	insert(120, "OPEN", "now + i / 2 * interval '1 minute' + interval '1 hour'", "now + interval '9 days'", "NULL")
	insert(120, "WITHDRAWN", "now - interval '9 days'", "now + interval '1 day'", "now - i / 2 * interval '1 minute'")
	insert(1100, "CLOSED", "now - interval '9 days'", "now - interval '1 day'", "now - interval '1 hour'")
	for state, order := range map[string]string{
		"open":      `status = 'OPEN' AND start_time < $2 ORDER BY end_time, id`,
		"scheduled": `status = 'OPEN' AND start_time >= $2 ORDER BY start_time, id`,
		"withdrawn": `status = 'WITHDRAWN' AND start_time < $2 ORDER BY closed_at DESC, id DESC`,
	} {
		var want []string
		if err := s.SQL.QueryRow(t.Context(), `SELECT array_agg(id::text) FROM (SELECT id FROM auction WHERE seller_id = $1 AND `+order+`) o`,
			seller.ID, start.Add(-time.Minute)).Scan(&want); err != nil {
			t.Fatal(err)
		}
		var got []string
		pages := 0
		for address := "/lots?state=" + state; address != ""; pages++ {
			page := v.get(address)
			got = append(got, page.rows()...)
			address = page.next()
			page.shows(t, "Unsold 1000+", "Open 120", "Sold 0")
		}
		if !slices.Equal(got, want) || pages != 3 || len(want) != 120 {
			t.Errorf("%s: %d lots on %d pages, want %d in order", state, len(got), pages, len(want))
		}
	}
}

func TestWhoMayNotSellIsToldHowToSwitchItOn(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := s.signedIn(s.Person(false))
	for _, address := range []string{"/sell", "/lots"} {
		a := v.get(address)
		if a.StatusCode != http.StatusForbidden || !strings.Contains(a.text, `href="/settings#selling"`) {
			t.Errorf("%s: %d", address, a.StatusCode)
		}
		a.shows(t, "Selling is off")
		if a := s.visitor().get(address); a.StatusCode != http.StatusSeeOther || !strings.HasPrefix(a.Header.Get("Location"), "/login") {
			t.Errorf("nobody at %s: %d", address, a.StatusCode)
		}
	}
}
