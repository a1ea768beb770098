package handlers_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"rostrum/store/auction"
)

// event is one event of a stream.
type event struct{ name, id, data string }

// watch opens a stream and returns its events; the channel is closed when the
// server ends the stream.
func (s *site) watch(at, accept string) <-chan event {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+at, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Accept", accept)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK || !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		s.t.Fatalf("%s: %d %s", at, response.StatusCode, response.Header.Get("Content-Type"))
	}
	events := make(chan event, 100)
	go func() {
		defer close(events)
		defer response.Body.Close()
		var e event
		lines := bufio.NewScanner(response.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			field, value, _ := strings.Cut(lines.Text(), ":")
			value = strings.TrimPrefix(value, " ")
			switch {
			case lines.Text() == "" && e != event{}:
				events <- e
				e = event{}
			case field == "event":
				e.name = value
			case field == "id":
				e.id = value
			case field == "data":
				e.data += value + "\n"
			}
		}
	}()
	return events
}

func (s *site) next(events <-chan event) event {
	s.t.Helper()
	select {
	case e, ok := <-events:
		if !ok {
			s.t.Fatal("the stream ended")
		}
		return e
	case <-time.After(20 * time.Second):
		s.t.Fatal("no event came")
		panic("unreachable")
	}
}

func (s *site) ends(events <-chan event) {
	s.t.Helper()
	select {
	case e, ok := <-events:
		if ok {
			s.t.Fatalf("one more event: %+v", e)
		}
	case <-time.After(20 * time.Second):
		s.t.Fatal("the stream did not end")
	}
}

func TestAStreamTellsThePresentStateThenEachChangeThenEnds(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot, ann := s.Lot(s.Person(true), time.Hour), s.Person(false)
	events := s.watch(path(lot)+"/events", "text/event-stream")
	if e := s.next(events); e.name != "price" || e.id != "1" || !strings.Contains(e.data, `"currentPrice":"1000.00"`) {
		t.Errorf("first: %+v", e)
	}
	s.bid(s.token(ann), lot, "1010")
	e := s.next(events)
	var frame map[string]any
	if err := json.Unmarshal([]byte(e.data), &frame); err != nil {
		t.Fatal(err)
	}
	if e.name != "price" || e.id != "2" || frame["minimumBid"] != "1020.00" || frame["leaderId"] != float64(ann.ID) || frame["bidCount"] != 1.0 || frame["serverTime"] == nil {
		t.Errorf("after a bid: %+v", e)
	}
	s.end(lot)
	if e := s.next(events); e.name != "closed" || !strings.Contains(e.data, `"status":"CLOSED"`) {
		t.Errorf("at the end: %+v", e)
	}
	s.ends(events)

	late := s.watch(path(lot)+"/events", "text/event-stream")
	if e := s.next(late); e.name != "closed" {
		t.Errorf("the stream of a closed lot: %+v", e)
	}
	s.ends(late)
}

func TestNoFrameTellsATimeBeforeWhatItTells(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot := s.Lot(s.Person(true), time.Hour)
	const html = "text/html, text/event-stream"
	streams := map[string]<-chan event{
		"program": s.watch(path(lot)+"/events", "text/event-stream"),
		"page":    s.watch(path(lot)+"/events", html),
		"list":    s.watch("/events?auction="+strings.TrimPrefix(path(lot), "/auctions/"), html),
	}
	for _, events := range streams {
		s.next(events)
	}
	state := lot.State()
	state.Version, state.Now = 2, s.Now().Add(time.Minute).UTC() // the house's idea of the database's time is behind
	s.hub.Publish(lot.ID, state.Version, state)
	for who, events := range streams {
		if e := s.next(events); !strings.Contains(e.data, state.Now.Format("2006-01-02T15:04:05.000")) {
			t.Errorf("a %s is told what is true at %s as %+v", who, state.Now, e)
		}
	}
}

func TestAPagesStreamCarriesTheComponentsOfThePage(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot, ann := s.Lot(s.Person(true), time.Hour), s.Person(false)
	events := s.watch(path(lot)+"/events", "text/html, text/event-stream")
	s.next(events)
	s.bid(s.token(ann), lot, "1776")
	if e := s.next(events); e.name != "" || !strings.Contains(e.data, "<hx-partial") || !strings.Contains(text(e.data), "$1,776.00") || !strings.Contains(text(e.data), ann.Alias) {
		t.Errorf("after a bid: %+v", e)
	}
	s.end(lot)
	if e := s.next(events); e.name != "" {
		t.Errorf("at the end: %+v", e)
	}
	if e := s.next(events); e.name != "closed" || e.id != "" {
		t.Errorf("after the last frame: %+v", e)
	}
	s.ends(events)
}

func TestAListsStreamGoesOnWhenOneLotCloses(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller, ann := s.Person(true), s.Person(false)
	one, two := s.Lot(seller, time.Hour), s.Lot(seller, time.Hour)
	events := s.watch("/events?auction=1&auction=2", "text/event-stream")
	s.next(events)
	s.next(events)
	s.end(one)
	if e := s.next(events); e.name != "closed" || !strings.Contains(e.data, `"auctionId":1`) {
		t.Errorf("one closes: %+v", e)
	}
	s.bid(s.token(ann), two, "1010")
	if e := s.next(events); e.name != "price" || !strings.Contains(e.data, `"auctionId":2`) {
		t.Errorf("the other goes on: %+v", e)
	}
	s.hub.Close()
	s.ends(events)
}

func TestASocketCarriesTheSameFrames(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot, ann := s.Lot(s.Person(true), time.Hour), s.Person(false)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	socket, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(s.url, "http")+"/ws"+path(lot), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer socket.CloseNow()
	receive := func() map[string]any {
		t.Helper()
		_, message, err := socket.Read(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var frame map[string]any
		if err := json.Unmarshal(message, &frame); err != nil {
			t.Fatal(err)
		}
		return frame
	}
	if f := receive(); f["version"] != 1.0 || f["currentPrice"] != "1000.00" {
		t.Errorf("first: %v", f)
	}
	s.bid(s.token(ann), lot, "1010")
	if f := receive(); f["version"] != 2.0 || f["currentPrice"] != "1010.00" {
		t.Errorf("after a bid: %v", f)
	}
	s.end(lot)
	if f := receive(); f["status"] != string(auction.Closed) {
		t.Errorf("at the end: %v", f)
	}
	if _, _, err := socket.Read(ctx); websocket.CloseStatus(err) != websocket.StatusNormalClosure {
		t.Errorf("the socket ended with %v", err)
	}
}

func TestASocketFromAnotherSiteIsRefused(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot := s.Lot(s.Person(true), time.Hour)
	socket, response, err := websocket.Dial(t.Context(), "ws"+strings.TrimPrefix(s.url, "http")+"/ws"+path(lot),
		&websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"https://evil.example"}}})
	if err == nil {
		socket.CloseNow()
		t.Fatal("it was opened")
	}
	if response == nil || response.StatusCode != http.StatusForbidden {
		t.Errorf("%v", err)
	}
}
