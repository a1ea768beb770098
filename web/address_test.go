package web

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
)

func TestClientAddress(t *testing.T) {
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	tests := []struct {
		name, remote string
		forwarded    []string
		want, key    string
	}{
		{"no proxy", "203.0.113.7:1234", nil, "203.0.113.7", "203.0.113.7"},
		{"a stranger's claim", "203.0.113.7:1234", []string{"198.51.100.1"}, "203.0.113.7", "203.0.113.7"},
		{"behind a proxy", "10.1.1.1:1", []string{"198.51.100.1"}, "198.51.100.1", "198.51.100.1"},
		{"behind two", "10.1.1.1:1", []string{"198.51.100.1, 10.2.2.2"}, "198.51.100.1", "198.51.100.1"},
		{"a claim through a proxy", "10.1.1.1:1", []string{"10.9.9.9, 1.2.3.4, 198.51.100.1"}, "198.51.100.1", "198.51.100.1"},
		{"a claim in a line of its own", "10.1.1.1:1", []string{"1.2.3.4", "198.51.100.1, 10.3.3.3"}, "198.51.100.1", "198.51.100.1"},
		{"nonsense is where it ends", "10.1.1.1:1", []string{"1.2.3.4, unknown, 10.2.2.2"}, "10.2.2.2", "10.2.2.2"},
		{"a proxy that says nothing", "10.1.1.1:1", nil, "10.1.1.1", "10.1.1.1"},
		{"from inside", "10.1.1.1:1", []string{"10.5.5.5"}, "10.5.5.5", "10.5.5.5"},
		{"with a port", "10.1.1.1:1", []string{"198.51.100.1:555"}, "198.51.100.1", "198.51.100.1"},
		{"IPv6", "[2001:db8:1:2:3:4:5:6]:1", nil, "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"},
		{"IPv6 behind IPv6", "[fd00::1%eth0]:1", []string{"[2001:db8:1:2::9]:77"}, "2001:db8:1:2::9", "2001:db8:1:2::/64"},
		{"IPv6 in brackets", "[fd00::1]:1", []string{"[2001:db8:1:2::9]"}, "2001:db8:1:2::9", "2001:db8:1:2::/64"},
		{"IPv4 in IPv6's clothes", "[::ffff:10.1.1.1]:1", []string{"::ffff:198.51.100.1"}, "198.51.100.1", "198.51.100.1"},
		{"a Unix socket", "@", []string{"1.2.3.4"}, "invalid IP", "unknown"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = test.remote
			r.Header["X-Forwarded-For"] = test.forwarded
			ClientAddress(proxies)(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				if got, key := Address(r).String(), AddressKey(r); got != test.want || key != test.key {
					t.Errorf("got %s, key %s, want %s, %s", got, key, test.want, test.key)
				}
			})).ServeHTTP(nil, r)
			if len(test.forwarded) == 0 && Address(r).String() != test.want {
				t.Errorf("without the middleware: %s", Address(r))
			}
		})
	}
}
