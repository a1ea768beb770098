package auction

import (
	"strings"
	"time"
)

// The lengths of a lot's texts, in characters.
const (
	MaxTitle       = 200
	MaxDescription = 10_000
)

// Listing is what a seller asks for who puts a lot up. Whether its end is
// still to come only the database can say, when it takes the lot in.
type Listing struct {
	SellerID      int64
	RequestID     *RequestID // the same id again lists nothing new; nil: each request lists a lot
	Title         string
	Description   string
	StartingPrice Money
	MinIncrement  Money
	StartTime     *time.Time // nil: at once
	EndTime       time.Time
}

// Tidy takes the blanks from around the texts and the line ends of browsers
// out of the description, and gives the instants the database's microseconds.
func (l Listing) Tidy() Listing {
	l.Title = strings.TrimSpace(l.Title)
	l.Description = strings.TrimSpace(strings.ReplaceAll(l.Description, "\r\n", "\n"))
	if l.StartTime != nil {
		start := l.StartTime.Truncate(time.Microsecond)
		l.StartTime = &start
	}
	l.EndTime = l.EndTime.Truncate(time.Microsecond)
	return l
}

// Check adds the mistakes in a tidy listing to those that its reader found.
func (l Listing) Check(mistakes Mistakes) Mistakes {
	mistakes.text("title", l.Title, MaxTitle)
	mistakes.length("description", l.Description, MaxDescription)
	if mistakes["minIncrement"] == "" && l.MinIncrement.IsZero() {
		mistakes["minIncrement"] = "The increment must be more than zero."
	}
	switch {
	case mistakes["endTime"] != "":
	case l.EndTime.UTC().Year() > 9999: // which RFC 3339 has no way to write
		mistakes["endTime"] = "The end is too far away."
	case l.StartTime != nil && !l.EndTime.After(*l.StartTime):
		mistakes["endTime"] = "The end must be after the start."
	}
	return mistakes.orNil()
}
