package web

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

func TestEachRequestIsOneLineAndAPanicAnError(t *testing.T) {
	write := func(status int, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status); io.WriteString(w, text) }
	}
	tests := []struct {
		name   string
		h      http.HandlerFunc
		left   bool
		status int    // of the answer
		aborts bool   // the connection is cut
		want   string // the log, as a pattern
	}{
		{name: "an answer", h: write(201, "hello"), status: 201, want: `^level=DEBUG msg=request method=POST path=/a/b status=201 bytes=5 duration=\S+ address=192.0.2.1\n$`},
		{name: "no word is 200", h: func(http.ResponseWriter, *http.Request) {}, status: 200, want: `^level=DEBUG .* status=200 bytes=0 .*\n$`},
		{name: "a refusal at the door", h: write(403, ""), status: 403, want: `^level=INFO .* status=403 .*\n$`},
		{name: "trouble", h: write(503, ""), status: 503, want: `^level=ERROR .* status=503 .*\n$`},
		{name: "the visitor left", left: true, h: func(http.ResponseWriter, *http.Request) {}, status: 200, want: `^level=DEBUG .* status=499 .*\n$`},
		{name: "early hints are no answer", h: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(103); w.WriteHeader(404) },
			status: 103 /* the recorder takes it for one */, want: `^level=DEBUG .* status=404 .*\n$`},
		{name: "a panic", status: 500,
			h: func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Length", "99")
				panic("oh")
			},
			want: `^level=ERROR msg="a handler panicked" method=POST path=/a/b panic=oh stack=.*log_test.go.*\nlevel=ERROR msg=request .* status=500 bytes=5 .*\n$`},
		{name: "a panic in the middle of an answer", status: 200, aborts: true,
			h:    func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "half"); panic("oh") },
			want: `^level=ERROR msg="a handler panicked" .*\nlevel=DEBUG msg=request .* status=200 bytes=4 .*\n$`},
		{name: "an abort", aborts: true, status: 200,
			h: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, want: `^level=ERROR msg=request .* status=500 .*\n$`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var lines bytes.Buffer
			log := slog.New(slog.NewTextHandler(&lines, &slog.HandlerOptions{Level: slog.LevelDebug,
				ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
					if a.Key == slog.TimeKey {
						return slog.Attr{}
					}
					return a
				}}))
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if test.left {
				cancel()
			}
			rec := httptest.NewRecorder()
			var panicked any
			func() {
				defer func() { panicked = recover() }()
				Chain(test.h, Log(log), SecurityHeaders(false), Recover(log, write(500, "sorry"))).
					ServeHTTP(rec, httptest.NewRequestWithContext(ctx, "POST", "/a/b?q=secret", nil))
			}()
			if (panicked == http.ErrAbortHandler) != test.aborts {
				t.Errorf("panicked with %v", panicked)
			}
			if rec.Code != test.status || rec.Header().Get("Content-Length") != "" || rec.Header().Get("X-Frame-Options") == "" {
				t.Errorf("answered %d %v", rec.Code, rec.Header())
			}
			if got := lines.String(); !regexp.MustCompile(test.want).MatchString(got) || strings.Contains(got, "secret") {
				t.Errorf("logged %s", got)
			}
		})
	}
}

func TestChainsFirstIsTheOutermost(t *testing.T) {
	var order []string
	name := func(name string) func(http.Handler) http.Handler {
		return func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				order = append(order, name)
				next.ServeHTTP(w, r)
			})
		}
	}
	Chain(http.NotFoundHandler(), name("a"), name("b"), name("c")).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	if got := strings.Join(order, ""); got != "abc" {
		t.Errorf("order %s", got)
	}
}
