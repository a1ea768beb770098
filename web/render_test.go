package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"

	"github.com/a-h/templ"
)

func component(text string, err error) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		io.WriteString(w, text)
		return err
	})
}

func TestRenderAnswersWholeOrNotAtAll(t *testing.T) {
	rec := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "/", nil)
	broken := errors.New("broken")
	if err := Render(rec, r, 200, component("half a pa", broken)); !errors.Is(err, broken) || Gone(err) {
		t.Errorf("got %v", err)
	}
	if rec.Body.Len() != 0 || len(rec.Header()) != 0 {
		t.Errorf("written: %q %v", rec.Body, rec.Header())
	}
	page := strings.Repeat("é", keepable)
	if err := Render(rec, r, 422, component(page, nil)); err != nil {
		t.Fatal(err)
	}
	if got := rec.Result(); got.StatusCode != 422 || got.Header.Get("Content-Type") != "text/html; charset=utf-8" ||
		got.Header.Get("Content-Length") != fmt.Sprint(len(page)) || rec.Body.String() != page {
		t.Errorf("got %d %v and %d bytes", got.StatusCode, got.Header, rec.Body.Len())
	}
}

func TestJSONAnswersWholeOrNotAtAll(t *testing.T) {
	rec := httptest.NewRecorder()
	if err := JSON(rec, 200, "application/json", func() {}); err == nil || rec.Body.Len() != 0 || len(rec.Header()) != 0 {
		t.Errorf("got %v, written %q %v", err, rec.Body, rec.Header())
	}
	rec.Header().Set("Cache-Control", "max-age=60")
	if err := JSON(rec, 409, "application/problem+json", map[string]any{"title": "<b> & ü", "price": "10.00"}); err != nil {
		t.Fatal(err)
	}
	want := "{\"price\":\"10.00\",\"title\":\"<b> & ü\"}\n"
	if got := rec.Result(); got.StatusCode != 409 || got.Header.Get("Content-Type") != "application/problem+json" ||
		got.Header.Get("Content-Length") != fmt.Sprint(len(want)) || rec.Body.String() != want {
		t.Errorf("got %d %v %q", got.StatusCode, got.Header, rec.Body)
	}
	if got := rec.Header().Get("Cache-Control"); got != "max-age=60" {
		t.Errorf("the handler's Cache-Control became %q", got)
	}
}

// failing is a writer whose visitor has left.
type failing struct {
	http.ResponseWriter
	err error
}

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestWhoIsGone(t *testing.T) {
	reset := &net.OpError{Op: "write", Err: syscall.ECONNRESET}
	left, stop := context.WithCancel(t.Context())
	stop()
	write := func(err error) error {
		return Render(failing{httptest.NewRecorder(), err}, httptest.NewRequest("GET", "/", nil), 200, component("x", nil))
	}
	for name, test := range map[string]struct {
		err  error
		want bool
	}{
		"nobody":                          {nil, false},
		"the visitor's connection":        {write(reset), true},
		"the visitor's, wrapped":          {fmt.Errorf("page: %w", write(io.ErrClosedPipe)), true},
		"a body where none may be":        {write(http.ErrBodyNotAllowed), false},
		"the database's connection":       {fmt.Errorf("bid: %w", reset), false},
		"the visitor, during a query":     {fmt.Errorf("query: %w", left.Err()), true},
		"nobody: our own deadline":        {context.DeadlineExceeded, false},
		"nobody: half a body of JSON":     {io.ErrUnexpectedEOF, false},
		"the visitor, while it was drawn": {Render(httptest.NewRecorder(), httptest.NewRequestWithContext(left, "GET", "/", nil), 200, component("", left.Err())), true},
	} {
		if got := Gone(test.err); got != test.want {
			t.Errorf("%s: Gone(%v) is %v", name, test.err, got)
		}
	}
}
