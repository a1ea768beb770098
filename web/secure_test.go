package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestSecurityHeadersAreOnEveryAnswer(t *testing.T) {
	for _, https := range []bool{false, true} {
		rec := httptest.NewRecorder()
		SecurityHeaders(https)(http.NotFoundHandler()).ServeHTTP(rec, httptest.NewRequest("GET", "/", nil))
		csp := rec.Header().Get("Content-Security-Policy")
		if !strings.Contains(csp, "default-src 'none'; ") || strings.Contains(csp, "unsafe") || !strings.HasSuffix(csp, "base-uri 'none'") {
			t.Errorf("policy %q", csp)
		}
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "same-origin",
			"Cross-Origin-Opener-Policy": "same-origin",
		} {
			if got := rec.Header().Get(name); got != want {
				t.Errorf("%s: %q", name, got)
			}
		}
		if got := rec.Header().Get("Strict-Transport-Security"); (got != "") != https {
			t.Errorf("https %v: %q", https, got)
		}
	}
}

func TestSameOrigin(t *testing.T) {
	deny := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
	h := SameOrigin([]string{"https://House.example:443/"}, deny)(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	tests := []struct {
		method, site, origin string
		want                 int
	}{
		{"POST", "", "", 200},
		{"POST", "same-origin", "http://inner:8080", 200},
		{"POST", "none", "", 200},
		{"POST", "same-site", "http://shop.inner", 403},
		{"POST", "cross-site", "https://evil.example", 403},
		{"DELETE", "cross-site", "null", 403},
		{"POST", "", "https://evil.example", 403},
		{"POST", "", "http://inner:8080", 200},
		{"POST", "", "https://house.example", 200},
		{"POST", "cross-site", "https://house.example", 200},
		{"GET", "cross-site", "https://evil.example", 200},
	}
	for _, test := range tests {
		r := httptest.NewRequest(test.method, "http://inner:8080/auctions/1/bids", nil)
		if test.site != "" {
			r.Header.Set("Sec-Fetch-Site", test.site)
		}
		if test.origin != "" {
			r.Header.Set("Origin", test.origin)
		}
		rec := httptest.NewRecorder()
		if h.ServeHTTP(rec, r); rec.Code != test.want {
			t.Errorf("%+v: %d", test, rec.Code)
		}
	}
}

func TestOrigin(t *testing.T) {
	for address, want := range map[string]string{
		"https://House.Example/":      "https://house.example",
		"https://house.example:443/a": "https://house.example",
		"http://house.example:80":     "http://house.example",
		"http://house.example:443":    "http://house.example:443",
		"http://[::1]:8080/":          "http://[::1]:8080",
		"HTTPS://house.example":       "https://house.example",
		"house.example":               "", "": "", "/x": "", "ftp://house.example": "", "https://": "", "https://:443": "", "http://a b": "",
	} {
		if got, err := Origin(address); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v, want %q", address, got, err, want)
		}
	}
}

func TestLimitBody(t *testing.T) {
	for body, want := range map[string]bool{"12345": true, "123456": false, "": true} {
		var got error
		LimitBody(5)(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, got = io.ReadAll(r.Body)
		})).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/", strings.NewReader(body)))
		if (got == nil) != want {
			t.Errorf("%q: %v", body, got)
		}
	}
}
