package main

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// line is the line between a browser and a house: it can cut streams, let no
// new ones through, lead to a house that moved, be slow with one file, and
// bring one page by halves.
type line struct {
	*httptest.Server

	mu      sync.Mutex
	to      *url.URL
	down    bool
	slow    string          // part of the path of what comes half a second late
	half    string          // part of the address of what comes by halves
	rest    <-chan struct{} // closed: the other half comes too
	cut     context.Context // ended: the streams under way are cut
	cutNow  context.CancelFunc
	refused int           // streams since the line went down
	flows   chan struct{} // closed, unless the line is dead without a word
}

// lineTo opens a line to a house.
func lineTo(t *testing.T, h *house) *line {
	t.Helper()
	l := &line{}
	l.thaw()
	l.leadTo(t, h)
	l.cut, l.cutNow = context.WithCancel(context.Background())
	l.Server = httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			l.mu.Lock()
			defer l.mu.Unlock()
			r.SetURL(l.to)
			r.Out.Host = r.In.Host
		},
		FlushInterval: -1,
		Transport:     &http.Transport{DisableKeepAlives: true, DisableCompression: true},
		ErrorHandler:  func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
		ErrorLog:      log.New(io.Discard, "", 0),
	})
	inner := l.Config.Handler
	l.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isStream(r.URL.Path) {
			ctx, err := l.stream(r.Context())
			if err != nil {
				panic(http.ErrAbortHandler) // the connection breaks without an answer
			}
			r = r.WithContext(ctx)
			w = frozen{w, r, l}
			l.wait(r)
		}
		if l.isSlow(r.URL.Path) {
			<-time.After(500 * time.Millisecond)
		}
		if rest := l.halves(r.URL.RequestURI()); rest != nil {
			w = halved{w, r, rest}
		}
		inner.ServeHTTP(w, r)
	})
	t.Cleanup(func() {
		l.thaw()
		l.goDown()
		l.Close()
	})
	return l
}

func (l *line) leadTo(t *testing.T, h *house) {
	t.Helper()
	to, err := url.Parse(h.url)
	must(t, err)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.to = to
}

// stream lets a stream through until it is cut.
func (l *line) stream(ctx context.Context) (context.Context, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.down {
		l.refused++
		return nil, errors.New("the line is down")
	}
	ctx, cancel := context.WithCancel(ctx)
	context.AfterFunc(l.cut, cancel)
	return ctx, nil
}

// goDown cuts all streams and lets none through.
func (l *line) goDown() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.down, l.refused = true, 0
	l.cutNow()
}

func (l *line) comeBack() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.down = false
	l.cut, l.cutNow = context.WithCancel(context.Background())
}

// freeze lets the streams stand open and nothing through them, as a network
// does that lost its way.
func (l *line) freeze() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flows = make(chan struct{})
}

func (l *line) thaw() {
	l.mu.Lock()
	defer l.mu.Unlock()
	open := make(chan struct{})
	close(open)
	if l.flows != nil {
		select {
		case <-l.flows:
		default:
			close(l.flows)
		}
	}
	l.flows = open
}

// wait waits until the line is not frozen.
func (l *line) wait(r *http.Request) {
	l.mu.Lock()
	flows := l.flows
	l.mu.Unlock()
	select {
	case <-flows:
	case <-r.Context().Done():
	}
}

// frozen writes when the line is not.
type frozen struct {
	http.ResponseWriter
	r *http.Request
	l *line
}

func (f frozen) Write(b []byte) (int, error) {
	f.l.wait(f.r)
	return f.ResponseWriter.Write(b)
}

func (f frozen) Unwrap() http.ResponseWriter { return f.ResponseWriter }

// slowWith makes everything whose path has that part come late.
func (l *line) slowWith(part string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.slow = part
}

func (l *line) isSlow(path string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.slow != "" && strings.Contains(path, l.slow)
}

// halve brings only the first half of everything whose address has that part,
// and the other when it is let go.
func (l *line) halve(part string) (letGo func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	rest := make(chan struct{})
	l.half, l.rest = part, rest
	return func() { close(rest) }
}

// halves is what the second half of an address waits for, nil for nothing.
func (l *line) halves(address string) <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.half == "" || !strings.Contains(address, l.half) {
		return nil
	}
	return l.rest
}

// halved writes by halves.
type halved struct {
	http.ResponseWriter
	r    *http.Request
	rest <-chan struct{}
}

func (h halved) Write(b []byte) (int, error) {
	n, err := h.ResponseWriter.Write(b[:len(b)/2])
	if err == nil {
		err = http.NewResponseController(h.ResponseWriter).Flush()
	}
	if err != nil {
		return n, err
	}
	select {
	case <-h.rest:
	case <-h.r.Context().Done():
	}
	more, err := h.ResponseWriter.Write(b[len(b)/2:])
	return n + more, err
}

func (h halved) Unwrap() http.ResponseWriter { return h.ResponseWriter }

// tries counts the streams that were refused since the line went down.
func (l *line) tries() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.refused
}
