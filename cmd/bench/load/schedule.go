// Package load is the crowd: bidders with a connection each, who bid as fast as
// they are answered or at a fixed rate, and keep every answer.
//
// It imports store/auction and its history, and cmd/bench's own.
package load

import (
	"context"
	"sync/atomic"
	"time"
)

// Schedule says when the next request is due. With a rate it is an open loop:
// requests come at fixed instants, whether the house keeps up or not.
type Schedule struct {
	rate  float64 // a second; 0: as fast as it goes
	lasts time.Duration
	began time.Time
	taken atomic.Int64
}

// NewSchedule is one that begins now.
func NewSchedule(rate float64, lasts time.Duration) *Schedule {
	return &Schedule{rate: rate, lasts: lasts, began: time.Now()}
}

// Now is the time since the beginning.
func (s *Schedule) Now() time.Duration { return time.Since(s.began) }

// Next is when the next request is due, for whoever asks first; false where no
// more are.
func (s *Schedule) Next() (due time.Duration, more bool) {
	if s.rate == 0 {
		due = s.Now()
	} else {
		due = time.Duration(float64(s.taken.Add(1)-1) / s.rate * float64(time.Second))
	}
	return due, due < s.lasts
}

// Wait waits until that time has come; false where ctx ended before.
func (s *Schedule) Wait(ctx context.Context, due time.Duration) bool {
	wait := due - s.Now()
	if wait <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
