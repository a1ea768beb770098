package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rostrum/cmd/bench/house"
	"rostrum/cmd/bench/load"
	"rostrum/cmd/bench/report"
)

func TestFiguresAreDoubtedWhereBenchItselfCouldNotKeepUp(t *testing.T) {
	onTime := make([]time.Duration, 1000)
	late := append([]time.Duration{}, onTime...)
	for i := range 11 { // the 99th percentile is the first that is late
		late[i*90] = 25 * time.Millisecond
	}
	for name, c := range map[string]struct {
		late   []time.Duration
		queued int
		want   string
	}{
		"on time":        {onTime, 0, ""},
		"nothing sent":   {nil, 0, ""},
		"late":           {late, 0, "bench itself was late, in one of a hundred by more than 25ms"},
		"nobody to send": {onTime, 7, "7 of 1000 were due while nobody was free"},
	} {
		var s session
		s.strain("bids", c.late, c.queued)
		if doubts := strings.Join(s.report.Doubts, "\n"); (c.want == "") != (doubts == "") || !strings.Contains(doubts, c.want) {
			t.Errorf("%s: doubts %q, want %q", name, doubts, c.want)
		}
	}
}

func TestDoubtsAreToldToPeopleAndMachines(t *testing.T) {
	var s session
	s.limited("bids", 0)
	s.limited("bids", 3)
	s.limited("bids", 3)
	for name, write := range map[string]func(io.Writer) error{"table": s.report.Write, "JSON": s.report.WriteJSON} {
		var b strings.Builder
		if err := write(&b); err != nil || strings.Count(b.String(), "bids: 3 were answered 429") != 1 {
			t.Errorf("%s: %v, %s", name, err, &b)
		}
	}
	var none strings.Builder
	if err := (report.Report{}).WriteJSON(&none); err != nil || !strings.Contains(none.String(), `"doubts": []`) {
		t.Errorf("without doubts: %v, %s", err, &none)
	}
}

// unwilling measures bids on a house that lets nobody bid more than they did.
func unwilling(t *testing.T, args ...string) (stdout string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lot := `{"id":7,"sellerId":3,"startingPrice":"1.00","currentPrice":"1.00","minIncrement":"0.01","minimumBid":"1.01","status":"OPEN",
			"startTime":"2026-12-01T10:00:00Z","endTime":"2099-12-01T11:00:00Z","version":1,"serverTime":"2026-12-01T10:30:00Z"}`
		switch {
		case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/bids"):
			w.WriteHeader(http.StatusTooManyRequests)
		case r.Method == http.MethodPost:
			w.WriteHeader(http.StatusCreated)
			io.WriteString(w, lot)
		case strings.HasSuffix(r.URL.Path, "/result"):
			w.WriteHeader(http.StatusConflict)
		case r.URL.Path == "/auctions/7":
			io.WriteString(w, lot)
		default:
			io.WriteString(w, `{"items":[],"nextCursor":null}`)
		}
	}))
	defer server.Close()
	tokens := filepath.Join(t.TempDir(), "tokens.csv")
	if err := os.WriteFile(tokens, []byte("email,id,token\na@example.com,4,x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := bench(map[string]string{"ROSTRUM_BENCH_TOKEN": "y"},
		append([]string{"bids", "--url", server.URL, "--tokens", tokens, "--bidders", "1", "--warm", "0s"}, args...)...)
	if code != 0 {
		t.Errorf("exit %d, %s", code, stderr)
	}
	return stdout
}

func TestAHouseThatSlowsItsBiddersDownIsDoubted(t *testing.T) {
	t.Parallel()
	if stdout := unwilling(t, "--rate", "100", "--for", "100ms"); !strings.Contains(stdout, "bids: 10 were answered 429") {
		t.Error(stdout)
	}
}

// A bid takes one bidder longer than the microsecond that there is for each.
func TestTooFewBiddersForTheRateAreDoubted(t *testing.T) {
	t.Parallel()
	if stdout := unwilling(t, "--rate", "1000000", "--for", "500us"); !strings.Contains(stdout, "of 500 were due while nobody was free") {
		t.Error(stdout)
	}
}

func TestAWrongWarmUpIsToldInOneLineAndExits2(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"bids", "spread", "pages"} {
		if code, stdout, stderr := bench(nil, command, "--warm=-1s"); code != 2 || stdout != "" || !strings.Contains(stderr, "--warm -1s is not 0s to 1h") {
			t.Errorf("bench %s --warm=-1s: exit %d, %q, %q", command, code, stdout, stderr)
		}
	}
}

func TestBidsThatWereOvertakenAreToldApartFromThoseThatWereMeantToBeTooLow(t *testing.T) {
	s := session{house: &house.House{}}
	s.bids("bids", load.Plan{For: time.Second}, []load.Shot{
		{Status: 201}, {Status: 409, Low: true}, {Status: 409, Low: true}, {Status: 409}, {Status: 503}, {Status: 0, Low: true}, {Status: 429},
	})
	figures := map[string]float64{}
	for _, line := range s.report.Figures {
		figures[line.Name] = line.Value
	}
	for name, want := range map[string]float64{"bids accepted": 1, "bids refused": 3, "bids overtaken": 1,
		"bids answered 503": 1, "bids not answered": 1, "bids answered otherwise": 1, "bids answered a second": 6} {
		if got, told := figures[name]; !told || got != want {
			t.Errorf("%s: %v, want %v (told: %t)", name, got, want, told)
		}
	}
}
