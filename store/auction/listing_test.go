package auction_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"rostrum/store/auction"
)

func TestTheMistakesInAListingAreToldAtTheirFields(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name   string
		change func(*auction.Listing)
		fields []string
	}{
		{"nothing wrong", func(*auction.Listing) {}, nil},
		{"no title", func(l *auction.Listing) { l.Title = "" }, []string{"title"}},
		{"a title of blanks", func(l *auction.Listing) { l.Title = " \t\u00a0" }, []string{"title"}},
		{"a first bid that could not be written", func(l *auction.Listing) { l.StartingPrice = money(t, "999999999990") }, []string{"startingPrice"}},
		{"the highest first bid", func(l *auction.Listing) { l.StartingPrice = money(t, "999999999989.99") }, nil},
		{"a title of Hangul fillers", func(l *auction.Listing) { l.Title = "\u3164\u115f\u1160\uffa0" }, []string{"title"}},
		{"a title of blank Braille", func(l *auction.Listing) { l.Title = "\u2800" }, []string{"title"}},
		{"a title of joiners and selectors", func(l *auction.Listing) { l.Title = "\u034f\ufe0f\u180b\u200d" }, []string{"title"}},
		{"a title with a selector", func(l *auction.Listing) { l.Title = "\u2764\ufe0f" }, nil},
		{"an end in the year 10000 somewhere", func(l *auction.Listing) { l.EndTime = time.Date(9999, 12, 30, 0, 0, 0, 0, time.UTC) }, []string{"endTime"}},
		{"the last end", func(l *auction.Listing) { l.EndTime = time.Date(9999, 12, 29, 23, 59, 59, 999_999_000, time.UTC) }, nil},
		{"a length that leads there", func(l *auction.Listing) {
			late := time.Date(9999, 12, 29, 0, 0, 0, 0, time.UTC)
			l.StartTime, l.EndTime, l.Lasts = &late, time.Time{}, 24*time.Hour
		}, []string{"endTime"}},
		{"a title in two lines", func(l *auction.Listing) { l.Title = "One\nTwo" }, []string{"title"}},
		{"200 characters, more bytes", func(l *auction.Listing) { l.Title = strings.Repeat("é", 200) }, nil},
		{"201 characters", func(l *auction.Listing) { l.Title = strings.Repeat("é", 201) }, []string{"title"}},
		{"a title that is no text", func(l *auction.Listing) { l.Title = "\xff" }, []string{"title"}},
		{"a long description", func(l *auction.Listing) { l.Description = strings.Repeat("x", 10_001) }, []string{"description"}},
		{"a description in lines", func(l *auction.Listing) { l.Description = "One\nTwo\tthree" }, nil},
		{"a NUL, which PostgreSQL keeps nowhere", func(l *auction.Listing) { l.Description = "a\x00b" }, []string{"description"}},
		{"no increment", func(l *auction.Listing) { l.MinIncrement = auction.Money{} }, []string{"minIncrement"}},
		{"no starting price is fine", func(l *auction.Listing) { l.StartingPrice = auction.Money{} }, nil},
		{"the end at the start", func(l *auction.Listing) { l.EndTime = start }, []string{"endTime"}},
		{"the end less than a microsecond after the start", func(l *auction.Listing) { l.EndTime = start.Add(999) }, []string{"endTime"}},
		{"everything", func(l *auction.Listing) { *l = auction.Listing{StartTime: &start} }, []string{"endTime", "minIncrement", "title"}},
	} {
		l := auction.Listing{Title: "Watch", StartingPrice: money(t, "1000"), MinIncrement: money(t, "10"), StartTime: &start, EndTime: start.Add(time.Hour)}
		c.change(&l)
		if fields := fields(l.Tidy().Check(auction.Mistakes{})); !slices.Equal(fields, c.fields) {
			t.Errorf("%s: %v, want %v", c.name, fields, c.fields)
		}
	}
}

func TestAMistakeFoundByTheReaderIsNotPaintedOver(t *testing.T) {
	t.Parallel()
	mistakes := auction.Listing{Title: "Watch"}.Check(auction.Mistakes{"minIncrement": "Unreadable.", "endTime": "Unreadable."})
	if mistakes["minIncrement"] != "Unreadable." || mistakes["endTime"] != "Unreadable." {
		t.Error(mistakes)
	}
	if text := mistakes.Error(); text != "endTime: Unreadable. minIncrement: Unreadable." {
		t.Errorf("told as %q", text)
	}
}

func TestATidyListingHasInstantsAsTheDatabaseKeepsThem(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 1, 12, 0, 0, 1_999, time.UTC)
	asked := start
	l := auction.Listing{Title: " Watch ", Description: " One\r\nTwo\n\n", StartTime: &start, EndTime: start.Add(time.Hour)}.Tidy()
	if l.Title != "Watch" || l.Description != "One\nTwo" || l.StartTime.Nanosecond() != 1_000 || l.EndTime.Nanosecond() != 1_000 {
		t.Errorf("%+v", l)
	}
	if start != asked {
		t.Error("the caller's own instant was changed")
	}
}

func fields(m auction.Mistakes) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
