package main

import (
	"fmt"
	"testing"
	"time"
)

// The page's script writes moments as the server does, in the viewer's zone:
// the year that goes without saying is that zone's.
func TestBrowserTellsTheYearOfAMomentOfAnotherYear(t *testing.T) {
	browserTest(t)
	h := open(t, time.Second)
	lot := h.lot(h.add("Sam Seller", "--seller"), "Silver vase", time.Hour)
	for _, c := range []struct{ zone, now, at, brief, short string }{
		{"UTC", "2026-12-31T23:59:59Z", "2026-12-31T23:59:59Z", "31 Dec, 23:59:59", "31 Dec, 23:59"},
		{"UTC", "2027-01-01T00:00:00Z", "2026-12-31T23:59:59Z", "31 Dec 2026, 23:59:59", "31 Dec 2026, 23:59"},
		{"UTC", "2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z", "1 Jan 2027, 00:00:00", "1 Jan 2027, 00:00"},
		{"Asia/Tokyo", "2026-12-31T15:00:00Z", "2026-12-31T14:59:59Z", "31 Dec 2026, 23:59:59", "31 Dec 2026, 23:59"},
		{"Asia/Tokyo", "2026-12-31T15:00:00Z", "2026-12-31T15:00:00Z", "1 Jan, 00:00:00", "1 Jan, 00:00"},
		{"America/New_York", "2027-01-01T04:59:00Z", "2026-12-31T00:00:00Z", "30 Dec, 19:00:00", "30 Dec, 19:00"},
		{"America/New_York", "2027-01-01T05:00:00Z", "2027-01-01T04:59:59Z", "31 Dec 2026, 23:59:59", "31 Dec 2026, 23:59"},
	} {
		b := h.tab("A viewer in "+c.zone, h.url)
		b.zone(c.zone)
		b.open(lot)
		b.ready("#chart time")
		for form, want := range map[string]string{"brief": c.brief, "short": c.short} {
			got := eval[string](b, fmt.Sprintf(`(() => {
				const time = document.createElement("time"), root = document.createElement("p");
				[time.dateTime, time.dataset.form] = [%s, %s];
				root.append(time);
				const right = ahead;
				ahead = Date.parse(%s) - performance.now();
				localise(root);
				ahead = right;
				return root.textContent;
			})()`, quote(c.at), quote(form), quote(c.now)))
			if got != want {
				t.Errorf("%s at %s in %s, %s: %q, want %q", c.at, c.now, c.zone, form, got, want)
			}
		}
	}
}
