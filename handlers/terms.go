package handlers

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"rostrum/store/auction"
	"rostrum/views"
)

// readTerms reads a lot's terms from a form that was read. stands is the lot as
// it stands where it is edited, nil for a new one.
func (h *house) readTerms(r *http.Request, mistakes auction.Mistakes, stands *auction.Auction) (auction.Listing, views.Times) {
	form := r.PostForm
	t := readTimes(form, mistakes, readZone(r, form, mistakes), stands, h.Store.Now())
	return auction.Listing{
		Title: form.Get("title"), Description: form.Get("description"),
		StartingPrice: h.amount(mistakes, "startingPrice", form.Get("startingPrice"), h.Currency.ParseForm),
		MinIncrement:  h.amount(mistakes, "minIncrement", form.Get("minIncrement"), h.Currency.ParseForm),
		StartTime:     t.start, EndTime: t.end, Lasts: t.lasts,
	}, t.meant
}

// zoneOf is the zone of a person's times as far as the house knows it.
func zoneOf(person *auction.Person) string {
	if person != nil && person.Zone != "" {
		return person.Zone
	}
	return "UTC"
}

// readZone is the zone in which a form's times are meant, which it names.
func readZone(r *http.Request, form url.Values, mistakes auction.Mistakes) *time.Location {
	name := form.Get("zone")
	if name == "" {
		name = zoneOf(reader(r))
	}
	zone, err := time.LoadLocation(name)
	if err != nil || zone == time.Local {
		mistakes["zone"] = "The time zone of your browser is not known here. Please write the times in UTC."
		return time.UTC
	}
	return zone
}

// times are a lot's start and end, or its length, as a form tells them.
type times struct {
	start *time.Time
	end   time.Time
	lasts time.Duration
	meant views.Times
}

// readTimes reads them, and says what they mean to a reader in the zone. Of a
// lot that has started the start stays, and another one is a mistake: its page
// was opened before. A start that is past means now.
func readTimes(form url.Values, mistakes auction.Mistakes, zone *time.Location, stands *auction.Auction, now time.Time) times {
	var t times
	var startStood, endStood *time.Time
	if stands != nil {
		startStood, endStood = &stands.StartTime, &stands.EndTime
	}
	started := stands != nil && stands.State().Phase() != auction.Scheduled
	if text := form.Get("startTime"); text != "" {
		start, meant := localMoment(mistakes, "startTime", text, form.Get("startTurn"), zone, startStood)
		switch {
		case started && !start.Equal(*startStood):
			mistakes["startTime"] = "Bidding started at " + views.InWords(startStood.In(zone)) + " meanwhile: the start cannot be moved any more."
		case started:
		case meant.Said != "" && !start.After(now):
			t.start, t.meant.Start.Said = &start, "This start is past: bidding starts at once."
		default:
			t.start, t.meant.Start = &start, said("Starts", meant)
		}
	}
	length, end := strings.TrimSpace(form.Get("lasts")), form.Get("endTime")
	if end != "" || length == "" {
		t.end, t.meant.End = localMoment(mistakes, "endTime", end, form.Get("endTurn"), zone, endStood)
		t.meant.End = said("Ends", t.meant.End)
	}
	switch untouched := endStood != nil && t.end.Equal(*endStood); {
	case length == "" && end == "":
		delete(mistakes, "endTime")
		mistakes["lasts"] = "Write how long it lasts, or below when it ends."
	case length == "":
	case end != "" && !untouched:
		mistakes["lasts"] = "Write how long it lasts or when it ends, not both."
	default:
		t.lasts, t.end = readLength(mistakes, length, form.Get("unit")), time.Time{}
		t.meant.End = views.Meant{}
		if t.lasts > 0 {
			t.meant.End.Said = endsAfter(t, started, stands, now.In(zone))
		}
	}
	return t
}

// endsAfter says when a lot ends that lasts a length.
func endsAfter(t times, started bool, stands *auction.Auction, now time.Time) string {
	switch zone := now.Location(); {
	case started:
		return "Ends " + views.InWords(stands.StartTime.In(zone).Add(t.lasts)) + "."
	case t.start != nil && t.start.After(now):
		return "Ends " + views.InWords(t.start.In(zone).Add(t.lasts)) + "."
	default:
		return "Put up now, it ends " + views.InWords(now.Add(t.lasts).Truncate(time.Minute)) + "."
	}
}

// readLength reads a number of days or hours. A day is 24 hours, whatever the
// clocks do.
func readLength(mistakes auction.Mistakes, text, unit string) time.Duration {
	n, err := strconv.Atoi(text)
	hours := n
	switch unit {
	case "hours":
	case "days", "":
		hours = n * 24
	default:
		mistakes["lasts"] = "Choose days or hours."
		return 0
	}
	most := int(auction.MaxLasts / time.Hour)
	switch {
	case err != nil || n < 1 || strconv.Itoa(n) != text:
		mistakes["lasts"] = "Write a whole number, such as 7."
		return 0
	case n > most || hours > most:
		mistakes["lasts"] = "A lot lasts ten years at most."
		return 0
	default:
		return time.Duration(hours) * time.Hour
	}
}

// localMoment reads a time in a zone. One that the clocks leave out is refused,
// and of one that they show twice the seller says which is meant. Where the time
// is that of what stands, it is what stands, to the microsecond.
func localMoment(mistakes auction.Mistakes, field, text, turn string, zone *time.Location, stood *time.Time) (time.Time, views.Meant) {
	local, err := auction.ParseLocalTime(text, zone)
	if err != nil {
		mistakes[field] = "Choose a day and a time."
		return time.Time{}, views.Meant{}
	}
	switch len(local.Instants) {
	case 0:
		mistakes[field] = leftOut(local.Change, zone)
		return time.Time{}, views.Meant{}
	case 1:
		t := asItStood(local.Instants[0], stood)
		return t, views.Meant{Said: views.InWords(t.In(zone))}
	}
	first, second := asItStood(local.Instants[0], stood), asItStood(local.Instants[1], stood)
	if turn == "" && stood != nil {
		turn = map[bool]string{true: views.FirstTurn}[first.Equal(*stood)] + map[bool]string{true: views.SecondTurn}[second.Equal(*stood)]
	}
	meant := views.Meant{Twice: []views.Turn{
		{Value: views.FirstTurn, Text: "The first: " + views.InWords(first.In(zone)), Chosen: turn == views.FirstTurn},
		{Value: views.SecondTurn, Text: "The second: " + views.InWords(second.In(zone)), Chosen: turn == views.SecondTurn},
	}}
	switch turn {
	case views.FirstTurn:
		return first, meant
	case views.SecondTurn:
		return second, meant
	default:
		mistakes[field] = "The clocks show this time twice. Choose below which one is meant."
		return time.Time{}, meant
	}
}

func said(verb string, meant views.Meant) views.Meant {
	if meant.Said != "" {
		meant.Said = verb + " " + meant.Said + "."
	}
	return meant
}

// asItStood is an instant, or the one that stands where that differs only in
// what a form does not show.
func asItStood(t time.Time, stood *time.Time) time.Time {
	if stood != nil && stood.Truncate(time.Second).Equal(t) {
		return *stood
	}
	return t
}

// leftOut says what the clocks leave out, and what may be written instead.
func leftOut(c auction.ClockChange, zone *time.Location) string {
	const hour, day = "15:04", "Mon 2 Jan 2006"
	form := hour
	if c.From.Format(day) != c.To.Format(day) {
		form = "15:04 on " + day
	}
	return fmt.Sprintf("In %s the clocks are put forward from %s to %s on %s: there is no such time. Write one before %s, or from %s on.",
		strings.ReplaceAll(zone.String(), "_", " "), c.From.Format(hour), c.To.Format(hour), c.From.Format(day), c.From.Format(form), c.To.Format(form))
}
