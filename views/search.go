package views

import (
	"strings"

	"github.com/a-h/templ"

	"rostrum/store/auction"
)

// List is a page of lots.
type List struct {
	Heading  string
	Count    string // "128 lots", "" where nobody counted
	Rows     []Row
	Stream   string // the address of the page's one stream, "" where nothing is live
	Next     string // the address of the next page, "" on the last
	Closed   bool   // the list is of closed lots
	Search   Search
	Mistakes auction.Mistakes // in the search; nothing was looked for then
}

// Search is what is looked for in a list.
type Search struct {
	Text     string
	Sort     string
	From, To string // prices, as they were typed
	Today    bool   // only lots that end today
	Zone     string // where today is
	Address  string // of this search
	Other    string // of the same search among closed lots, or among open ones
}

// wide says that all lots of the house are looked for.
func (s Search) wide() bool { return s.Text == "" && !s.filters() }

// filters says whether anything but words is looked for.
func (s Search) filters() bool { return s.From != "" || s.To != "" || s.Today }

// choice is one way to sort.
type choice struct{ value, text string }

func sorts(closed bool) []choice {
	end := "Ending soonest"
	if closed {
		end = "Ended last"
	}
	return []choice{{"ending", end}, {"newest", "Newest listed"}, {"price-low", "Lowest price"}, {"price-high", "Highest price"}, {"bids", "Most bids"}}
}

// tabs are the open and the closed lots that are looked for.
func (l List) tabs() []Tab {
	open, closed := Tab{Text: "Open", Path: l.Search.Address, Current: !l.Closed}, Tab{Text: "Closed", Path: l.Search.Other, Current: l.Closed}
	if l.Closed {
		open.Path, closed.Path = closed.Path, open.Path
	}
	return []Tab{open, closed}
}

// form is what was typed into the search, with the mistakes in it.
func (l List) form() Fields {
	return Fields{Values: map[string]string{"from": l.Search.From, "to": l.Search.To}, Mistakes: l.Mistakes}
}

// livingForm has a control send its form as soon as it is changed.
func livingForm() templ.Attributes {
	return templ.Attributes{"hx-get": "/auctions", "hx-include": "closest form", "hx-target": "#found", "hx-swap": "outerHTML", "hx-trigger": "change"}
}

// zoneWords is a zone's name as people write it.
func zoneWords(name string) string { return strings.ReplaceAll(name, "_", " ") }

func priceName(field string) string {
	if field == "from" {
		return "The lowest price"
	}
	return "The highest price"
}
