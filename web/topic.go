package web

import (
	"sync"
	"sync/atomic"
	"time"
)

// topic is one watched key. It lets frames out at most every pace: the first after a quiet spell at
// once, else by one timer that takes the newest. So thousands of viewers see the same few frames, and a
// frame is rendered once for all of them.
type topic[T any] struct {
	pace   time.Duration
	users  int                      // under the hub's lock; the topic goes with its last user
	known  atomic.Int64             // the newest version published; written under mu
	seen   atomic.Int64             // the newest version that a stream began with
	newest atomic.Pointer[Frame[T]] // the newest frame let out: what a stream takes when it wakes

	mu      sync.Mutex
	waiting *Frame[T] // to be let out by the timer that runs if there is one
	last    time.Time // when news was let out

	crowd sync.Mutex // apart from mu: nobody publishes slower because streams come and go
	belts []*belt[T]
}

// publish takes the place of the frame that waits, or waits itself, for no time after a quiet spell. The
// waking is never done by the caller, who may be about to answer a bid.
func (t *topic[T]) publish(f *Frame[T]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f.Version <= t.known.Load() {
		return
	}
	t.known.Store(f.Version)
	timed := t.waiting != nil
	t.waiting = f
	if !timed {
		time.AfterFunc(t.pace-time.Since(t.last), t.release)
	}
}

// release lets the waiting frame out. One that a stream already began with (the first poll after somebody
// came publishes such) is hardly news and does not hold up the change that may follow at once.
func (t *topic[T]) release() {
	t.mu.Lock()
	if t.waiting.Version > t.seen.Load() {
		t.last = time.Now()
	}
	t.newest.Store(t.waiting)
	t.waiting = nil
	t.mu.Unlock()
	t.wake()
}

// wake sets the belts going.
func (t *topic[T]) wake() {
	t.crowd.Lock()
	defer t.crowd.Unlock()
	for _, b := range t.belts {
		b.start()
	}
}

// begun notes the version that a stream begins with.
func (t *topic[T]) begun(version int64) {
	for {
		seen := t.seen.Load()
		if version <= seen || t.seen.CompareAndSwap(seen, version) {
			return
		}
	}
}

// add gives a seat its place among those who are sent the same bytes.
func (t *topic[T]) add(at *seat[T], form string) {
	t.crowd.Lock()
	defer t.crowd.Unlock()
	var best *belt[T]
	belts := 0
	for _, b := range t.belts {
		if b.form == form {
			belts++
			if best == nil || b.len() < best.len() {
				best = b
			}
		}
	}
	if best == nil || best.len() >= fewest && belts < beltsAtMost() {
		best = &belt[T]{topic: t, form: form}
		t.belts = append(t.belts, best)
	}
	best.add(at)
}
