package main

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
)

// traffic is what went through a tab: its streams, what was refused, and what
// no page may ever cause (exceptions, complaints of the console such as those
// about the content security policy, requests that failed).
type traffic struct {
	name string

	mu       sync.Mutex
	paths    map[string]string // of requests under way, by id
	streams  map[string]bool   // those of the streams that are open
	opened   int               // streams ever opened
	refused  []string          // "409 /auctions/1/bids"
	expected []string
	trouble  []string
	broken   bool // the test breaks streams
	any      bool // the test provokes refusals without number
}

// hear takes an event of the browser. It is called in the order of the events.
func (n *traffic) hear(event any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		n.begin(string(e.RequestID), e.Request.URL)
	case *network.EventResponseReceived:
		if e.Response.Status >= 400 {
			n.refused = append(n.refused, fmt.Sprint(e.Response.Status, " ", n.paths[string(e.RequestID)]))
		}
	case *network.EventLoadingFinished:
		n.end(string(e.RequestID))
	case *network.EventLoadingFailed:
		path := n.paths[string(e.RequestID)]
		left := e.Canceled || e.ErrorText == "net::ERR_ABORTED" // the page was left
		if !left && !(n.broken && isStream(path)) {
			n.trouble = append(n.trouble, fmt.Sprintf("%s failed: %s %s", path, e.ErrorText, e.BlockedReason))
		}
		n.end(string(e.RequestID))
	case *log.EventEntryAdded:
		odd := n.any && e.Entry.Source == log.EntrySourceRendering // a date field that was sent no date
		if e.Entry.Source != log.EntrySourceNetwork && !odd {      // what failed or was refused is known
			n.trouble = append(n.trouble, fmt.Sprintf("%s %s: %s", e.Entry.Source, e.Entry.Level, e.Entry.Text))
		}
	case *runtime.EventExceptionThrown:
		n.trouble = append(n.trouble, fmt.Sprintf("exception: %s %+v", e.ExceptionDetails.Text, e.ExceptionDetails.Exception))
	case *runtime.EventConsoleAPICalled:
		said := fmt.Sprintf("console.%s:", e.Type)
		for _, argument := range e.Args {
			said += fmt.Sprintf(" %s %s", argument.Value, argument.Description)
		}
		if !(n.broken && strings.Contains(said, `"htmx: htmx:`)) {
			n.trouble = append(n.trouble, said)
		}
	}
}

func (n *traffic) begin(id, address string) {
	u, err := url.Parse(address)
	if err != nil {
		return
	}
	n.paths[id] = u.Path
	if isStream(u.Path) && !n.streams[id] {
		n.streams[id] = true
		n.opened++
	}
}

func (n *traffic) end(id string) {
	delete(n.streams, id)
	delete(n.paths, id)
}

func isStream(path string) bool {
	return strings.HasSuffix(path, "/events") && !strings.HasPrefix(path, "/admin/")
}

// open counts the streams: open now, and ever opened.
func (n *traffic) open() (now, ever int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.streams), n.opened
}

// expect names the refusals that the test provokes, in their order.
func (n *traffic) expect(refused ...string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.expected = append(n.expected, refused...)
}

// breaks says that the test will break the tab's streams.
func (n *traffic) breaks() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.broken = true
}

// refusals says that the test provokes so many that it does not count them.
func (n *traffic) refusals() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.any = true
}

func (n *traffic) check(t *testing.T) {
	t.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, trouble := range n.trouble {
		t.Errorf("%s's browser: %s", n.name, trouble)
	}
	if !n.any && !slices.Equal(n.refused, n.expected) {
		t.Errorf("%s was refused %q, expected %q", n.name, n.refused, n.expected)
	}
}
