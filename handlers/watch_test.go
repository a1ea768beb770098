package handlers_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestAStarIsSetAndTakenAwayAsOftenAsAsked(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot := s.Lot(s.Person(true), time.Hour)
	ann := s.Person(false)
	v := s.signedIn(ann)
	star := func(watching string) url.Values {
		return url.Values{"watching": {watching}, "next": {"/auctions?status=open"}}
	}
	for _, step := range []struct {
		watching, pressed string
		watchers          int64
	}{{"true", "true", 1}, {"true", "true", 1}, {"false", "false", 0}, {"false", "false", 0}, {"true", "true", 1}} {
		a := v.form(path(lot)+"/watch", star(step.watching), "HX-Request", "true")
		if a.StatusCode != http.StatusOK || !strings.Contains(a.text, `aria-pressed="`+step.pressed+`"`) || strings.Contains(a.text, "<html") {
			t.Errorf("watching=%s: %d %s", step.watching, a.StatusCode, a.text)
		}
		if n, err := s.Watchers(t.Context(), lot.ID); n != step.watchers || err != nil {
			t.Errorf("after watching=%s there are %d watchers, %v", step.watching, n, err)
		}
	}
	if a := v.form(path(lot)+"/watch", star("false")); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/auctions?status=open" {
		t.Errorf("without htmx: %d to %q", a.StatusCode, a.Header.Get("Location"))
	}
	for _, page := range []string{"/", path(lot)} {
		if a := v.get(page); !strings.Contains(a.text, `aria-label="Watch Antique watch"`) {
			t.Errorf("%s has no star", page)
		}
	}

	token := s.token(ann)
	if a := s.call("POST", path(lot)+"/watch", token, `{"watching": true}`); a.StatusCode != 200 || a.member(t, "watching") != true {
		t.Errorf("by JSON: %d %s", a.StatusCode, a.text)
	}
	for _, wrong := range []string{`{}`, `{"watching": "yes"}`, `{"watching": null}`, ``} {
		if a := s.call("POST", path(lot)+"/watch", token, wrong); a.StatusCode != 400 || a.member(t, "code") != "unreadable" {
			t.Errorf("%s: %d %s", wrong, a.StatusCode, a.text)
		}
	}
	if a := v.form(path(lot)+"/watch", url.Values{"watching": {"maybe"}}); a.StatusCode != 400 {
		t.Errorf("watching=maybe: %d", a.StatusCode)
	}
	for _, nothing := range []string{"/auctions/999999/watch", "/auctions/x/watch"} {
		for _, watching := range []string{"true", "false"} {
			if a := v.form(nothing, star(watching)); a.StatusCode != http.StatusNotFound {
				t.Errorf("%s: %d", nothing, a.StatusCode)
			}
		}
	}
	if a := v.form(path(lot)+"/watch", url.Values{"watching": {"true"}, "next": {"//elsewhere.example/"}}); a.Header.Get("Location") != "/" {
		t.Errorf("a star leads to %q", a.Header.Get("Location"))
	}
}

func TestWhoIsSignedOutIsAskedToSignInAndComesBackToTheStar(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot := s.Lot(s.Person(true), time.Hour)
	v := s.visitor()
	values := url.Values{"watching": {"true"}, "next": {"/auctions?q=watch&sort=newest"}}
	want := "/login?next=" + url.QueryEscape("/auctions?q=watch&sort=newest")
	if a := v.form(path(lot)+"/watch", values); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != want {
		t.Errorf("without htmx: %d to %q", a.StatusCode, a.Header.Get("Location"))
	}
	if a := v.form(path(lot)+"/watch", values, "HX-Request", "true"); a.StatusCode != http.StatusUnauthorized || a.Header.Get("HX-Redirect") != want {
		t.Errorf("by htmx: %d to %q", a.StatusCode, a.Header.Get("HX-Redirect"))
	}
	if a := s.call("POST", path(lot)+"/watch", "", `{"watching": true}`); a.StatusCode != http.StatusUnauthorized || a.member(t, "code") != "unauthenticated" {
		t.Errorf("by JSON: %d %s", a.StatusCode, a.text)
	}
	if a := v.get("/watchlist"); a.Header.Get("Location") != "/login?next=%2Fwatchlist" {
		t.Errorf("the watch list: %d to %q", a.StatusCode, a.Header.Get("Location"))
	}
	if n, err := s.Watchers(t.Context(), lot.ID); n != 0 || err != nil {
		t.Errorf("%d watchers, %v", n, err)
	}
}

func TestAWatchListHasWhatIsOpenBeforeWhatIsOver(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller, ann, ben := s.Person(true), s.Person(false), s.Person(false)
	v := s.signedIn(ann)
	v.get("/watchlist").shows(t, "No lot is on your watch list.")

	var want []string
	for i := range 130 {
		lot := s.Lot(seller, time.Hour)
		over := i%2 == 1
		if over {
			s.Exec(`UPDATE auction SET status = CASE WHEN id % 5 = 0 THEN 'WITHDRAWN' ELSE 'CLOSED' END, closed_at = now() WHERE id = $1`, lot.ID)
		}
		s.Exec(`UPDATE auction SET end_time = date_trunc('hour', start_time) + interval '1 day' + $2 * interval '1 minute' WHERE id = $1`, lot.ID, i/4)
		if i >= 4 {
			if _, err := s.Watch(t.Context(), ann.ID, lot.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := s.Watch(t.Context(), ben.ID, 1); err != nil {
		t.Fatal(err)
	}
	rows, err := s.SQL.Query(t.Context(), `SELECT a.id::text FROM watch w JOIN auction a ON a.id = w.auction_id WHERE w.account_id = $1
		ORDER BY a.status <> 'OPEN', CASE WHEN a.status = 'OPEN' THEN a.end_time END, CASE WHEN a.status <> 'OPEN' THEN a.end_time END DESC, a.id`, ann.ID)
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		want = append(want, id)
	}
	token := s.token(ann)
	var read []string
	for cursor := ""; ; {
		page := s.call("GET", "/watchlist?cursor="+cursor, token, nil)
		items, ok := page.member(t, "items").([]any)
		if !ok {
			t.Fatalf("%d %s", page.StatusCode, page.text)
		}
		for _, item := range items {
			read = append(read, fmt.Sprint(item.(map[string]any)["id"]))
		}
		next, more := page.member(t, "nextCursor").(string)
		if !more {
			break
		}
		cursor = url.QueryEscape(next)
	}
	if len(want) != 126 || strings.Join(read, " ") != strings.Join(want, " ") {
		t.Errorf("read %v, want %v", read, want)
	}
	page := v.get("/watchlist")
	page.shows(t, "Watch list", "More lots")
	if !strings.Contains(page.text, `/events?auction=`+want[0]+`&amp;`) {
		t.Error("the watch list is not live")
	}
	for _, wrong := range []string{"x", "open.", "over.1", "shut.1.1", "open.1.1.1", "open.9999999999999999999.1"} {
		if a := s.call("GET", "/watchlist?cursor="+wrong, token, nil); a.StatusCode != 400 || a.member(t, "code") != "cursor_invalid" {
			t.Errorf("cursor %s: %d %s", wrong, a.StatusCode, a.text)
		}
	}
}
