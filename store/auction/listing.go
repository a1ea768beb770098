package auction

import (
	"crypto/sha256"
	"encoding/json"
	"strings"
	"time"
)

// The lengths of a lot's texts, in characters.
const (
	MaxTitle       = 200
	MaxDescription = 10_000
)

// MaxLasts is the longest time that a lot may be said to last: ten years.
const MaxLasts = 10 * 366 * 24 * time.Hour

// tooFar says whether no lot ends so late any more: two days before the year 10000, which RFC
// 3339 has no way to write, so that an end has four digits in every zone.
func tooFar(t time.Time) bool {
	return !t.Before(time.Date(9999, time.December, 30, 0, 0, 0, 0, time.UTC))
}

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
	Lasts         time.Duration // instead of EndTime: how long it lasts from its start; 0: EndTime says
}

// Fingerprint is the SHA-256 of what is asked for, by whoever and with
// whatever id: the same request again has the same one.
func (l Listing) Fingerprint() []byte {
	asked, err := json.Marshal([]any{l.Title, l.Description, l.StartingPrice.canonical(), l.MinIncrement.canonical(),
		micros(l.StartTime), micros(&l.EndTime), l.Lasts})
	if err != nil {
		panic("auction: " + err.Error()) // texts and numbers can be written
	}
	sum := sha256.Sum256(asked)
	return sum[:]
}

// micros is an instant as the database keeps it, nil for none.
func micros(t *time.Time) *int64 {
	if t == nil || t.IsZero() {
		return nil
	}
	n := t.UnixMicro()
	return &n
}

// Tidy takes the blanks from around the texts and the line ends of browsers
// out of the description, and gives the instants the database's microseconds.
func (l Listing) Tidy() Listing {
	l.Title = strings.TrimSpace(l.Title)
	l.Description = tidyText(l.Description)
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
	if mistakes["startingPrice"] == "" && !l.StartingPrice.Add(l.MinIncrement).fits() {
		mistakes["startingPrice"] = "With this and the increment, nobody could bid."
	}
	switch {
	case mistakes["endTime"] != "" || mistakes["startTime"] != "" || mistakes["lasts"] != "":
	case l.Lasts < 0 || l.Lasts > MaxLasts:
		mistakes["lasts"] = "A lot lasts ten years at most."
	case l.Lasts > 0 && (l.StartTime == nil || !tooFar(l.StartTime.Add(l.Lasts))):
	case l.Lasts > 0 || tooFar(l.EndTime):
		mistakes["endTime"] = "The end is too far away."
	case l.StartTime != nil && !l.EndTime.After(*l.StartTime):
		mistakes["endTime"] = "The end must be after the start."
	}
	return mistakes.orNil()
}
