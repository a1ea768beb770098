package web

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
)

var quiet = slog.New(slog.DiscardHandler)

// around is the house's middleware, so that streams are tried through all of it.
func around(h http.Handler) http.Handler {
	return Chain(h, ClientAddress(nil), Log(quiet), SecurityHeaders(false),
		Recover(quiet, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }),
		SameOrigin(nil, http.NotFoundHandler()), LimitBody(1<<20))
}

// start serves a handler on this machine until the test ends.
func start(t *testing.T, h http.Handler) (base string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, listener, around(h), quiet, func() {}) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return "http://" + listener.Addr().String()
}

// pipes is a network in memory: with it a server and its clients live in a synctest bubble, where minutes
// pass at once. Nothing is buffered in between: who does not read blocks the writer.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	select {
	case <-p.closed:
	default:
		close(p.closed)
	}
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.conns <- server:
		return client, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// client speaks over the pipes, by HTTP/2 in the clear or by HTTP/1.1.
func (p *pipes) client(http2 bool) *http.Client {
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(http2)
	protocols.SetHTTP1(!http2)
	return &http.Client{Transport: &http.Transport{DialContext: p.dial, Protocols: protocols}}
}

// events reads a stream's events, each without its empty line; the channel closes at the stream's end.
func events(body io.Reader) <-chan string {
	all := make(chan string)
	go func() {
		defer close(all)
		var event []string
		for lines := bufio.NewScanner(body); lines.Scan(); {
			if lines.Text() != "" {
				event = append(event, lines.Text())
				continue
			}
			all <- strings.Join(event, "\n")
			event = nil
		}
	}()
	return all
}
