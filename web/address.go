package web

import (
	"context"
	"net/http"
	"net/netip"
	"strings"
)

type addressKey struct{}

// ClientAddress finds out who asks, for Address. X-Forwarded-For is read from the right, each proxy
// having added the address it was called from, and only as long as the proxy itself is trusted: what
// stands further left anybody can have written.
func ClientAddress(trusted []netip.Prefix) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx := context.WithValue(r.Context(), addressKey{}, clientAddress(r, trusted))
			next.ServeHTTP(w, r.WithContext(ctx))
		})
	}
}

func clientAddress(r *http.Request, trusted []netip.Prefix) netip.Addr {
	client := parseAddress(r.RemoteAddr)
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && within(client, trusted); i-- {
		hop := parseAddress(strings.TrimSpace(hops[i]))
		if !hop.IsValid() {
			break
		}
		client = hop
	}
	return client
}

func within(a netip.Addr, prefixes []netip.Prefix) bool {
	for _, p := range prefixes {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// parseAddress reads an address with or without a port; the zero Addr if it is none. An IPv4 address in
// IPv6's clothes is taken for what it is, and a zone is dropped: no prefix contains one.
func parseAddress(text string) netip.Addr {
	a, err := netip.ParseAddr(strings.Trim(text, "[]"))
	if err != nil {
		ap, _ := netip.ParseAddrPort(text)
		a = ap.Addr()
	}
	return a.Unmap().WithZone("")
}

// Address returns the client's address; outside ClientAddress it is the connection's.
func Address(r *http.Request) netip.Addr {
	if a, ok := r.Context().Value(addressKey{}).(netip.Addr); ok {
		return a
	}
	return parseAddress(r.RemoteAddr)
}

// AddressKey returns the key under which a client's address is limited: IPv4 whole, IPv6 by its /64,
// which one customer has to themselves. Unknown addresses share the key "unknown".
func AddressKey(r *http.Request) string {
	a := Address(r)
	switch {
	case !a.IsValid():
		return "unknown"
	case a.Is4():
		return a.String()
	}
	return netip.PrefixFrom(a, 64).Masked().String()
}
