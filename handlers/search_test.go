package handlers_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// walk reads a list of JSON to its end and returns the lots' numbers.
func (s *site) walk(address string) (ids []string) {
	s.t.Helper()
	for cursor := ""; ; {
		a := s.call("GET", address+"&cursor="+url.QueryEscape(cursor), "", nil)
		items, ok := a.member(s.t, "items").([]any)
		if !ok {
			s.t.Fatalf("%s: %d %.300s", address, a.StatusCode, a.text)
		}
		for _, item := range items {
			ids = append(ids, fmt.Sprint(item.(map[string]any)["id"]))
		}
		next, more := a.member(s.t, "nextCursor").(string)
		if !more {
			return ids
		}
		cursor = next
	}
}

func TestLotsAreLookedForAtOneAddressInHTMLAndJSON(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller := s.Person(true)
	for range 120 {
		s.Lot(seller, 48*time.Hour)
	}
	s.Exec(`UPDATE auction SET title = CASE id % 3 WHEN 0 THEN 'Café clock' ELSE 'Silver vase <b>' END, current_price = id * 10,
		end_time = CASE WHEN id % 2 = 0 THEN end_time ELSE clock_timestamp() + interval '1 second' * id / 10 END`)
	if _, err := s.RefreshRanks(t.Context()); err != nil {
		t.Fatal(err)
	}
	for address, condition := range map[string]string{
		"/auctions?q=cafe":                                    `id % 3 = 0`,
		"/auctions?q=VAS+silv&sort=newest":                    `id % 3 <> 0`,
		"/auctions?sort=price-low&from=100&to=1,000.00":       `current_price BETWEEN 100 AND 1000`,
		"/auctions?sort=price-high&q=cl":                      `id % 3 = 0`,
		"/auctions?sort=bids&status=open":                     `true`,
		"/auctions?q=%22%27%28%21%29":                         `true`,
		"/auctions?status=closed&q=cafe":                      `false`,
		"/auctions?ends=today&zone=Pacific/Kiritimati&q=cafe": ``,
	} {
		read := s.walk(address)
		slices.Sort(read)
		if condition == "" {
			if len(read) == 40 {
				t.Errorf("%s finds lots of the day after tomorrow", address)
			}
			continue
		}
		var want []string
		if err := s.SQL.QueryRow(t.Context(), `SELECT coalesce(array_agg(id::text ORDER BY id::text COLLATE "C"), '{}') FROM auction WHERE `+condition).Scan(&want); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(read, want) {
			t.Errorf("%s finds %d lots, want %d", address, len(read), len(want))
		}
	}

	v := s.visitor()
	page := v.get("/auctions?q=cafe&sort=price-high")
	page.shows(t, "Open auctions", "40 lots", "Café clock")
	page.hides(t, "Silver vase", "More lots")
	if page.value("q") != "cafe" || !strings.Contains(page.text, `value="price-high" selected`) {
		t.Error("the form has lost what is looked for")
	}
	v.get("/").shows(t, "120 lots", "More lots", "Silver vase &lt;b&gt;")
	v.get("/auctions?q=nothing+like+it").shows(t, "0 lots", "No open lot is like that.")
	v.get("/auctions?q=cafe&status=closed").shows(t, "Closed auctions", "No closed lot is like that.")

	part := v.get("/auctions?q=cafe&from=&to=&zone=Europe/Zurich&sort=ending", "HX-Request", "true")
	if part.Header.Get("HX-Push-Url") != "/auctions?q=cafe" || strings.Contains(part.text, "<html") || !strings.Contains(part.text, `id="found"`) {
		t.Errorf("htmx gets %q: %.200s", part.Header.Get("HX-Push-Url"), part.text)
	}
	if strings.Contains(part.text, `name="next" value="/auctions?q=cafe"`) != true {
		t.Error("a star would not lead back to the search")
	}
	v.get("/auctions?ends=today&zone=America/New_York").shows(t, "Today is the day in America/New York.")
	v.get("/auctions?ends=today&zone=Mars/Base").shows(t, "Today is the day in UTC.")
	chosen := s.Person(false)
	s.Exec(`UPDATE account SET time_zone = 'Asia/Tokyo' WHERE id = $1`, chosen.ID)
	s.signedIn(chosen).get("/auctions?ends=today&zone=America/New_York").shows(t, "Today is the day in Asia/Tokyo.")
}

func TestMistakesInASearchAreToldInWords(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.Lot(s.Person(true), time.Hour)
	v := s.visitor()
	for query, sentence := range map[string]string{
		"from=cheap":     "The lowest price: Write an amount like 10.00",
		"to=1.234,50":    "The highest price: Write an amount like 10.00",
		"to=-1":          "The highest price: Write an amount like 10.00",
		"from=1e3":       "The lowest price: Write an amount like 10.00",
		"from=20&to=10":  "The highest price: This is below the lowest price.",
		"from=NaN&q=abc": "The lowest price: Write an amount like 10.00",
	} {
		for _, htmx := range []string{"true", ""} {
			a := v.get("/auctions?"+query, "HX-Request", htmx)
			if a.StatusCode != http.StatusUnprocessableEntity {
				t.Errorf("%s: %d", query, a.StatusCode)
			}
			a.shows(t, sentence)
		}
		values, _ := url.ParseQuery(query)
		if a := v.get("/auctions?" + query); a.value("from") != values.Get("from") || a.value("to") != values.Get("to") {
			t.Errorf("%s: the form has lost what was typed", query)
		}
		if a := s.call("GET", "/auctions?"+query, "", nil); a.StatusCode != 422 || a.member(t, "code") != "invalid" || a.member(t, "errors") == nil {
			t.Errorf("%s: %d %s", query, a.StatusCode, a.text)
		}
	}
	for _, query := range []string{"status=withdrawn", "sort=price", "sort=;DROP", "ends=tomorrow", "q=" + strings.Repeat("a", 201)} {
		if a := s.call("GET", "/auctions?"+url.PathEscape(query), "", nil); a.StatusCode != 400 || a.member(t, "code") != "unreadable" {
			t.Errorf("%s: %d %s", query, a.StatusCode, a.text)
		}
		if a := v.get("/auctions?" + url.PathEscape(query)); a.StatusCode != 400 {
			t.Errorf("%s as a page: %d", query, a.StatusCode)
		}
	}
	for _, query := range []string{"q=%00", "q=%ff%fe", "q=" + strings.Repeat("%F0%9F%93%B7", 200), "q=" + strings.Repeat("a+", 100), "q=%5C%27"} {
		if a := v.get("/auctions?" + query); a.StatusCode != 200 {
			t.Errorf("%s: %d %.200s", query, a.StatusCode, a.text)
		}
	}
}

func TestACursorBelongsToItsSearch(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller := s.Person(true)
	for range 52 {
		s.Lot(seller, time.Hour)
	}
	cursor, _ := s.call("GET", "/auctions?q=watch&sort=price-low", "", nil).member(t, "nextCursor").(string)
	if cursor == "" {
		t.Fatal("52 lots fit a page")
	}
	next := s.call("GET", "/auctions?sort=price-low&q=watch&cursor="+cursor, "", nil)
	if items, _ := next.member(t, "items").([]any); len(items) != 2 {
		t.Errorf("the second page: %d %.300s", next.StatusCode, next.text)
	}
	parts := strings.Split(cursor, ".")
	for _, wrong := range []string{
		"q=watch&cursor=" + cursor, "sort=price-high&q=watch&cursor=" + cursor, "sort=price-low&cursor=" + cursor,
		"sort=price-low&q=watch&status=closed&cursor=" + cursor, "sort=price-low&q=watch&from=1&cursor=" + cursor,
		"sort=price-low&q=watch&cursor=" + cursor + ".1", "sort=price-low&q=watch&cursor=" + parts[0] + ".1.1",
		"sort=price-low&q=watch&cursor=" + parts[0] + ".9223372036854775807.1.1", "sort=price-low&q=watch&cursor=" + parts[0] + ".-1.1.1", "cursor=1-1",
	} {
		if a := s.call("GET", "/auctions?"+wrong, "", nil); a.StatusCode != 400 || a.member(t, "code") != "cursor_invalid" {
			t.Errorf("%s: %d %s", wrong, a.StatusCode, a.text)
		}
	}
}

func TestMyBidsStandUnderTheirTabs(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller, ann, ben := s.Person(true), s.Person(false), s.Person(false)
	mine, theirs := s.Lot(seller, time.Hour), s.Lot(seller, time.Hour)
	s.Exec(`UPDATE auction SET title = 'Mine' WHERE id = $1`, mine.ID)
	s.Exec(`UPDATE auction SET title = 'Theirs' WHERE id = $1`, theirs.ID)
	v, token := s.signedIn(ann), s.token(ann)
	v.get("/bids").shows(t, "You have not bid on a lot yet.")
	s.bid(token, mine, "1010")
	s.bid(token, theirs, "1010")
	s.bid(s.token(ben), theirs, "1500")

	page := v.get("/bids")
	page.shows(t, "My bids", "Leading 1", "Outbid 1", "Won 0", "Lost 0", "your last bid $1,010.00")
	if !strings.Contains(page.text, `class="row" data-standing="leading"`) || !strings.Contains(page.text, `class="row" data-standing="outbid"`) {
		t.Error("my bids do not tell how they stand")
	}
	if !strings.Contains(page.text, "/events?auction=") {
		t.Error("my bids are not live")
	}
	page = v.get("/bids?part=leading")
	page.shows(t, "Mine")
	page.hides(t, "Theirs")
	page = v.get("/bids?part=outbid")
	page.shows(t, "Theirs")
	page.hides(t, ">Mine<")

	s.Exec(`UPDATE auction SET start_time = now() - interval '2 days', end_time = now() - interval '1 day'`)
	v.get("/bids?part=won").shows(t, "You have not won a lot yet.") // until it is closed
	if _, err := s.NewCloser(func(time.Duration) {}).Once(t.Context()); err != nil {
		t.Fatal(err)
	}
	page = v.get("/bids?part=won")
	page.shows(t, "Leading 0", "Outbid 0", "Won 1", "Lost 1", "Mine")
	page.hides(t, `data-standing="lost"`, `data-standing="leading"`)
	v.get("/bids?part=lost").shows(t, "Theirs")
	a := s.call("GET", "/bids?part=lost", token, nil)
	if items, _ := a.member(t, "items").([]any); len(items) != 1 || items[0].(map[string]any)["standing"] != "lost" || items[0].(map[string]any)["lastBid"] != "1010.00" {
		t.Errorf("by JSON: %s", a.text)
	}
	for wrong, code := range map[string]string{"part=lucky": "unreadable", "cursor=x": "cursor_invalid", "part=won&cursor=lost.1.1": "cursor_invalid", "cursor=all.-1.1": "cursor_invalid"} {
		if a := s.call("GET", "/bids?"+wrong, token, nil); a.StatusCode != 400 || a.member(t, "code") != code {
			t.Errorf("%s: %d %s", wrong, a.StatusCode, a.text)
		}
	}
	if a := s.visitor().get("/bids?part=won"); a.Header.Get("Location") != "/login?next=%2Fbids%3Fpart%3Dwon" {
		t.Errorf("signed out: %d to %q", a.StatusCode, a.Header.Get("Location"))
	}
}
