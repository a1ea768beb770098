package auction

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// ErrLocalTime says that a text is no time of a day.
var ErrLocalTime = errors.New("not a time of a day")

// LocalTime is a day and time as a clock on a wall shows it, in a zone. The
// clock may show it once, twice (it was put back over it) or never (it was put
// forward over it).
type LocalTime struct {
	Instants []time.Time // when the clock shows it, in its zone, the earlier first
	Change   ClockChange // where that is not once
}

// ClockChange is the instant at which a zone's clocks are put forward or back.
type ClockChange struct {
	At       time.Time
	From, To time.Time // what the clock shows before and after; as if it were UTC
}

// ParseLocalTime reads what an <input type="datetime-local"> sends, to the
// second. No text in another form is a time.
func ParseLocalTime(text string, zone *time.Location) (LocalTime, error) {
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05"} {
		if wall, err := time.Parse(layout, text); err == nil {
			return showing(wall, zone), nil
		}
	}
	return LocalTime{}, fmt.Errorf("%w: %q", ErrLocalTime, text)
}

// LocalText writes an instant as ParseLocalTime reads it, to the second.
func LocalText(t time.Time, zone *time.Location) string {
	t = t.In(zone)
	if t.Second() == 0 {
		return t.Format("2006-01-02T15:04")
	}
	return t.Format("2006-01-02T15:04:05")
}

// showing looks at every offset that the zone has around a time. No zone is a
// day and a half or more from UTC.
func showing(wall time.Time, zone *time.Location) LocalTime {
	const around = 36 * time.Hour
	var local LocalTime
	for at := wall.Add(-around); at.Before(wall.Add(around)); {
		_, offset := at.In(zone).Zone()
		t := wall.Add(-time.Duration(offset) * time.Second).In(zone)
		if _, its := t.Zone(); its == offset && !slices.ContainsFunc(local.Instants, t.Equal) {
			local.Instants = append(local.Instants, t)
		}
		_, end := at.In(zone).ZoneBounds()
		if end.IsZero() {
			break
		}
		_, next := end.Zone()
		change := ClockChange{At: end, From: shown(end, offset), To: shown(end, next)}
		if change.covers(wall) {
			local.Change = change
		}
		at = end
	}
	slices.SortFunc(local.Instants, time.Time.Compare)
	return local
}

// shown is what a clock with that offset shows, as if it were UTC.
func shown(t time.Time, offset int) time.Time {
	return t.UTC().Add(time.Duration(offset) * time.Second)
}

// covers says whether the change leaves a time out or repeats it.
func (c ClockChange) covers(wall time.Time) bool {
	first, last := c.From, c.To
	if last.Before(first) {
		first, last = last, first
	}
	return !wall.Before(first) && wall.Before(last)
}
