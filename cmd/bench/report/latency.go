// Package report is what a run has to say: a table for people, JSON for
// machines, and a plot.
//
// It imports nothing of ours.
package report

import (
	"math"
	"slices"
	"time"
)

// Latencies are how long the requests of one kind took.
type Latencies struct {
	Kind   string
	sorted []time.Duration
}

// NewLatencies keeps a copy of times, sorted.
func NewLatencies(kind string, times []time.Duration) Latencies {
	sorted := slices.Clone(times)
	slices.Sort(sorted)
	return Latencies{kind, sorted}
}

// N is how many there are.
func (l Latencies) N() int { return len(l.sorted) }

// At is the least time within which that share of all requests was answered,
// such as 0.99 (the nearest rank; no two are mixed). 0 where there are none.
func (l Latencies) At(share float64) time.Duration {
	if len(l.sorted) == 0 {
		return 0
	}
	// 0.07*100 is 7.000000000000001, whose next whole number is not meant.
	rank := int(math.Ceil(share*float64(len(l.sorted)) - 1e-9))
	return l.sorted[min(max(rank, 1), len(l.sorted))-1]
}

// Max is the longest.
func (l Latencies) Max() time.Duration { return l.At(1) }
