package handlers_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"rostrum/handlers"
	"rostrum/store/auction"
	"rostrum/store/storetest"
	"rostrum/web"
)

// BenchmarkBid is a program's bid through all of the house but the sockets. One
// that names somebody else is refused where it would be judged: what it costs,
// each bid costs beside its judging.
//
//	go test ./handlers -run '^$' -bench Bid -benchmem
func BenchmarkBid(b *testing.B) {
	h := storetest.Open(b)
	lot := h.Lot(h.Person(true), time.Hour)
	tokens, err := h.AddTokens(b.Context(), h.Person(false).ID)
	if err != nil {
		b.Fatal(err)
	}
	house := handlers.New(handlers.Options{
		Store: h.Store, Hub: web.NewHub[auction.State](time.Second), Log: slog.New(slog.DiscardHandler), Metrics: http.NotFoundHandler(),
		Currency: h.Currency, BidRate: 1 << 30,
	})
	price := 1000
	for _, c := range []struct {
		name, body string
		status     int
	}{
		{"unjudged", `{"amount": "1010.00", "bidderId": 999999}`, http.StatusForbidden},
		{"too low", `{"amount": "1.00"}`, http.StatusConflict},
		{"accepted", `{"amount": "%d.00"}`, http.StatusCreated},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				body := c.body
				if c.status == http.StatusCreated {
					price += 10
					body = fmt.Sprintf(body, price)
				}
				r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, fmt.Sprintf("/auctions/%d/bids", lot.ID), strings.NewReader(body))
				r.Header.Set("Authorization", "Bearer "+tokens[0])
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Idempotency-Key", auction.NewRequestID().String())
				w := httptest.NewRecorder()
				if house.ServeHTTP(w, r); w.Code != c.status {
					b.Fatalf("%d %s", w.Code, w.Body)
				}
			}
		})
	}
}
