package web

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
)

// policy lets a page use what this house serves and nothing else: no inline script or style, no eval.
// A live stream or socket of the same host is 'self' too.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"font-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// SecurityHeaders sets the headers that every answer carries. https says that the house's public address
// is https: only then browsers are told never to come without it again (for half a year).
func SecurityHeaders(https bool) func(http.Handler) http.Handler {
	header := http.Header{}
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Frame-Options", "DENY")
	header.Set("Referrer-Policy", "same-origin")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	if https {
		header.Set("Strict-Transport-Security", "max-age=15552000")
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			maps.Copy(w.Header(), header)
			next.ServeHTTP(w, r)
		})
	}
}

// SameOrigin lets deny answer each write that a browser marks as coming from another site. The public
// address behind a proxy that changes Host must be among trusted; one that is no address panics.
// Requests by programs carry no such mark and pass; GET, HEAD and OPTIONS pass always.
func SameOrigin(trusted []string, deny http.Handler) func(http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	for _, address := range trusted {
		origin, err := Origin(address)
		if err == nil {
			err = protection.AddTrustedOrigin(origin)
		}
		if err != nil {
			panic(fmt.Sprintf("web: %v", err))
		}
	}
	protection.SetDenyHandler(deny)
	return protection.Handler
}

// Origin returns the origin of an http or https address in the one spelling that browsers use: lower
// case, no path, no default port.
func Origin(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return "", fmt.Errorf("%q is not an address like https://house.example", address)
	}
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return "", fmt.Errorf("%q is not an http or https address", address)
	case port == "", u.Scheme == "http" && port == "80", u.Scheme == "https" && port == "443":
		return u.Scheme + "://" + host, nil
	}
	return u.Scheme + "://" + host + ":" + port, nil
}
