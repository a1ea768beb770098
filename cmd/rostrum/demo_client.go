package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"rostrum/store/auction"
)

// shownLot is what a bot reads of a lot in JSON.
type shownLot struct {
	ID, SellerID                   int64
	LeaderID                       *int64
	Currency                       string
	StartingPrice, MinIncrement    string
	MinimumBid                     string
	StartTime, EndTime, ServerTime time.Time
	currency                       auction.Currency
	start, step, floor             auction.Money
}

// read understands the amounts.
func (l *shownLot) read() (err error) {
	if l.currency, err = auction.NewCurrency(l.Currency); err != nil {
		return err
	}
	var err1, err2, err3 error
	l.start, err1 = l.currency.Parse(l.StartingPrice)
	l.step, err2 = l.currency.Parse(l.MinIncrement)
	l.floor, err3 = l.currency.Parse(l.MinimumBid)
	return errors.Join(err1, err2, err3)
}

// left is how long the lot was still open when it was read, by the house's clock.
func (l shownLot) left() time.Duration { return l.EndTime.Sub(l.ServerTime) }

// answer is what the house said: a status, 0 where there was no answer, and
// how long to leave the house alone.
type answer struct {
	status int
	wait   time.Duration
}

// call sends a request and reads the answer's JSON. Every answer that asks for
// patience has a wait, and so has none at all.
func (b *bot) call(ctx context.Context, method, path string, headers, body map[string]string, into any) answer {
	status, wait, err := b.exchange(ctx, method, path, headers, body, into)
	if err != nil {
		return answer{wait: impatience}
	}
	return answer{status, wait}
}

func (b *bot) exchange(ctx context.Context, method, path string, headers, body map[string]string, into any) (status int, wait time.Duration, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return 0, 0, err
	}
	request, err := http.NewRequestWithContext(ctx, method, b.crowd.url+path, bytes.NewReader(text))
	if err != nil {
		return 0, 0, err
	}
	request.Header.Set("Authorization", "Bearer "+b.token)
	request.Header.Set("Accept", "application/json")
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/json")
	}
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := b.crowd.client.Do(request)
	if err != nil {
		return 0, 0, err
	}
	defer response.Body.Close()
	status = response.StatusCode
	if status == http.StatusTooManyRequests || status >= 500 { // a proxy's 502 too
		return status, retryAfter(response), nil
	}
	return status, 0, json.NewDecoder(io.LimitReader(response.Body, 4<<20)).Decode(into)
}

// retryAfter is how long an answer asks to wait, and a moment where it does not say.
func retryAfter(response *http.Response) time.Duration {
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	if err != nil || seconds < 1 {
		return impatience
	}
	return time.Duration(seconds) * time.Second
}

// answers says whether a house is open at this address.
func answers(ctx context.Context, url string) bool {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/healthz", nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	return response.StatusCode == http.StatusOK
}
