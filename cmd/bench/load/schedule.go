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

// Work has one worker do what is due, until no more is or ctx ends. do is told
// when it was due and when the worker was free for it. Any number of workers
// share a schedule: each request is for the one who asks first.
func (s *Schedule) Work(ctx context.Context, do func(due, free time.Duration)) {
	for {
		free := s.Now()
		due := s.next(free)
		if due >= s.lasts || !s.wait(ctx, due) {
			return
		}
		do(due, free)
	}
}

func (s *Schedule) next(free time.Duration) (due time.Duration) {
	if s.rate == 0 {
		return free
	}
	return time.Duration(float64(s.taken.Add(1)-1) / s.rate * float64(time.Second))
}

// wait waits until that time has come; false where ctx ended before.
func (s *Schedule) wait(ctx context.Context, due time.Duration) bool {
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
