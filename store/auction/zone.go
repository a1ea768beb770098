package auction

import (
	_ "embed"
	"slices"
	"strings"
	"time"
)

// zones.txt has the zones that a person may choose: those of the IANA time zone
// database's zone.tab, which has a name for each country, and UTC; one a line,
// behind it the older names that browsers still call it by.
//
//go:embed zones.txt
var zoneLines string

// Zone is a time zone that a person may choose.
type Zone struct {
	Name  string   // of the IANA database, "Asia/Kolkata"
	Older []string // other names of the same, "Asia/Calcutta"
}

// Zones are the zones that a person may choose, in the order of their names.
// They are the house's own list: that of the machine may be another one.
func Zones() []Zone {
	var zones []Zone
	for line := range strings.Lines(zoneLines) {
		names := strings.Fields(line)
		zones = append(zones, Zone{names[0], names[1:]})
	}
	return zones
}

// KnownZone says whether a person may choose this zone and the house can tell
// time in it. "" is that of their browser.
func KnownZone(name string) bool {
	if name == "" {
		return true
	}
	_, err := time.LoadLocation(name)
	return err == nil && slices.ContainsFunc(Zones(), func(z Zone) bool { return z.Name == name })
}
