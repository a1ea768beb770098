package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestEventEncoding(t *testing.T) {
	tests := []struct{ name, id, data, want string }{
		{"", "", "hello", "data: hello\n\n"},
		{"price", "7", `{"a":1}`, "event: price\nid: 7\ndata: {\"a\":1}\n\n"},
		{"", "7", "one\ntwo\r\nthree\rfour", "id: 7\ndata: one\ndata: two\ndata: three\ndata: four\n\n"},
		{"", "", "a\n\nb\n", "data: a\ndata: \ndata: b\ndata: \n\n"},
		{"", "", "a\r\n\r\nb\r\rc", "data: a\ndata: \ndata: b\ndata: \ndata: c\n\n"},
		{"closed", "", "", "event: closed\ndata: \n\n"},
		{"", "", " led: x", "data:  led: x\n\n"},
	}
	for _, test := range tests {
		if got := string(Event(test.name, test.id, []byte(test.data))); got != test.want {
			t.Errorf("%q: got %q, want %q", test.data, got, test.want)
		}
	}
	for _, forged := range [][2]string{{"a\nid: 9", ""}, {"", "1\rdata: x"}, {"", "1\x00"}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q was encoded", forged)
				}
			}()
			Event(forged[0], forged[1], nil)
		}()
	}
}

// Each event is asked for when the one before has been read: none may be kept back on the way.
func TestAStreamIsFlushedEventByEvent(t *testing.T) {
	next := make(chan struct{})
	ended := make(chan error, 1)
	base := start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s, err := OpenStream(w, r)
		if err != nil {
			ended <- err
			return
		}
		s.Run(r, func(ctx context.Context) {
			var err error
			for i := 0; err == nil; i++ {
				select {
				case <-next:
					err = s.Write(Chunk(Event("price", fmt.Sprint(i), []byte("x"))))
				case <-ctx.Done():
					err = ctx.Err()
				}
			}
			ended <- err
		})
	}))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, _ := http.NewRequestWithContext(ctx, "GET", base, nil)
	answer, err := http.DefaultClient.Do(r) // returns before the first event: the headers come at once
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	for name, want := range map[string]string{
		"Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-cache, no-transform",
		"X-Accel-Buffering": "no", "X-Content-Type-Options": "nosniff", "Content-Length": "",
	} {
		if got := answer.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	all := events(answer.Body)
	for i := range 20 {
		next <- struct{}{}
		if got, want := <-all, fmt.Sprintf("event: price\nid: %d\ndata: x", i); got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
	cancel() // the visitor leaves
	if err := <-ended; !Gone(err) {
		t.Errorf("the handler ended with %v", err)
	}
}

// An hour of beats and news, far beyond each of the server's timeouts; then the server stops.
func TestAStreamOutlivesTheServersTimeoutsAndEndsBeforeTheServer(t *testing.T) {
	for _, http2 := range []bool{false, true} {
		t.Run(fmt.Sprint("http2 ", http2), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				hub := NewHub[string](pace)
				network := newPipes()
				ctx, stop := context.WithCancel(t.Context())
				stopped := make(chan error, 1)
				followed := make(chan error, 1)
				go func() {
					stopped <- Serve(ctx, network, around(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						sub := hub.Subscribe("", 1)
						s, err := OpenStream(w, r)
						if err != nil {
							followed <- err
							return
						}
						s.Run(r, func(ctx context.Context) {
							defer sub.Close()
							followed <- sub.Follow(ctx, nil, 15*time.Second, Sink[string]{Beat: s.Beat, Send: func(f *Frame[string]) error {
								return s.Write(Chunk(Event("", fmt.Sprint(f.Version), []byte(f.Value))))
							}})
						})
					})), quiet, hub.Close)
				}()
				client := network.client(http2)
				answer, err := client.Get("http://house.example/")
				if err != nil {
					t.Fatal(err)
				}
				if answer.ProtoMajor == 2 != http2 {
					t.Errorf("spoken: %s", answer.Proto)
				}
				all := events(answer.Body)
				for i := range 240 {
					if got := <-all; got != ": beat" {
						t.Fatalf("beat %d: got %q", i, got)
					}
				}
				hub.Publish(1, 5, "news")
				if got := <-all; got != "id: 5\ndata: news" {
					t.Fatalf("got %q", got)
				}
				began := time.Now()
				stop()
				if event, more := <-all; more {
					t.Errorf("after the stop: %q", event)
				}
				if err := <-followed; err != ErrEnded {
					t.Errorf("the stream ended with %v", err)
				}
				client.CloseIdleConnections()
				if err := <-stopped; err != nil {
					t.Errorf("the server ended with %v", err)
				}
				if took := time.Since(began); took > 2*time.Second {
					t.Errorf("the stop took %v", took)
				}
			})
		})
	}
}

func TestAReaderWhoDoesNotReadIsCutOff(t *testing.T) {
	for _, http2 := range []bool{false, true} {
		t.Run(fmt.Sprint("http2 ", http2), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				network := newPipes()
				ctx, stop := context.WithCancel(t.Context())
				stopped := make(chan error, 1)
				cut := make(chan error, 1)
				var blocked time.Duration
				go func() {
					stopped <- Serve(ctx, network, around(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						s, err := OpenStream(w, r)
						if err != nil {
							cut <- err
							return
						}
						s.Run(r, func(context.Context) {
							var err error
							for err == nil {
								began := time.Now()
								err = s.Write(Chunk(Event("", "", []byte(strings.Repeat("x", 100_000)))))
								blocked = time.Since(began)
							}
							cut <- err
						})
					})), quiet, func() {})
				}()
				client := network.client(http2)
				answer, err := client.Get("http://house.example/")
				if err != nil {
					t.Fatal(err)
				}
				if err := <-cut; !Gone(err) || blocked != patience {
					t.Errorf("ended with %v after %v", err, blocked)
				}
				answer.Body.Close()
				client.CloseIdleConnections()
				stop()
				if err := <-stopped; err != nil {
					t.Errorf("the server ended with %v", err)
				}
			})
		})
	}
}

// deaf is a writer without a connection below.
type deaf struct{ http.ResponseWriter }

func TestWhatCannotStreamIsRefusedAndARecorderCan(t *testing.T) {
	if _, err := OpenStream(deaf{httptest.NewRecorder()}, httptest.NewRequest("GET", "/", nil)); !errors.Is(err, http.ErrNotSupported) || Gone(err) {
		t.Errorf("got %v", err)
	}
	rec := httptest.NewRecorder()
	s, err := OpenStream(rec, httptest.NewRequest("GET", "/", nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Write(Chunk(Event("", "", []byte("x")))), s.Beat()); err != nil || rec.Body.String() != "data: x\n\n: beat\n\n" {
		t.Errorf("got %q, %v", rec.Body, err)
	}
}
