package wire_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rostrum/cmd/bench/wire"
)

const moment = 20 * time.Second // longer than anything here takes

func dial(t *testing.T, url string, timeout time.Duration) *wire.Conn {
	t.Helper()
	c, err := wire.New(url, timeout)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestRequestsArriveAsTheyWereMeantAndShareAConnection(t *testing.T) {
	var conns atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Long", strings.Repeat("x", 1000))
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, "%s %s %s %s %s", r.Method, r.URL, r.Header.Get("Authorization"), r.Header.Get("Content-Type"), body)
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			conns.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	c := dial(t, server.URL, moment)
	for _, want := range []struct {
		method string
		body   []byte
		answer string
	}{
		{"POST", []byte(`{"amount":"1"}`), `POST /a?b=c Bearer x application/json {"amount":"1"}`},
		{"GET", nil, "GET /a?b=c Bearer x  "},
		{"POST", []byte{}, "POST /a?b=c Bearer x application/json "},
	} {
		status, body, err := c.Do(want.method, "/a?b=c", "Authorization: Bearer x\r\n", want.body)
		if err != nil || status != http.StatusCreated || string(body) != want.answer {
			t.Errorf("answered %d %q, %v, want %q", status, body, err, want.answer)
		}
	}
	if conns.Load() != 1 {
		t.Errorf("%d connections for three requests", conns.Load())
	}
}

func TestAnAnswerOfAnyLengthIsReadWhole(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		part := strings.Repeat("0123456789", 1000)
		switch r.URL.Path {
		case "/told":
			w.Header().Set("Content-Length", "30000")
		case "/none":
			w.WriteHeader(http.StatusNoContent)
			return
		}
		for range 3 {
			io.WriteString(w, part)
			w.(http.Flusher).Flush() // chunks where no length is told
		}
	}))
	defer server.Close()
	c := dial(t, server.URL, moment)
	for path, want := range map[string]int{"/told": 30000, "/chunks": 30000, "/none": 0} {
		for range 2 {
			if _, body, err := c.Do("GET", path, "", nil); err != nil || len(body) != want {
				t.Errorf("%s: %d bytes, %v, want %d", path, len(body), err, want)
			}
		}
	}
}

// says answers each connection's first request with a text, and hangs up.
func says(t *testing.T, text string) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			if _, err := conn.Read(make([]byte, 4096)); err != nil {
				t.Error(err)
			}
			io.WriteString(conn, text)
			conn.Close()
		}
	}()
	return "http://" + listener.Addr().String()
}

func TestWhatIsNoWholeAnswerIsAnErrorAndTheNextRequestConnectsAnew(t *testing.T) {
	for _, text := range []string{
		"", "HTTP/1.1", "nonsense\r\n\r\n", "HTTP/1.1 xyz\r\n\r\n", "HTTP/1.1 200 OK\r\nno field\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n123", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
		"HTTP/1.1 200 OK\r\n\r\nwithout a length", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n1234\r\n0\r\n\r\n",
	} {
		c := dial(t, says(t, text), moment)
		for range 2 {
			if status, body, err := c.Do("GET", "/", "", nil); err == nil {
				t.Errorf("%q is read as %d %q", text, status, body)
			}
		}
	}
	c := dial(t, says(t, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"), moment)
	for range 2 {
		if _, body, err := c.Do("GET", "/", "", nil); err != nil || string(body) != "ok" {
			t.Errorf("who says that they will hang up is read as %q, %v", body, err)
		}
	}
}

func TestWhoDoesNotAnswerInTimeIsGivenUp(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") // connects, and never says a word
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	c := dial(t, "http://"+listener.Addr().String(), 10*time.Millisecond)
	if _, _, err := c.Do("GET", "/", "", nil); err == nil {
		t.Error("an answer came from nobody")
	}
}

func TestOnlyPlainHTTPIsSpoken(t *testing.T) {
	for _, url := range []string{"https://127.0.0.1", "127.0.0.1:80", "", "http://"} {
		if _, err := wire.New(url, moment); err == nil {
			t.Errorf("%q is an address", url)
		}
	}
}
