package handlers_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// lots reads the numbers of the lots in a table.
func (a answer) lots() (ids []string) {
	for _, match := range regexp.MustCompile(`href="/admin/auctions/(\d+)"`).FindAllStringSubmatch(a.text, -1) {
		ids = append(ids, match[1])
	}
	return ids
}

func (a answer) people() (ids []string) {
	for _, match := range regexp.MustCompile(`<td><a href="/admin/people/(\d+)"`).FindAllStringSubmatch(a.text, -1) {
		ids = append(ids, match[1])
	}
	return ids
}

func TestClosedLotsAreNarrowedDown(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	other := o.Person(true)
	sold, unsold, withdrawn, open := o.lot, o.Lot(other, time.Hour), o.Lot(o.seller, time.Hour), o.Lot(o.seller, time.Hour)
	o.bids(o.ann, sold, "1010")
	o.bids(o.ben, withdrawn, "1010")
	o.ends(sold)
	o.ends(unsold)
	if _, err := o.Withdraw(t.Context(), auction.Withdrawal{AuctionID: withdrawn.ID, ActorID: o.ruth.ID, ByAdmin: true, Reason: "x"}); err != nil {
		t.Fatal(err)
	}
	o.Exec(`UPDATE auction SET closed_at = '2026-03-01 23:30+00' WHERE id = $1`, sold.ID) // a day later in Tokyo
	o.Exec(`UPDATE result SET closed_at = '2026-03-01 23:30+00' WHERE auction_id = $1`, sold.ID)
	for lot, title := range map[int64]string{sold.ID: "Café clock", unsold.ID: "A clock of oak", withdrawn.ID: "100% clock", open.ID: "Clock that is open"} {
		o.Exec(`UPDATE auction SET title = $2 WHERE id = $1`, lot, title)
	}
	names := map[string]string{itoa(sold.ID): "sold", itoa(unsold.ID): "unsold", itoa(withdrawn.ID): "withdrawn", itoa(open.ID): "open"}
	for _, c := range []struct{ query, want string }{
		{"", "withdrawn unsold sold"},
		{"outcome=sold", "sold"}, {"outcome=unsold", "unsold"}, {"outcome=withdrawn", "withdrawn"},
		{"outcome=nonsense", "withdrawn unsold sold"},
		{"person=" + o.ann.Alias, "sold"},
		{"person=" + strings.ToUpper(o.ann.Email), "sold"},
		{"person=" + url.QueryEscape(o.ann.Name), "sold"},
		{"person=" + o.ben.Alias, ""}, // led what was withdrawn, and won nothing
		{"person=" + o.seller.Email, "withdrawn sold"},
		{"person=" + o.seller.Email + "&outcome=withdrawn", "withdrawn"},
		{"person=" + other.Email, "unsold"},
		{"person=person", "withdrawn unsold sold"},
		{"q=" + itoa(unsold.ID), "unsold"}, {"q=" + itoa(open.ID), ""},
		{"q=" + itoa(sold.ID) + "&person=" + o.ann.Alias, "sold"}, {"q=" + itoa(unsold.ID) + "&person=" + o.ann.Alias, ""},
		{"q=clock", "withdrawn unsold sold"}, {"q=CLO", "withdrawn unsold sold"}, {"q=cafe", "sold"}, {"q=oak+clo", "unsold"},
		{"q=100%25", "withdrawn"}, {"q=1__%25", ""}, {"q=clock+zebra", ""}, {"q=%22%27!%26", ""},
		{"q=clock&outcome=sold", "sold"}, {"q=clock&outcome=withdrawn", "withdrawn"}, {"q=clock&from=2026-03-02", "withdrawn unsold"},
		{"q=clock&person=" + o.seller.Email, "withdrawn sold"}, {"q=clock&person=" + o.ann.Alias, "sold"}, {"q=oak&person=" + o.ann.Alias, ""},
		{"from=2026-03-01&to=2026-03-01", "sold"}, {"to=2026-02-28", ""}, {"from=2026-03-02&to=2026-03-02", ""},
		{"person=person&from=2026-03-02", "withdrawn unsold"}, {"outcome=sold&from=2026-03-02", ""},
	} {
		page := o.admin.get("/admin/closed?" + c.query)
		var got []string
		for _, id := range page.lots() {
			got = append(got, names[id])
		}
		if strings.Join(got, " ") != c.want || page.StatusCode != http.StatusOK {
			t.Errorf("%s: %d %q, not %q", c.query, page.StatusCode, got, c.want)
		}
		file := o.admin.get("/admin/closed.csv?" + c.query)
		var rows []string
		for _, row := range csvRows(t, file)[1:] {
			rows = append(rows, names[row[0]])
		}
		if strings.Join(rows, " ") != c.want {
			t.Errorf("the file of %s: %q, not %q", c.query, rows, c.want)
		}
	}
	for query, sentence := range map[string]string{"person=zzz": "Nobody is called that.", "from=yesterday": "Write a day like 2026-11-30."} {
		page := o.admin.get("/admin/closed?" + query)
		if page.shows(t, sentence); page.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", query, page.StatusCode)
		}
		if file := o.admin.get("/admin/closed.csv?" + query); file.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("the file of %s: %d", query, file.StatusCode)
		}
	}
	o.Exec(`UPDATE account SET time_zone = 'Asia/Tokyo' WHERE id = $1`, o.ruth.ID)
	if got := o.admin.get("/admin/closed?from=2026-03-02&to=2026-03-02").lots(); !slices.Equal(got, []string{itoa(sold.ID)}) {
		t.Error("the days are not those of the admin's zone:", got)
	}
}

// csvRows are those of a CSV file, its first the names of the columns.
func csvRows(t *testing.T, file answer) [][]string {
	t.Helper()
	text, found := strings.CutPrefix(file.text, "\ufeff")
	if !found || file.StatusCode != http.StatusOK {
		t.Fatalf("%d %.200q", file.StatusCode, file.text)
	}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestTheFileOfClosedLotsIsSafeToOpen(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	titles := map[string]string{ // as the cell must be
		`=HYPERLINK("https://evil.example","x")`: `'=HYPERLINK("https://evil.example","x")`,
		"+1+cmd|' /C calc'!A0":                   "'+1+cmd|' /C calc'!A0",
		"-2+3":                                   "'-2+3",
		"@SUM(A1)":                               "'@SUM(A1)",
		"\t=1":                                   "'\t=1",
		"\r=1":                                   "'=1",
		"\tplain":                                "'\tplain",
		"\u00a0 =1":                              "'\u00a0 =1",
		"\u200b=1":                               "'\u200b=1",
		"＝1+1":                                   "'＝1+1",
		"5=1":                                    "5=1",
		"A \"quoted\", title;\nin two lines":     "A \"quoted\", title;\nin two lines",
		"Vase – 花瓶":                              "Vase – 花瓶",
		"'tis":                                   "'tis",
	}
	want := map[string]string{}
	for title, cell := range titles {
		lot := o.Lot(o.seller, time.Hour)
		o.Exec(`UPDATE auction SET title = $2 WHERE id = $1`, lot.ID, title)
		o.bids(o.ann, lot, "1234.5")
		o.ends(lot)
		want[itoa(lot.ID)] = cell
	}
	o.Exec(`UPDATE account SET name = '=cmd' WHERE id = $1`, o.ann.ID)
	file := o.admin.get("/admin/closed.csv")
	header := file.Header
	if header.Get("Content-Type") != "text/csv; charset=utf-8" || header.Get("X-Content-Type-Options") != "nosniff" ||
		!regexp.MustCompile(`^attachment; filename=rostrum-closed-\d{4}-\d\d-\d\d\.csv$`).MatchString(header.Get("Content-Disposition")) {
		t.Errorf("%v", header)
	}
	if first, _, _ := strings.Cut(file.text, "\n"); first != "\ufefflot,title,outcome,price,currency,winner,winner_name,winner_email,seller,seller_name,seller_email,start,end,closed,bids\r" {
		t.Errorf("%q", first)
	}
	if strings.Count(file.text, "\n") != strings.Count(file.text, "\r\n") {
		t.Error("a line does not end in CRLF")
	}
	rows := csvRows(t, file)
	if len(rows) != len(titles)+1 {
		t.Fatalf("%d lines of %d lots", len(rows)-1, len(titles))
	}
	instant := regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`)
	for _, row := range rows[1:] {
		if row[1] != want[row[0]] {
			t.Errorf("%q, not %q", row[1], want[row[0]])
		}
		if row[2] != "sold" || row[3] != "1234.50" || row[4] != "USD" || row[5] != o.ann.Alias || row[6] != "'=cmd" || row[7] != o.ann.Email ||
			row[10] != o.seller.Email || row[14] != "1" || !instant.MatchString(row[11]) || !instant.MatchString(row[12]) || !instant.MatchString(row[13]) {
			t.Errorf("%q", row)
		}
	}
	if head := o.admin.do(http.MethodHead, "/admin/closed.csv", "", "Accept", "text/html"); head.StatusCode != http.StatusOK || head.text != "" {
		t.Errorf("HEAD: %d %q", head.StatusCode, head.text)
	}
}

// More than a batch and more than a page: the file holds each lot once.
func TestTheFileIsNotCutAtAPage(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	o.Exec(`INSERT INTO auction (seller_id, title, starting_price, min_increment, current_price, status, start_time, end_time, soft_close, closed_at)
		SELECT $1, 'Lot ' || n, 1, 1, 1, 'CLOSED', '2026-01-01', '2026-01-02', '2 minutes', '2026-01-02'::timestamptz + n % 7 * interval '1 second'
		FROM generate_series(1, 2500) n`, o.seller.ID)
	for _, query := range []string{"", "?person=" + o.seller.Alias, "?outcome=unsold", "?q=lot", "?q=lot&person=" + o.seller.Alias} {
		rows := csvRows(t, o.admin.get("/admin/closed.csv"+query))[1:]
		seen := map[string]bool{}
		for _, row := range rows {
			seen[row[0]] = true
		}
		if len(rows) != 2500 || len(seen) != 2500 {
			t.Errorf("%q: %d lines, %d lots", query, len(rows), len(seen))
		}
	}
	var ids []string
	for next := "/admin/closed?person=" + o.seller.Alias; next != ""; {
		page := o.admin.get(next)
		ids = append(ids, page.lots()...)
		match := regexp.MustCompile(`href="([^"]*)" rel="next"`).FindStringSubmatch(page.text)
		if next = ""; match != nil {
			next = strings.ReplaceAll(match[1], "&amp;", "&")
		}
	}
	if unique := slices.Compact(slices.Sorted(slices.Values(ids))); len(ids) != 2500 || len(unique) != 2500 {
		t.Errorf("%d lots on the pages, %d different", len(ids), len(unique))
	}
}

func TestPeopleAreFoundByHowTheirNamesBegin(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	yes := true
	o.set(o.ben, store.Change{Suspended: &yes})
	for id, name := range map[int64]string{o.ann.ID: "Änne O'Hara", o.ben.ID: "100% Ben_x"} {
		o.Exec(`UPDATE account SET name = $2 WHERE id = $1`, id, name)
	}
	ids := map[string]string{itoa(o.ann.ID): "ann", itoa(o.ben.ID): "ben", itoa(o.ruth.ID): "ruth", itoa(o.seller.ID): "seller"}
	for _, c := range []struct{ query, want string }{
		{"", "ben ann seller ruth"},
		{"q=änne", "ann"}, {"q=Änne+O%27H", "ann"}, {"q=o%27h", ""},
		{"q=100%25", "ben"}, {"q=%25", ""}, {"q=100%25+ben_", "ben"}, {"q=1__", ""}, {"q=%00", "ben ann seller ruth"},
		{"q=" + strings.ToLower(o.ann.Alias), "ann"}, {"q=" + o.seller.Email, "seller"}, {"q=PERSON", "ben ann seller ruth"},
		{"kind=sellers", "seller"}, {"kind=admins", "ruth"}, {"kind=suspended", "ben"}, {"kind=suspended&q=änne", ""}, {"kind=x", "ben ann seller ruth"},
	} {
		var got []string
		for _, id := range o.admin.get("/admin/people?" + c.query).people() {
			got = append(got, ids[id])
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, not %q", c.query, got, c.want)
		}
	}
}

// Few are found by their names, many on the way through all: the pages of both
// hold everybody once.
func TestPeopleAreListedInPages(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	o.Exec(`INSERT INTO account (email, name, alias) SELECT 'crowd' || n || '@example.org', 'Crowd ' || n, 'crowd' || n FROM generate_series(1, 1200) n`)
	for query, want := range map[string]int{"q=crowd": 1200, "q=crowd1": 312, "": 1204} {
		var ids []string
		for next := "/admin/people?" + query; next != ""; {
			page := o.admin.get(next)
			ids = append(ids, page.people()...)
			match := regexp.MustCompile(`href="([^"]*)" rel="next"`).FindStringSubmatch(page.text)
			if next = ""; match != nil {
				next = strings.ReplaceAll(match[1], "&amp;", "&")
			}
		}
		if unique := slices.Compact(slices.Sorted(slices.Values(ids))); len(ids) != want || len(unique) != want {
			t.Errorf("%q: %d people, %d different, not %d", query, len(ids), len(unique), want)
		}
	}
}

func TestAPersonsPageTellsTheirLotsAndBids(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	for i := range 11 {
		lot := o.Lot(o.seller, time.Hour)
		o.bids(o.ann, lot, "1010")
		o.bids(o.ben, lot, "1020")
		o.bids(o.ann, lot, fmt.Sprint(1030+i))
	}
	page := o.admin.get(personPath(o.ann, ""))
	if got := page.lots(); len(got) != 10 || !slices.IsSortedFunc(got, func(a, b string) int { return len(b) - len(a) + strings.Compare(b, a) }) {
		t.Errorf("%v", got)
	}
	page.shows(t, "$1,040.00", "lead", "Earlier lots they bid on")
	o.admin.get(personPath(o.ben, "")).shows(t, "$1,020.00", "were outbid")
	if got := o.admin.get(personPath(o.seller, "")).lots(); len(got) != 10 {
		t.Errorf("%v", got)
	}
	if a := o.admin.get("/admin/people/999999"); a.StatusCode != http.StatusNotFound {
		t.Error(a.StatusCode)
	}
}

func TestTheAuditLogIsNarrowedDown(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	act := func(p auction.Person, why string) {
		t.Helper()
		o.admin.form(personPath(p, "/suspension"), url.Values{"reason": {why}})
	}
	act(o.ann, "First.")
	act(o.ben, "Second.")
	for _, c := range []struct {
		query         string
		shows, hidden []string
	}{
		{"about=" + o.ann.Alias, []string{"First."}, []string{"Second."}},
		{"about=" + o.ben.Email, []string{"Second."}, []string{"First."}},
		{"by=" + o.ruth.Alias, []string{"First.", "Second."}, []string{"the command line"}},
		{"by=Command+Line", []string{"the command line made the account of"}, []string{"First."}},
		{"about=lot+" + itoa(o.lot.ID), []string{"None."}, []string{"First."}},
	} {
		page := o.admin.get("/admin/audit?" + c.query)
		page.shows(t, c.shows...)
		page.hides(t, c.hidden...)
	}
	page := o.admin.get("/admin/audit?by=nobody@example.com")
	if page.shows(t, "Nobody has this alias or e-mail address."); page.StatusCode != http.StatusUnprocessableEntity {
		t.Error(page.StatusCode)
	}
}

func TestHostileTextsStayTextsForAdmins(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>`
	o.bids(o.ann, o.lot, "1010")
	o.Exec(`UPDATE auction SET title = $1::text, description = $1::text WHERE id = $2`, hostile, o.lot.ID)
	o.Exec(`UPDATE account SET name = $1 WHERE id = ANY ($2)`, hostile, []int64{o.ann.ID, o.seller.ID})
	o.admin.form(personPath(o.ann, "/suspension"), url.Values{"reason": {hostile}})
	paths := []string{"/admin/open", "/admin/open?sort=hottest", "/admin" + path(o.lot), personPath(o.ann, ""), personPath(o.seller, "")}
	o.admin.form("/admin"+path(o.lot)+"/withdrawal", url.Values{"reason": {hostile}})
	for _, list := range []string{"closed", "people", "audit", "events"} {
		paths = append(paths, "/admin/"+list, "/admin/"+list+"?q="+url.QueryEscape(hostile)+"&by="+url.QueryEscape(hostile)+"&person="+url.QueryEscape(hostile))
	}
	for _, path := range paths {
		o.admin.get(path).hides(t, "<script>alert", "<img src=x")
	}
	o.admin.get("/admin/audit").shows(t, "&lt;script&gt;alert(1)")
}
