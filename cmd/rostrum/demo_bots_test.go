package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestBotsBidOverHTTPUntilTheyAreStopped(t *testing.T) {
	t.Parallel()
	h := open(t, 0)
	h.run("", "demo")
	books := openBooks(t, h.dir)
	c := newCrowd(h.url, 50*time.Millisecond)
	must(t, c.enter(t.Context(), openStoreAt(t, books.url), 5))
	const byBots = `SELECT count(*) FROM bid b JOIN account p ON p.id = b.bidder_id WHERE p.email LIKE 'bot%'`

	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.run(ctx) }()
	eventually(t, "the bots have placed thirty bids", func() bool { return books.count(byBots) >= 30 })
	stop()
	select {
	case err := <-ended:
		must(t, err)
	case <-time.After(patience):
		t.Fatal("the bots do not stop")
	}
	placed := books.count(byBots)
	if counted := c.count[bidAccepted]; counted != placed || !strings.Contains(c.summary(), fmt.Sprintf("%d bids accepted", placed)) {
		t.Errorf("the bots counted %d bids (%s), the log %d", counted, c.summary(), placed)
	}
	if n := books.count(`SELECT count(DISTINCT bidder_id) FROM bid b JOIN account p ON p.id = b.bidder_id WHERE p.email LIKE 'bot%'`); n < 2 {
		t.Errorf("%d bots have placed all bids", n)
	}
	if n := books.count(`SELECT count(*) FROM bid b JOIN bid next ON next.auction_id = b.auction_id AND next.version = b.version + 1
		WHERE next.bidder_id = b.bidder_id`); n != 0 {
		t.Errorf("%d bids raise the bidder's own", n)
	}
	books.audit()
}

func TestBotsOnTheCommandLineEndWithALineOfCounts(t *testing.T) {
	t.Parallel()
	h := open(t, 0)
	bots := h.command("once", "demo", "--bots=2", "--url", h.url+"/")
	var said, complaint bytes.Buffer
	said.Grow(1 << 16)
	reader, err := bots.StdoutPipe()
	must(t, err)
	bots.Stderr = &complaint
	must(t, bots.Start())
	chunk := make([]byte, 4096)
	for !strings.Contains(said.String(), "2 bots bid at "+h.url+" until interrupted") {
		n, err := reader.Read(chunk)
		said.Write(chunk[:n])
		if err != nil {
			t.Fatalf("%v: %s%s", err, said.String(), complaint.String())
		}
	}
	must(t, bots.Process.Signal(os.Interrupt))
	_, err = said.ReadFrom(reader)
	must(t, err)
	if err := bots.Wait(); err != nil || !strings.Contains(lastLine(said.String()), "accepted") || complaint.Len() > 0 {
		t.Errorf("%v: %s%s", err, said.String(), complaint.String())
	}
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

func TestBotsAreRefusedWhereTheyHaveNoPlace(t *testing.T) {
	t.Parallel()
	s := shell{t, t.TempDir()}
	s.fails("no house answers at http://127.0.0.1:1", "", "demo", "--bots", "--url=http://127.0.0.1:1")

	h := open(t, 0) // where people trade in earnest
	h.lot(h.add("Sue Seller", "--seller"), "Antique watch", time.Hour)
	h.add("admin") // whose address is not the demo's admin's
	cmd := h.command("once", "demo", "--bots", "--url="+h.url)
	if said, err := cmd.CombinedOutput(); err == nil || !strings.Contains(lastLine(string(said)), "bots bid in a house that this command has filled") {
		t.Errorf("%v: %s", err, said)
	}
	if n := openBooks(t, h.dir).count(`SELECT count(*) FROM account WHERE email LIKE 'bot%'`); n != 0 {
		t.Errorf("%d bots got an account", n)
	}
}

// tired is a house that answers bids as it is told to, one after the other.
type tired struct {
	mu      sync.Mutex
	answers []int
	keys    []string
	amounts []string
	asked   []time.Time
}

func (h *tired) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var body struct{ Amount string }
	_ = json.NewDecoder(r.Body).Decode(&body)
	h.keys = append(h.keys, r.Header.Get("Idempotency-Key"))
	h.amounts = append(h.amounts, body.Amount)
	h.asked = append(h.asked, time.Now())
	status := h.answers[min(len(h.keys), len(h.answers))-1]
	w.Header().Set("Retry-After", "1")
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	fmt.Fprint(w, `{"code": "price_too_low"}`)
}

func TestABotSendsTheSameBidAgainOnlyWhenItMay(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		answers []int
		counts  map[string]int
		err     string
	}{
		"accepted":           {[]int{201}, map[string]int{bidAccepted: 1}, ""},
		"replayed":           {[]int{503, 200}, map[string]int{toldToWait: 1, bidAccepted: 1}, ""},
		"too many":           {[]int{429, 429, 201}, map[string]int{toldToWait: 2, bidAccepted: 1}, ""},
		"the proxy is alone": {[]int{502, 409}, map[string]int{toldToWait: 1, bidTooLow: 1}, ""},
		"too low":            {[]int{409}, map[string]int{bidTooLow: 1}, ""},
		"a stranger":         {[]int{401}, map[string]int{}, "does not know the bots"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := &tired{answers: want.answers}
			server := httptest.NewServer(h)
			defer server.Close()
			b := newBot(newCrowd(server.URL, time.Millisecond), 7, "token")
			lot := shownLot{ID: 1, Currency: "USD", StartingPrice: "10.00", MinIncrement: "1.00", MinimumBid: "11.00"}
			must(t, lot.read())
			_, err := b.bid(t.Context(), lot, lot.floor)
			if (err != nil) != (want.err != "") || err != nil && !strings.Contains(err.Error(), want.err) {
				t.Errorf("the error is %v", err)
			}
			if fmt.Sprint(b.crowd.count) != fmt.Sprint(want.counts) || len(h.keys) != len(want.answers) {
				t.Errorf("%d requests, %v, want %v", len(h.keys), b.crowd.count, want.counts)
			}
			for i := range h.keys {
				if h.keys[i] != h.keys[0] || h.amounts[i] != "11.00" {
					t.Errorf("the bid was sent with %v %v", h.keys, h.amounts)
				}
				if i > 0 && h.asked[i].Sub(h.asked[i-1]) < time.Second {
					t.Error("the bot did not wait as long as it was asked to")
				}
			}
		})
	}
}

func TestABotKnowsItsLimit(t *testing.T) {
	t.Parallel()
	lot := shownLot{ID: 1, Currency: "JPY", StartingPrice: "1000", MinIncrement: "100", MinimumBid: "1100",
		ServerTime: time.Unix(1000, 0), StartTime: time.Unix(0, 0), EndTime: time.Unix(1030, 0)}
	must(t, lot.read())
	wanting := 0
	for id := range int64(50) {
		b := newBot(newCrowd("", 0), id, "")
		if !b.wants(lot) {
			continue
		}
		wanting++
		beyond := lot
		beyond.floor = b.most(lot).Add(lot.step)
		led, ended, early := lot, lot, lot
		led.LeaderID = &id
		ended.EndTime = lot.ServerTime
		early.StartTime = lot.ServerTime.Add(time.Second)
		for why, other := range map[string]shownLot{"is too dear": beyond, "is its own already": led, "is over": ended, "has not begun": early} {
			if b.wants(other) {
				t.Errorf("bot %d wants a lot that %s", id, why)
			}
		}
		for range 100 {
			if _, amount, _ := b.choose([]shownLot{lot}); amount.Cmp(lot.floor) < 0 || amount.Cmp(b.most(lot)) > 0 {
				t.Fatalf("bot %d bids %s", id, lot.currency.Text(amount))
			}
		}
	}
	if wanting < 25 {
		t.Errorf("%d bots of 50 want the lot", wanting)
	}
}
