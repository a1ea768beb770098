package auction_test

import (
	"testing"
	"time"

	"rostrum/store/auction"
)

func TestATimeOfADayIsTheInstantsAtWhichAClockShowsIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		zone, local string
		want        []string // none: no clock shows it
		from, to    string   // of the clock change
	}{
		{"UTC", "2027-03-28T02:30", []string{"2027-03-28T02:30:00Z"}, "", ""},
		{"UTC", "2026-12-02T00:00", []string{"2026-12-02T00:00:00Z"}, "", ""},
		{"Europe/Berlin", "2026-12-02T00:00", []string{"2026-12-01T23:00:00Z"}, "", ""},
		{"Europe/Berlin", "2027-03-28T01:59:59", []string{"2027-03-28T00:59:59Z"}, "", ""},
		{"Europe/Berlin", "2027-03-28T02:00", nil, "02:00", "03:00"},
		{"Europe/Berlin", "2027-03-28T02:59:59", nil, "02:00", "03:00"},
		{"Europe/Berlin", "2027-03-28T03:00", []string{"2027-03-28T01:00:00Z"}, "", ""},
		{"Europe/Berlin", "2027-10-31T01:59:59", []string{"2027-10-30T23:59:59Z"}, "", ""},
		{"Europe/Berlin", "2027-10-31T02:00", []string{"2027-10-31T00:00:00Z", "2027-10-31T01:00:00Z"}, "03:00", "02:00"},
		{"Europe/Berlin", "2027-10-31T02:59:59", []string{"2027-10-31T00:59:59Z", "2027-10-31T01:59:59Z"}, "03:00", "02:00"},
		{"Europe/Berlin", "2027-10-31T03:00", []string{"2027-10-31T02:00:00Z"}, "", ""},
		{"Australia/Lord_Howe", "2027-10-03T01:59", []string{"2027-10-02T15:29:00Z"}, "", ""}, // half an hour only
		{"Australia/Lord_Howe", "2027-10-03T02:00", nil, "02:00", "02:30"},
		{"Australia/Lord_Howe", "2027-10-03T02:29", nil, "02:00", "02:30"},
		{"Australia/Lord_Howe", "2027-10-03T02:30", []string{"2027-10-02T15:30:00Z"}, "", ""},
		{"Australia/Lord_Howe", "2027-04-04T01:29", []string{"2027-04-03T14:29:00Z"}, "", ""},
		{"Australia/Lord_Howe", "2027-04-04T01:30", []string{"2027-04-03T14:30:00Z", "2027-04-03T15:00:00Z"}, "02:00", "01:30"},
		{"Australia/Lord_Howe", "2027-04-04T02:00", []string{"2027-04-03T15:30:00Z"}, "", ""},
		{"America/Sao_Paulo", "2018-11-03T23:59", []string{"2018-11-04T02:59:00Z"}, "", ""},
		{"America/Sao_Paulo", "2018-11-04T00:00", nil, "00:00", "01:00"}, // this day has no midnight
		{"America/Sao_Paulo", "2018-11-04T01:00", []string{"2018-11-04T03:00:00Z"}, "", ""},
		{"America/Sao_Paulo", "2018-02-17T23:00", []string{"2018-02-18T01:00:00Z", "2018-02-18T02:00:00Z"}, "00:00", "23:00"},
		{"Pacific/Apia", "2011-12-30T12:00", nil, "00:00", "00:00"}, // a day that never was
		{"Pacific/Kiritimati", "2027-01-01T00:00", []string{"2026-12-31T10:00:00Z"}, "", ""},
		{"Africa/Monrovia", "1972-01-07T00:00", nil, "00:00", "00:44"},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		local, err := auction.ParseLocalTime(c.local, zone)
		if err != nil || len(local.Instants) != len(c.want) {
			t.Errorf("%s in %s: %v, %v; want %v", c.local, c.zone, local.Instants, err, c.want)
			continue
		}
		for i, instant := range local.Instants {
			if got := instant.UTC().Format(time.RFC3339); got != c.want[i] {
				t.Errorf("%s in %s is %s, want %s", c.local, c.zone, got, c.want[i])
			}
			if back := auction.LocalText(instant, zone); back != c.local {
				t.Errorf("%s in %s comes back as %s", c.local, c.zone, back)
			}
		}
		if from, to := hour(local.Change.From), hour(local.Change.To); c.from != "" && (from != c.from || to != c.to) || c.from == "" && !local.Change.At.IsZero() {
			t.Errorf("%s in %s: the clocks go from %s to %s at %v", c.local, c.zone, from, to, local.Change.At)
		}
	}
}

func hour(t time.Time) string { return t.Format("15:04") }

// Every quarter of an hour of two years, in zones that change their clocks in
// their own ways, is what the clock shows at the instants that it is read as.
func TestEveryInstantIsFoundAgainByWhatTheClockShows(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Europe/Berlin", "Australia/Lord_Howe", "America/New_York", "America/St_Johns", "Asia/Kathmandu", "Africa/Casablanca", "Africa/Cairo", "Antarctica/Troll"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		twice := 0
		for at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() < 2028; at = at.Add(15 * time.Minute) {
			local, err := auction.ParseLocalTime(auction.LocalText(at, zone), zone)
			if err != nil || len(local.Instants) == 0 || len(local.Instants) > 2 {
				t.Fatalf("%v in %s: %v, %v", at, name, local, err)
			}
			if len(local.Instants) == 2 {
				twice++
			}
			if !local.Instants[0].Equal(at) && !local.Instants[len(local.Instants)-1].Equal(at) {
				t.Fatalf("%v in %s is read as %v", at, name, local.Instants)
			}
		}
		if changes := name != "Asia/Kathmandu"; changes != (twice > 0) {
			t.Errorf("%s repeats %d quarters of an hour", name, twice)
		}
	}
}

func TestWhatIsNoTimeOfADay(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "soon", "2026-12-02", "2026-13-02T00:00", "2026-02-30T00:00", "2026-12-02T24:00", "2026-12-02T12:00Z", "2026-12-02 12:00", "99999-01-01T00:00"} {
		if local, err := auction.ParseLocalTime(text, time.UTC); err == nil {
			t.Errorf("%q is %v", text, local)
		}
	}
}
