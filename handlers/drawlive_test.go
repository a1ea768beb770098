package handlers_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"rostrum/handlers"
	"rostrum/static"
)

func TestAPageIsToldThatAQuietLotIsQuiet(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *handlers.Options) { o.Heartbeat = 20 * time.Millisecond })
	lot := s.Lot(s.Person(true), time.Hour)
	for _, at := range []string{path(lot) + "/events", "/events?auction=" + strconv.FormatInt(lot.ID, 10)} {
		page := s.watch(at, "text/html")
		if first := <-page; first.name != "" {
			t.Errorf("%s begins with %q", at, first.name)
		}
		var before time.Time
		for range 3 {
			beat := <-page
			at, err := time.Parse(time.RFC3339Nano, strings.TrimSpace(beat.data))
			if beat.name != "beat" || beat.id != "" || err != nil || !at.After(before) {
				t.Errorf("%+v, %v, after %v", beat, err, before)
			}
			before = at
		}
	}
	program := s.watch(path(lot)+"/events", "text/event-stream")
	<-program
	s.bid(s.token(s.Person(false)), lot, "1010")
	if next := <-program; next.name != "price" || next.id != "2" {
		t.Errorf("a program hears %+v, want the price only", next)
	}
}

func TestAPageTellsWhichBidMovedTheEnd(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot := s.Lot(s.Person(true), time.Hour)
	s.Exec(`UPDATE auction SET soft_close = '2 minutes' WHERE id = $1`, lot.ID)
	token := s.token(s.Person(false))
	s.bid(token, lot, "1010")
	page := s.visitor().get(path(lot))
	page.shows(t, "A bid in the last 2 minutes moves the end.")
	page.hides(t, "Extended")

	s.Exec(`UPDATE auction SET end_time = clock_timestamp() + interval '30 seconds' WHERE id = $1`, lot.ID)
	s.visitor().get(path(lot)).hides(t, "Extended")
	frames := s.watch(path(lot)+"/events", "text/html")
	<-frames
	judged, _ := s.bid(token, lot, "1020").member(t, "bid.createdAt").(string)
	at, err := time.Parse(time.RFC3339Nano, judged)
	if err != nil {
		t.Fatal(err)
	}
	want := "Extended by a bid at " + at.Format("15:04:05 MST")
	if frame := <-frames; !strings.Contains(text(frame.data), want) {
		t.Errorf("%q is not in the frame: %s", want, text(frame.data))
	}
	s.visitor().get(path(lot)).shows(t, want)
}

func TestAFrameTellsWhoWatchesAndHowThePriceWent(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot := s.Lot(s.Person(true), time.Hour)
	page := s.visitor().get(path(lot))
	if strings.Contains(text(page.text), "watching") {
		t.Error("nobody watches, and somebody is told of")
	}
	page.shows(t, "Price over time")
	if !strings.Contains(page.text, `d="M0 104H600"`) || !strings.Contains(page.text, "The price is $1,000.00; nobody has bid yet.") {
		t.Error("without a bid there is no level line")
	}
	for range 3 {
		s.Exec(`INSERT INTO watch (account_id, auction_id) VALUES ($1, $2)`, s.Person(false).ID, lot.ID)
	}
	s.Exec(`UPDATE auction SET start_time = clock_timestamp() - interval '10 minutes', end_time = clock_timestamp() + interval '1 hour' WHERE id = $1`, lot.ID)
	frames := s.watch(path(lot)+"/events", "text/html")
	<-frames
	token := s.token(s.Person(false))
	s.bid(token, lot, "1250")
	frame := (<-frames).data
	if !strings.Contains(text(frame), "· 3 watching") || !strings.Contains(frame, "The price rose from $1,000.00 to $1,250.00 in 1 bid.") {
		t.Errorf("the frame says %s", text(frame))
	}
	if !regexp.MustCompile(`d="M0 104h(599|600)v-100H600"`).MatchString(frame) {
		t.Errorf("the line: %s", regexp.MustCompile(` d="[^"]*"`).FindString(frame))
	}
	s.bid(token, lot, "1500")
	if frame = (<-frames).data; !regexp.MustCompile(`d="M0 104h\d+(v-100|v-50h\d+v-50)H600"`).MatchString(frame) { // two steps at one place are one
		t.Errorf("the line: %s", regexp.MustCompile(` d="[^"]*"`).FindString(frame))
	}
}

// The whole of a first visit, before it is zipped; and what each change of
// price costs each viewer.
func TestALotsPageAndItsFramesAreLight(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot, ann := s.Lot(s.Person(true), time.Hour), s.Person(false)
	v := s.signedIn(ann)
	s.Exec(`UPDATE auction SET start_time = clock_timestamp() - interval '3 days', version = 100001, bid_count = 100000, current_price = 101000, leader_id = $2 WHERE id = $1`, lot.ID, ann.ID)
	s.Exec(`INSERT INTO bid (auction_id, version, bidder_id, amount, request_id, created_at)
		SELECT $1, 1 + i, $2, 1000 + i, gen_random_uuid(), clock_timestamp() - interval '3 days' + i * interval '2592 milliseconds' FROM generate_series(1, 100000) i`, lot.ID, ann.ID)
	page := v.get(path(lot))
	page.shows(t, "100000 bids", "$101,000.00")
	sum, report := len(page.text), "page "+strconv.Itoa(len(page.text))
	for _, address := range regexp.MustCompile(`/static/[^"]+`).FindAllString(page.text, -1) {
		file := s.visitor().do("GET", address, "")
		sum += len(file.text)
		report += ", " + address + " " + strconv.Itoa(len(file.text))
	}
	if sum >= 100_000 || !strings.Contains(report, static.Path("app.js")) || !strings.Contains(report, static.Path("style.css")) {
		t.Errorf("%d bytes: %s", sum, report)
	}
	frame := <-s.watch(path(lot)+"/events", "text/html")
	if n := len(frame.data); n > 9_000 {
		t.Errorf("a frame has %d bytes", n)
	} else {
		t.Log("a frame has", n, "bytes; the first visit", sum, report)
	}
}
