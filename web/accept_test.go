package web

import (
	"net/http/httptest"
	"testing"
)

func TestPrefersJSON(t *testing.T) {
	const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
	tests := []struct {
		accept, contentType, authorization string
		want                               bool
	}{
		{"", "", "", false},
		{"", "application/json", "", true},
		{"", "Application/JSON; charset=utf-8", "", true},
		{"", "application/merge-patch+json", "", true},
		{"", "application/x-www-form-urlencoded", "", false},
		{"", "", "Bearer abc", true},
		{"", "", "bearer abc", true},
		{"", "", "Basic abc", false},
		{"*/*", "", "", false},
		{"*/*", "application/json", "", true},
		{"*/*;q=0.5", "", "Bearer abc", true},
		{browser, "", "", false},
		{browser, "application/json", "Bearer abc", false},
		{"application/json", "", "", true},
		{"application/json", "application/x-www-form-urlencoded", "", true},
		{"application/problem+json", "", "", true},
		{"application/json, text/plain, */*", "", "", true},
		{"application/*", "", "", true},
		{"text/*", "application/json", "", false},
		{"text/html", "application/json", "Bearer abc", false},
		{"text/html;q=0.8, application/json", "", "", true},
		{"text/html, application/json;q=0.8", "application/json", "", false},
		{"text/html;q=0.1, application/json;q=0.2", "", "", true},
		{"text/html;q=0, */*", "", "", true},
		{"application/json;q=0, */*", "", "Bearer abc", false},
		{"text/html, application/json", "", "", false},
		{"text/html, application/json", "", "Bearer abc", true},
		{"text/html;level=1;q=0.3, text/html;q=0.7, application/json;q=0.5", "", "", false},
		{"text/event-stream", "", "", false},
		{"nonsense; =, application/json;q=nine, text/html;q=2, ,", "", "", false},
		{"APPLICATION/JSON", "", "", true},
		{"application/json;q=NaN", "", "", false},
	}
	for _, test := range tests {
		r := httptest.NewRequest("POST", "/", nil)
		for name, value := range map[string]string{"Accept": test.accept, "Content-Type": test.contentType, "Authorization": test.authorization} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		if got := PrefersJSON(r); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
	r := httptest.NewRequest("GET", "/", nil)
	r.Header["Accept"] = []string{"text/html;q=0.5", "application/json"}
	if !PrefersJSON(r) {
		t.Error("the second line of Accept was not read")
	}
}

func TestAcceptsHTMLAndIsHTMX(t *testing.T) {
	for accept, want := range map[string]bool{
		"": false, "*/*": false, "text/event-stream": false, "text/html;q=0": false, "text/*": false,
		"text/html": true, "text/html, text/event-stream": true, "text/event-stream, text/html;q=0.1": true,
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept", accept)
		if got := AcceptsHTML(r); got != want {
			t.Errorf("%q: %v", accept, got)
		}
		if IsHTMX(r) {
			t.Error("htmx where there is none")
		}
		r.Header.Set("HX-Request", "true")
		if !IsHTMX(r) {
			t.Error("no htmx")
		}
	}
}
