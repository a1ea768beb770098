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
	known  atomic.Int64             // the newest version published
	seen   atomic.Int64             // the newest version that a stream began with
	newest atomic.Pointer[Frame[T]] // the newest frame let out; what a stream takes when it wakes

	mu       sync.Mutex
	waiting  *Frame[T] // newer than newest, held back until pace has passed; then a timer runs
	last     time.Time // when news was let out
	watchers map[chan<- struct{}]struct{}
}

// publish lets the frame out now or puts it in the place of the one that waits.
func (t *topic[T]) publish(f *Frame[T]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f.Version <= t.known.Load() || len(t.watchers) == 0 {
		return
	}
	t.known.Store(f.Version)
	timed := t.waiting != nil
	t.waiting = f
	if timed {
		return
	}
	if rest := t.pace - time.Since(t.last); rest > 0 {
		time.AfterFunc(rest, t.due)
		return
	}
	t.release()
}

// due runs when pace has passed since the last frame. If everybody has left meanwhile it wakes nobody.
func (t *topic[T]) due() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.release()
}

// release lets the waiting frame out. One that a stream already began with (the first poll after somebody
// came publishes such) is hardly news and does not hold up the change that may follow at once. A watcher that was woken and has not looked yet is not woken
// again: it will find this frame. So no reader, however slow, holds this loop up.
func (t *topic[T]) release() {
	if t.waiting.Version > t.seen.Load() {
		t.last = time.Now()
	}
	t.newest.Store(t.waiting)
	t.waiting = nil
	for wake := range t.watchers {
		select {
		case wake <- struct{}{}:
		default:
		}
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

func (t *topic[T]) add(wake chan<- struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.watchers[wake] = struct{}{}
}

func (t *topic[T]) remove(wake chan<- struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.watchers, wake)
}
