package views

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"rostrum/store/auction"
)

// number writes an id, a version or a count for an attribute or an address.
func number[N int | int64](n N) string { return strconv.FormatInt(int64(n), 10) }

// lotPath is the address of a lot's page, or of a part of it.
func lotPath(auctionID int64, part string) string {
	return "/auctions/" + number(auctionID) + part
}

// withNext is an address that remembers where to come back to.
func withNext(path, next string) string {
	if next == "" || next == "/" || next == path {
		return path
	}
	return path + "?" + url.Values{"next": {next}}.Encode()
}

// back is where signing in from this page should lead.
func (p Page) back() string {
	if strings.HasPrefix(p.Path, "/login") || strings.HasPrefix(p.Path, "/register") {
		return ""
	}
	return p.Path
}

// readerID is the signed-in person's id for the page's script, "" for nobody.
func (p Page) readerID() string {
	if p.Person == nil {
		return ""
	}
	return number(p.Person.ID)
}

// readerID is who the panel was drawn for, "" for nobody.
func (p Panel) readerID() string {
	if p.ReaderID == 0 {
		return ""
	}
	return number(p.ReaderID)
}

// yesNo writes a truth for an attribute or a field.
func yesNo(yes bool) string { return strconv.FormatBool(yes) }

func starTitle(watched bool) string {
	if watched {
		return "On your watch list"
	}
	return "Put on your watch list"
}

// zone is the zone that the person chose, "" for that of the browser.
func (p Page) zone() string {
	if p.Person == nil {
		return ""
	}
	return p.Person.Zone
}

// at says whether the page lies at this address or below it.
func (p Page) at(path string) bool {
	here, _, _ := strings.Cut(p.Path, "?")
	if path == "/" {
		return here == "/" || here == "/auctions"
	}
	return here == path || strings.HasPrefix(here, path+"/")
}

// leader is the leader's id for the page's script, "" while nobody leads.
func leader(state auction.State) string {
	if state.LeaderID == nil {
		return ""
	}
	return number(*state.LeaderID)
}

// terms changes with each edit of a lot, and with nothing else while it is open:
// all other versions are bids.
func terms(state auction.State) string {
	if state.Over() {
		return ""
	}
	return number(state.Version - state.BidCount)
}

// bids counts bids in words.
func bids(n int64) string {
	switch n {
	case 0:
		return "no bids"
	case 1:
		return "1 bid"
	default:
		return number(n) + " bids"
	}
}

// left tells the time to an instant, short enough for a headline: "3 days",
// "1 day 4 h", "3 h 20 min", "12:09". A started second counts as whole, so that "0:01" is
// still in time. The page's script says the same (left in app.js).
func left(d time.Duration) string {
	seconds := int64((d + time.Second - 1) / time.Second)
	minutes, hours, days := seconds/60, seconds/3600, seconds/86400
	switch {
	case seconds <= 0:
		return "ended"
	case hours == 0:
		return fmt.Sprintf("%d:%02d", minutes, seconds%60)
	case days == 0:
		return fmt.Sprintf("%d h %02d min", hours, minutes%60)
	case days == 1:
		return fmt.Sprintf("1 day %d h", hours%24)
	default:
		return fmt.Sprintf("%d days", days)
	}
}

// span tells a setting's length: "2 minutes", "90 seconds".
func span(d time.Duration) string {
	n, unit := int64(d/time.Second), "second"
	if d >= time.Minute && d%time.Minute == 0 {
		n, unit = int64(d/time.Minute), "minute"
	}
	if n == 1 {
		return "1 " + unit
	}
	return number(n) + " " + unit + "s"
}

// The forms in which an instant is written. Here it is in UTC; the page's
// script writes it in the viewer's zone, in the same form.
const (
	exact = "exact" // "Mon 30 Nov 2026, 14:05:12 UTC"
	plain = "plain" // "Mon 30 Nov 2026, 14:05 UTC"
	table = "table" // "30 Nov 2026, 14:05"
	dated = "dated" // "Mon 30 Nov 2026, 14:05:12 UTC"
	clock = "clock" // "14:05:12 UTC"

	// Near moments; those of another year have it.
	brief = "brief" // "30 Nov, 14:05:12", "30 Nov 2025, 14:05:12"
	short = "short" // "30 Nov, 14:05", "30 Nov 2025, 14:05"
)

func written(t time.Time, form string) string {
	t = t.UTC()
	switch form {
	case exact:
		return t.Format("Mon 2 Jan 2006, 15:04:05 MST") + midnight(t)
	case plain:
		return t.Format("Mon 2 Jan 2006, 15:04 MST")
	case clock:
		return t.Format("15:04:05 MST")
	case table:
		return t.Format("2 Jan 2006, 15:04")
	default:
		return t.Format("Mon 2 Jan 2006, 15:04:05 MST")
	}
}

func near(t, now time.Time, form string) string {
	t = t.UTC()
	day, minute := "2 Jan", "15:04"
	if t.Year() != now.UTC().Year() {
		day += " 2006"
	}
	if form == brief {
		minute += ":05"
	}
	return t.Format(day + ", " + minute)
}

// midnight says on which side of a midnight a day's first minute lies: "ends
// at 00:00" is read as either.
func midnight(t time.Time) string {
	if t.Hour() != 0 || t.Minute() != 0 {
		return ""
	}
	return ", as " + t.Weekday().String() + " begins"
}

// machine is an instant for attributes.
func machine(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// htmxConfig keeps htmx within a strict policy (no style of its own, only the
// one extension). A search pushes its address; going back there loads the page.
const htmxConfig = `{"includeIndicatorCSS":false,"history":"reload","extensions":"sse"}`

// streamConfig bounds how long a lost stream stays lost.
const streamConfig = "sse.reconnectMaxDelay:3s, sse.connectTimeout:10s"

func (p Page) title() string {
	if p.Title == "" {
		return "Rostrum"
	}
	return p.Title + " · Rostrum"
}

// told counts the bids of a lot that is over, and names who won.
func told(result Result) string {
	switch {
	case result.Phase != auction.Sold:
		return bids(result.BidCount)
	case result.Role == Winner:
		return bids(result.BidCount)
	default:
		return bids(result.BidCount) + ", to " + result.WinnerAlias
	}
}

// longTitle says that a title needs smaller type.
func longTitle(title string) bool { return utf8.RuneCountInString(title) > 70 }

// long says that an amount needs smaller type to stand in one line.
func long(price string) bool { return utf8.RuneCountInString(price) > 13 }

func priceLabel(state auction.State) string {
	switch {
	case state.Phase() == auction.Sold:
		return "Hammer price"
	case state.BidCount == 0:
		return "Starting price"
	default:
		return "Price"
	}
}

func finalLabel(result Result) string {
	switch {
	case result.Phase == auction.Sold:
		return "Hammer price"
	case result.BidCount > 0: // and it was withdrawn
		return "Last price"
	default:
		return "Starting price"
	}
}

// outcome is one word for how a lot ended.
func outcome(phase auction.Phase) string {
	switch phase {
	case auction.Sold:
		return "Sold"
	case auction.Unsold:
		return "Not sold"
	default:
		return "Withdrawn"
	}
}

// about is the id of what is said below a field, "" where nothing is.
func (f field) about(form Fields) string {
	switch {
	case form.Mistakes[f.Name] != "":
		return f.Name + "-mistake"
	case f.Hint != "":
		return f.Name + "-hint"
	default:
		return ""
	}
}

// sellAgain is the form for a new lot with the texts and prices of an old one.
func sellAgain(auctionID int64) string { return "/sell?from=" + number(auctionID) }
