package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
)

// socketed opens a socket and runs f on it; how f ended comes out of the channel.
func socketed(origins []string, f func(*Socket) error) (http.Handler, <-chan error) {
	ended := make(chan error, 20)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s, err := OpenSocket(w, r, origins)
		if err != nil {
			return
		}
		err = f(s)
		s.Close("the auction has ended")
		ended <- err
	}), ended
}

func TestASocketSendsInOrderAndSaysFarewell(t *testing.T) {
	h, ended := socketed(nil, func(s *Socket) error {
		var err error
		for i := range 20 {
			err = errors.Join(err, s.Write(fmt.Append(nil, "message ", i)), s.Beat())
		}
		return err
	})
	peer, _, err := websocket.Dial(t.Context(), start(t, h), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		kind, text, err := peer.Read(t.Context())
		if want := fmt.Sprint("message ", i); err != nil || kind != websocket.MessageText || string(text) != want {
			t.Fatalf("got %v %q, %v, want %q", kind, text, err, want)
		}
	}
	_, _, err = peer.Read(t.Context())
	var farewell websocket.CloseError
	if !errors.As(err, &farewell) || farewell.Code != websocket.StatusNormalClosure || farewell.Reason != "the auction has ended" {
		t.Errorf("the end: %v", err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestASocketsContextEndsWithItsPeer(t *testing.T) {
	for name, leave := range map[string]func(*websocket.Conn){
		"a farewell":     func(c *websocket.Conn) { c.Close(websocket.StatusGoingAway, "") },
		"a cut":          func(c *websocket.Conn) { c.CloseNow() },
		"a word from it": func(c *websocket.Conn) { _ = c.Write(context.Background(), websocket.MessageText, []byte("hello")) },
	} {
		t.Run(name, func(t *testing.T) {
			h, ended := socketed(nil, func(s *Socket) error {
				<-s.Context().Done()
				return errors.Join(s.Write([]byte("x")), s.Beat())
			})
			peer, _, err := websocket.Dial(t.Context(), start(t, h), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer peer.CloseNow()
			leave(peer)
			go func() { _, _, _ = peer.Read(t.Context()) }() // so that it answers a farewell
			if err := <-ended; !Gone(err) {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}

func TestASocketIsForOurOwnPages(t *testing.T) {
	h, _ := socketed([]string{"https://house.example", "http://[::1]:8080"}, func(*Socket) error { return nil })
	base := start(t, h)
	for _, test := range []struct {
		origin string
		want   int
	}{
		{"", 101}, {base, 101}, {"https://house.example", 101}, {"https://HOUSE.example", 101}, {"http://[::1]:8080", 101},
		{"http://house.example", 403}, {"https://evil.example", 403}, {"https://house.example.evil.example", 403},
		{"http://::1]:8080", 403}, {"null", 403},
	} {
		header := http.Header{}
		if test.origin != "" {
			header.Set("Origin", test.origin)
		}
		peer, answer, err := websocket.Dial(t.Context(), base, &websocket.DialOptions{HTTPHeader: header})
		if answer == nil || answer.StatusCode != test.want {
			t.Errorf("origin %q: %v, %v, want %d", test.origin, answer, err, test.want)
		}
		if err == nil {
			peer.CloseNow()
		}
	}
}

func TestASilentPeerIsNoticed(t *testing.T) {
	hour := time.Hour
	for name, test := range map[string]struct {
		do   func(s *Socket) error
		want time.Duration // from Open to the end of Close
	}{
		"by the ping it does not answer": {func(s *Socket) error {
			err := s.Beat()
			select {
			case <-s.Context().Done():
			case <-time.After(hour):
			}
			return errors.Join(err, s.Context().Err())
		}, 10 * time.Second},
		"by a write it does not read": {func(s *Socket) error { return s.Write(make([]byte, 100_000)) }, 10 * time.Second},
		"by the farewell":             {func(s *Socket) error { return context.Canceled }, farewell},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				network := newPipes()
				ctx, stop := context.WithCancel(t.Context())
				stopped := make(chan error, 1)
				var began time.Time
				h, ended := socketed(nil, func(s *Socket) error { began = time.Now(); return test.do(s) })
				go func() { stopped <- Serve(ctx, network, around(h), quiet, func() {}) }()
				client := network.client(false)
				peer, _, err := websocket.Dial(t.Context(), "http://house.example", &websocket.DialOptions{HTTPClient: client})
				if err != nil {
					t.Fatal(err)
				}
				if err := <-ended; !Gone(err) {
					t.Errorf("ended with %v", err)
				}
				if took := time.Since(began); took > test.want {
					t.Errorf("noticed after %v, want %v at most", took, test.want)
				}
				peer.CloseNow()
				client.CloseIdleConnections()
				stop()
				if err := <-stopped; err != nil {
					t.Errorf("the server ended with %v", err)
				}
			})
		})
	}
}

// Two hours of beats to a peer that answers them, far beyond each of the server's timeouts.
func TestASocketOutlivesTheServersTimeouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := newPipes()
		ctx, stop := context.WithCancel(t.Context())
		stopped := make(chan error, 1)
		hub := NewHub[string](pace)
		h, ended := socketed(nil, func(s *Socket) error {
			sub := hub.Subscribe("", 1)
			defer sub.Close()
			return sub.Follow(s.Context(), nil, 15*time.Second, Sink[string]{
				Send: func(f *Frame[string]) error { return s.Write([]byte(f.Value)) }, Beat: s.Beat,
			})
		})
		go func() { stopped <- Serve(ctx, network, around(h), quiet, hub.Close) }()
		client := network.client(false)
		peer, _, err := websocket.Dial(t.Context(), "http://house.example", &websocket.DialOptions{HTTPClient: client})
		if err != nil {
			t.Fatal(err)
		}
		heard := make(chan string)
		go func() {
			defer close(heard)
			for {
				_, text, err := peer.Read(context.Background())
				if err != nil {
					heard <- websocket.CloseStatus(err).String()
					return
				}
				heard <- string(text)
			}
		}()
		time.Sleep(2 * time.Hour)
		hub.Publish(1, 1, "news")
		if got := <-heard; got != "news" {
			t.Errorf("heard %q", got)
		}
		stop()
		if got := <-heard; got != websocket.StatusNormalClosure.String() {
			t.Errorf("at the stop it heard %q", got)
		}
		if err := <-ended; err != ErrEnded {
			t.Errorf("ended with %v", err)
		}
		client.CloseIdleConnections()
		if err := <-stopped; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
}
