package web

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// serving runs f with a server on a network in memory, and stops it; it returns how long the stop took.
func serving(t *testing.T, h http.HandlerFunc, ending func(), f func(network *pipes, stop func())) (took time.Duration) {
	t.Helper()
	network := newPipes()
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- Serve(ctx, network, h, quiet, ending) }()
	var began time.Time
	f(network, func() { began = time.Now(); cancel() })
	if err := <-stopped; err != nil {
		t.Errorf("the server ended with %v", err)
	}
	return time.Since(began)
}

func TestARequestUnderWayIsAnsweredAtTheStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		arrived := make(chan struct{})
		endings := 0
		h := func(w http.ResponseWriter, r *http.Request) {
			close(arrived)
			time.Sleep(3 * time.Second)
			io.WriteString(w, "accepted")
		}
		took := serving(t, h, func() { endings++ }, func(network *pipes, stop func()) {
			client := network.client(false)
			answered := make(chan string, 1)
			go func() {
				answer, err := client.Post("http://house.example/", "text/plain", strings.NewReader("bid"))
				if err != nil {
					answered <- err.Error()
					return
				}
				body, _ := io.ReadAll(answer.Body)
				answered <- string(body)
			}()
			<-arrived
			stop()
			if got := <-answered; got != "accepted" {
				t.Errorf("answered %q", got)
			}
			if _, err := client.Get("http://house.example/"); err == nil {
				t.Error("a request was taken after the stop")
			}
		})
		if took > 4*time.Second || endings != 1 {
			t.Errorf("the stop took %v, ending was called %d times", took, endings)
		}
	})
}

func TestWhatDoesNotEndIsCutOffInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		arrived, ended := make(chan struct{}), make(chan struct{})
		h := func(w http.ResponseWriter, r *http.Request) {
			defer close(ended)
			close(arrived)
			<-r.Context().Done() // a stream that nobody ends
		}
		took := serving(t, h, func() {}, func(network *pipes, stop func()) {
			cut := make(chan error, 1)
			go func() {
				_, err := network.client(false).Get("http://house.example/")
				cut <- err
			}()
			<-arrived
			stop()
			if <-cut == nil {
				t.Error("the request was answered")
			}
			<-ended
		})
		if took > grace {
			t.Errorf("the stop took %v", took)
		}
	})
}

func TestAConnectionOpenedAheadDoesNotHoldUpTheStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ahead net.Conn
		took := serving(t, func(http.ResponseWriter, *http.Request) {}, func() {}, func(network *pipes, stop func()) {
			ahead, _ = network.dial(t.Context(), "", "")
			client := network.client(false)
			answer, err := client.Get("http://house.example/") // and one that was used and waits
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			synctest.Wait()
			stop()
		})
		if took > time.Second {
			t.Errorf("the stop took %v", took)
		}
		if _, err := ahead.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("the connection ended with %v", err)
		}
	})
}

func TestWhoSendsTooSlowlyOrTooMuchIsSentAway(t *testing.T) {
	for name, test := range map[string]struct {
		send string
		want string
		by   time.Duration
	}{
		"a head that never ends": {"GET / HTTP/1.1\r\nHost: a\r\n", "", 5 * time.Second},
		"a body that never ends": {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n123", "HTTP/1.1 408 ", 30 * time.Second},
		"too large a head":       {"GET / HTTP/1.1\r\nHost: a\r\nX: " + strings.Repeat("x", 80<<10) + "\r\n\r\n", "HTTP/1.1 431 ", 0},
		"silence":                {"", "", 5 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := func(w http.ResponseWriter, r *http.Request) {
					if _, err := io.ReadAll(r.Body); err != nil {
						w.WriteHeader(http.StatusRequestTimeout)
					}
				}
				serving(t, h, func() {}, func(network *pipes, stop func()) {
					began := time.Now()
					conn, _ := network.dial(t.Context(), "", "")
					go io.WriteString(conn, test.send)
					got, _ := io.ReadAll(conn)
					if !strings.HasPrefix(string(got), test.want) || test.want == "" && len(got) > 0 {
						t.Errorf("answered %q, want %q", got, test.want)
					}
					if took := time.Since(began); took > test.by+time.Second {
						t.Errorf("took %v, want %v", took, test.by)
					}
					conn.Close()
					stop()
				})
			})
		})
	}
}

func TestABrokenListenerIsAnError(t *testing.T) {
	network := newPipes()
	network.Close()
	ended := false
	err := Serve(t.Context(), network, http.NotFoundHandler(), quiet, func() { ended = true })
	if !errors.Is(err, net.ErrClosed) || !ended {
		t.Errorf("got %v; streams ended: %v", err, ended)
	}
}

func TestTheStopWaitsForSocketsToSayFarewell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		arrived, ended := make(chan struct{}), make(chan struct{})
		said := false
		h := func(w http.ResponseWriter, r *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
			}
			defer conn.Close()
			close(arrived)
			<-ended
			time.Sleep(time.Second)
			said = true
		}
		took := serving(t, h, func() { close(ended) }, func(network *pipes, stop func()) {
			conn, _ := network.dial(t.Context(), "", "")
			go io.WriteString(conn, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
			<-arrived
			stop()
		})
		if !said || took > 2*time.Second {
			t.Errorf("farewell said: %v, after %v", said, took)
		}
	})
}
