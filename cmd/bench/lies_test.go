package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"rostrum/cmd/bench/house"
)

// A house that runs already, with somebody before it who changes what it says.
func TestALyingHouseFailsTheAudit(t *testing.T) {
	t.Parallel()
	h, err := house.Start(t.Context(), house.Options{Bin: bin(t), Instances: 1, SoftClose: time.Minute, Log: &troubles{to: os.Stderr}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err := h.People(4); err != nil {
		t.Fatal(err)
	}
	csv := "email,id,token\n"
	for i, person := range h.Bidders {
		csv += fmt.Sprintf("%d@example.com,%d,%s\n", i, person.ID, person.Token)
	}
	tokens := filepath.Join(t.TempDir(), "tokens.csv")
	if err := os.WriteFile(tokens, []byte(csv), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		path     string // which answers are changed, "" for none
		old, new string
		want     string
	}{
		"none":              {"", "", "", ""},
		"a leader":          {`GET /auctions/\d+$`, `"leaderId":\d+`, `"leaderId":1`, "the leader is 1,"},
		"a price":           {`GET /auctions/\d+$`, `("(?:currentPrice|minimumBid)"):"\d+\.`, `$1:"77.`, "the price is 77."},
		"a log's amount":    {`GET /auctions/\d+/bids$`, `"amount":"1\.05"`, `"amount":"1.03"`, "less than the"},
		"a log's bidder":    {`GET /auctions/\d+/bids$`, `"bidderId":\d+`, `"bidderId":1`, "is not in the log as they were told"},
		"an event too many": {`GET /admin/events$`, `"bids-accepted"`, `"auction-closed"`, "closing events"},
		"a retry's version": {`POST /auctions/\d+/bids$`, `"code":"idempotency_key_reused"`, `"code":"price_too_low","currentPrice":"1.00","minimumBid":"1.01"`, "it names no version"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := bench(map[string]string{"ROSTRUM_BENCH_TOKEN": h.Seller.Token},
				"bids", "--url", liar(t, h.URLs[0], c.path, c.old, c.new), "--tokens", tokens, "--soft-close", "1m",
				"--bidders", "4", "--rate", "50", "--for", "400ms", "--warm", "0s")
			switch {
			case c.path == "" && (code != 0 || !strings.Contains(stdout, "nothing is wrong in the books")):
				t.Errorf("an honest house: exit %d, %s\n%s", code, stderr, stdout)
			case c.path != "" && (code != 1 || !strings.Contains(stderr, "the audit failed") || !strings.Contains(stdout, c.want)):
				t.Errorf("exit %d, want 1 and %q: %s\n%s", code, c.want, stderr, stdout)
			}
		})
	}
}

// liar stands before a house and changes the answers to some requests.
func liar(t *testing.T, to, path, old, new string) string {
	target, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	lied, told := regexp.MustCompile(path), regexp.MustCompile(old)
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.ModifyResponse = func(r *http.Response) error {
		if path == "" || !lied.MatchString(r.Request.Method+" "+r.Request.URL.Path) {
			return nil
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		body = told.ReplaceAll(body, []byte(new))
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Set("Content-Length", strconv.Itoa(len(body)))
		return nil
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	return server.URL
}
