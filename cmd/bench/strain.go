package main

import (
	"fmt"
	"slices"
	"time"

	"rostrum/cmd/bench/report"
)

// lateness is how much bench may be late itself, in one request of a hundred,
// before its figures are doubted.
const lateness = 10 * time.Millisecond

// strain doubts figures that tell more of bench than of the house: where it
// sent too late, or where nobody was free to send, so that the house was
// spared what would have arrived. (The latencies count both.)
func (s *session) strain(kind string, late []time.Duration, queued int) {
	if p99 := report.NewLatencies(kind, late).At(0.99); p99 > lateness {
		s.doubt("%s: bench itself was late, in one of a hundred by more than %s: that is part of the latencies", kind, p99.Round(time.Millisecond))
	}
	if queued > 0 {
		s.doubt("%s: %d of %d were due while nobody was free to send them, and arrived later than they were due: more senders would show more", kind, queued, len(late))
	}
}

// limited doubts figures in which the house's limit for one person shows.
func (s *session) limited(kind string, n int) {
	if n > 0 {
		s.doubt("%s: %d were answered 429, the limit for one person: more bidders, or a house with a higher ROSTRUM_BID_RATE", kind, n)
	}
}

func (s *session) doubt(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(s.report.Doubts, text) {
		s.report.Doubts = append(s.report.Doubts, text)
	}
}
