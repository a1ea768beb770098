package static_test

import (
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
