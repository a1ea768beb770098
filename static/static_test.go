package static_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"rostrum/static"
)

func get(path string) *http.Response {
	recorder := httptest.NewRecorder()
	static.Handler().ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, path, nil))
	return recorder.Result()
}

func TestFilesAreKeptForGoodOnlyAtTheirOwnVersion(t *testing.T) {
	t.Parallel()
	for name, kind := range map[string]string{
		"style.css": "text/css; charset=utf-8", "app.js": "text/javascript; charset=utf-8", "htmx.min.js": "text/javascript; charset=utf-8",
		"hx-sse.min.js": "text/javascript; charset=utf-8", "favicon.svg": "image/svg+xml",
	} {
		answer := get(static.Path(name))
		if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != kind {
			t.Errorf("%s: %d, %s", static.Path(name), answer.StatusCode, answer.Header.Get("Content-Type"))
		}
		if !strings.Contains(answer.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %s", static.Path(name), answer.Header.Get("Cache-Control"))
		}
		for _, path := range []string{"/static/" + name, "/static/" + name + "?v=another"} {
			if keep := get(path).Header.Get("Cache-Control"); keep != "public, max-age=60" {
				t.Errorf("%s: %s", path, keep)
			}
		}
	}
}

func TestNothingElseIsServed(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/static/", "/static/static.go", "/static/vendor.txt", "/static/../go.mod", "/static/nothing.js"} {
		if status := get(path).StatusCode; status != http.StatusNotFound {
			t.Errorf("%s: %d", path, status)
		}
	}
}

func TestFilesAreZippedForWhoTakesThat(t *testing.T) {
	t.Parallel()
	for accept, zipped := range map[string]bool{
		"": false, "gzip": true, "gzip, deflate, br, zstd": true, "br;q=1.0, gzip;q=0.8": true,
		"gzip;q=0": false, "gzip; q=0.000": false, "br": false, "identity": false,
	} {
		r := httptest.NewRequest(http.MethodGet, static.Path("style.css"), nil)
		r.Header.Set("Accept-Encoding", accept)
		w := httptest.NewRecorder()
		static.Handler().ServeHTTP(w, r)
		if got := w.Header().Get("Content-Encoding") == "gzip"; got != zipped {
			t.Errorf("%q: zipped is %v", accept, got)
		}
		if w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: a cache may give the answer to others", accept)
		}
		var body io.Reader = w.Body
		if zipped {
			var err error
			if body, err = gzip.NewReader(w.Body); err != nil {
				t.Fatal(err)
			}
		}
		if text, err := io.ReadAll(body); err != nil || !strings.Contains(string(text), "@layer") {
			t.Errorf("%q: no stylesheet came: %v %.80s", accept, err, text)
		}
	}
}
