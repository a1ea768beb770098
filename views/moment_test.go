package views_test

import (
	"testing"
	"time"

	"rostrum/views"
)

func TestAMomentOfAnotherYearHasItsYear(t *testing.T) {
	t.Parallel()
	last, first := time.Date(2026, 12, 31, 23, 59, 59, 0, time.UTC), time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	elsewhere := first.In(time.FixedZone("", -5*60*60)) // the old year there
	for _, c := range []struct {
		at, now time.Time
		form    string
		want    string
	}{
		{last, last, "brief", "31 Dec, 23:59:59"},
		{last, last, "short", "31 Dec, 23:59"},
		{last, first, "brief", "31 Dec 2026, 23:59:59"},
		{last, first, "short", "31 Dec 2026, 23:59"},
		{first, last, "brief", "1 Jan 2027, 00:00:00"},
		{first, last, "short", "1 Jan 2027, 00:00"},
		{first, elsewhere, "short", "1 Jan, 00:00"},
		{elsewhere, first, "brief", "1 Jan, 00:00:00"},
	} {
		if got := draw(t, views.NearMoment(c.at, c.now, c.form)).text; got != c.want {
			t.Errorf("%s at %s, %s: %q, want %q", c.at, c.now, c.form, got, c.want)
		}
	}
}

func TestEveryNearMomentKnowsThePresent(t *testing.T) {
	t.Parallel()
	old, later := live(nil), noon.AddDate(1, 0, 0)
	old.State.Now = later
	p := page(ada)
	p.Now = later
	events := []views.EventLine{{ID: 1, CreatedAt: noon, PublishedAt: &noon}}
	for name, drawn := range map[string]*element{
		"the last bids": draw(t, views.LastBids(old)),
		"all bids":      draw(t, views.BidLog(p, 42, "A lot", old.Bids, "")),
		"the chart":     draw(t, views.Chart(old)),
		"its table":     draw(t, views.ChartRows(old)),
		"events":        draw(t, views.EventsPage(p, events, "", "")),
	} {
		times := drawn.all("time")
		if len(times) == 0 {
			t.Errorf("%s: no time", name)
		}
		for _, moment := range times {
			if got := moment.text; got != "30 Nov 2026, 12:00:00" && got != "30 Nov 2026, 11:00" {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
}
