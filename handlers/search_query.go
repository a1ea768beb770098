package handlers

import (
	"fmt"
	"hash/fnv"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/views"
)

// mostSought is how long a search may be, in characters.
const mostSought = 200

// search is a query as it was asked for.
type search struct {
	query    store.Query
	from, to string // prices, as they were typed
	today    bool   // only lots that end today
	zone     string // where today is
}

var (
	errStatus = &problem{status: 400, code: "unreadable", title: "The status is open or closed."}
	errSort   = &problem{status: 400, code: "unreadable", title: "The sort is ending, newest, price-low, price-high or bids."}
	errEnds   = &problem{status: 400, code: "unreadable", title: "Only ends=today is known."}
	errSought = &problem{status: 400, code: "unreadable", title: "A search has at most 200 characters."}
)

// readSearch reads which page of which list is asked for. One lot more than the
// page holds is read to know whether another page follows.
func (h *house) readSearch(r *http.Request) (search, error) {
	s := search{query: store.Query{Limit: lotsPerPage + 1, ReaderID: readerID(r)}, zone: "UTC"}
	switch r.FormValue("status") {
	case "", "open":
	case "closed":
		s.query.Closed = true
	default:
		return s, errStatus
	}
	s.query.Text = strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(r.FormValue("q"), ""), "\x00", ""))
	if utf8.RuneCountInString(s.query.Text) > mostSought {
		return s, errSought
	}
	switch sort := store.Sort(r.FormValue("sort")); sort {
	case "":
		s.query.Sort = store.ByEnd
	case store.ByEnd, store.Newest, store.PriceLow, store.PriceHigh, store.MostBids:
		s.query.Sort = sort
	default:
		return s, errSort
	}
	if err := h.readToday(r, &s); err != nil {
		return s, err
	}
	if mistakes := h.readPrices(r, &s); len(mistakes) > 0 {
		return s, mistakes
	}
	if cursor := r.FormValue("cursor"); cursor != "" {
		mark, err := s.readCursor(cursor)
		if err != nil {
			return s, err
		}
		s.query.After = &mark
	}
	return s, nil
}

// readToday reads whether only lots of today are looked for. Today is the
// reader's: in the zone that they chose, else in that of their browser as the
// page's script wrote it into the form, else in UTC.
func (h *house) readToday(r *http.Request, s *search) error {
	name := r.FormValue("zone")
	if person := reader(r); person != nil && person.Zone != "" {
		name = person.Zone
	}
	zone, err := time.LoadLocation(name)
	if err != nil || zone == time.Local {
		zone = time.UTC
	}
	s.zone = zone.String()
	switch r.FormValue("ends") {
	case "":
		return nil
	case "today":
	default:
		return errEnds
	}
	s.today = true
	year, month, day := h.Store.Now().In(zone).Date()
	s.query.EndTo = time.Date(year, month, day+1, 0, 0, 0, 0, zone)
	if s.query.Closed {
		s.query.EndFrom = time.Date(year, month, day, 0, 0, 0, 0, zone)
	}
	return nil
}

func (h *house) readPrices(r *http.Request, s *search) auction.Mistakes {
	mistakes := auction.Mistakes{}
	price := func(field string) (string, *auction.Money) {
		text := strings.TrimSpace(r.FormValue(field))
		if text == "" {
			return "", nil
		}
		amount := h.amount(mistakes, field, text, h.Currency.ParseForm)
		return text, &amount
	}
	s.from, s.query.From = price("from")
	s.to, s.query.To = price("to")
	if len(mistakes) == 0 && s.query.From != nil && s.query.To != nil && s.query.To.Cmp(*s.query.From) < 0 {
		mistakes["to"] = "This is below the lowest price."
	}
	return mistakes
}

// address is where this search is found, from a cursor on.
func (s search) address(cursor string) string {
	values := url.Values{}
	set := func(name, value, usual string) {
		if value != usual {
			values.Set(name, value)
		}
	}
	set("status", s.status(), "open")
	set("q", s.query.Text, "")
	set("sort", string(s.query.Sort), string(store.ByEnd))
	set("from", s.from, "")
	set("to", s.to, "")
	if s.today {
		values.Set("ends", "today")
		set("zone", s.zone, "UTC")
	}
	set("cursor", cursor, "")
	if len(values) == 0 {
		return "/auctions"
	}
	return "/auctions?" + values.Encode()
}

func (s search) status() string {
	if s.query.Closed {
		return "closed"
	}
	return "open"
}

// drawn is the search as its form shows it, with the way to the same search
// among the other lots.
func (s search) drawn() views.Search {
	other := s
	other.query.Closed = !s.query.Closed
	return views.Search{Text: s.query.Text, Sort: string(s.query.Sort), From: s.from, To: s.to, Today: s.today, Zone: s.zone,
		Address: s.address(""), Other: other.address("")}
}

// A cursor is the mark behind which the next page begins and the search that it
// belongs to: "search.key.id.moment".
func (s search) writeCursor(m store.Mark) string {
	return fmt.Sprintf("%s.%d.%d.%d", s.fingerprint(), m.Key, m.ID, m.At)
}

func (s search) fingerprint() string {
	hash := fnv.New32a()
	fmt.Fprint(hash, s.address(""))
	return strconv.FormatUint(uint64(hash.Sum32()), 36)
}

func (s search) readCursor(text string) (store.Mark, error) {
	var m store.Mark
	fields := strings.Split(text, ".")
	if len(fields) != 4 {
		return m, errCursor
	}
	for i, into := range []*int64{&m.Key, &m.ID, &m.At} {
		n, err := strconv.ParseInt(fields[i+1], 10, 64)
		if err != nil || n > store.LastMicros || n < 0 {
			return m, errCursor
		}
		*into = n
	}
	if s.writeCursor(m) != text {
		return m, errCursor
	}
	return m, nil
}
