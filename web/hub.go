package web

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// ErrEnded is returned by Follow when the hub or the subscription was closed.
var ErrEnded = errors.New("web: the hub has ended")

// Hub carries the newest state of each watched key to the streams that watch it. A state is news once:
// the newest version wins, older ones are dropped, and what nobody watches is forgotten at once.
//
// Each key has locks of its own, and none is taken inside the hub's: the ten thousand watchers of one key
// delay nobody at another.
type Hub[T any] struct {
	pace time.Duration
	sent atomic.Uint64

	mu      sync.Mutex
	closed  bool
	streams map[*Subscription[T]]struct{}
	topics  map[int64]*topic[T]
}

// Stats are a hub's numbers for metrics.
type Stats struct {
	Streams int    // open subscriptions
	Keys    int    // keys that somebody watches
	Frames  uint64 // frames sent to streams since the start
}

// NewHub returns a hub that lets at least pace pass between two frames of one key.
func NewHub[T any](pace time.Duration) *Hub[T] {
	return &Hub[T]{pace: pace, streams: map[*Subscription[T]]struct{}{}, topics: map[int64]*topic[T]{}}
}

// Publish tells a state to those who watch its key: at once after a quiet spell, else when pace has
// passed since the frame before, and then the newest. It never waits for a reader. A key that nobody
// watches costs a look into a map; a version that is not above the known one is dropped.
func (h *Hub[T]) Publish(key, version int64, value T) {
	h.mu.Lock()
	t := h.topics[key]
	h.mu.Unlock()
	if t != nil {
		t.publish(NewFrame(key, version, value))
	}
}

// Watched returns the newest known version of each watched key; 0 where none was published yet.
func (h *Hub[T]) Watched() map[int64]int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	known := make(map[int64]int64, len(h.topics))
	for key, t := range h.topics {
		known[key] = t.known.Load()
	}
	return known
}

// Subscribe begins to watch keys; form names the bytes that the stream will be sent, as for Frame.Bytes:
// streams of one form are served together. Subscribe first, then read the present state and give it to Follow:
// a change in between is then in one of the two. The caller must Close the subscription.
func (h *Hub[T]) Subscribe(form string, keys ...int64) *Subscription[T] {
	s := &Subscription[T]{hub: h, wake: make(chan struct{}, 1), ended: make(chan struct{})}
	s.turn.Lock()
	for _, key := range keys {
		if s.seat(key) == nil {
			s.seats = append(s.seats, seat[T]{key: key, stream: s})
		}
	}
	h.mu.Lock()
	h.streams[s] = struct{}{}
	if h.closed {
		close(s.ended)
	}
	for i := range s.seats {
		s.seats[i].topic = h.topic(s.seats[i].key)
	}
	h.mu.Unlock()
	for i := range s.seats {
		s.seats[i].topic.add(&s.seats[i], form)
	}
	return s
}

// topic returns a key's topic, counting one more user of it.
func (h *Hub[T]) topic(key int64) *topic[T] {
	t := h.topics[key]
	if t == nil {
		t = &topic[T]{pace: h.pace}
		h.topics[key] = t
	}
	t.users++
	return t
}

// leave undoes Subscribe. A publisher that still holds a topic that goes here tells nobody, and nobody
// misses it: whoever subscribes now reads a state that holds what was committed before.
func (h *Hub[T]) leave(s *Subscription[T]) {
	h.mu.Lock()
	_, open := h.streams[s]
	if open {
		delete(h.streams, s)
		if !h.closed {
			close(s.ended)
		}
		for i := range s.seats {
			h.forget(&s.seats[i])
		}
	}
	h.mu.Unlock()
	if open {
		for i := range s.seats {
			s.seats[i].belt.remove(&s.seats[i])
		}
	}
}

// forget takes one user from a topic.
func (h *Hub[T]) forget(at *seat[T]) {
	if at.topic.users--; at.topic.users == 0 {
		delete(h.topics, at.key)
	}
}

// Close ends every subscription, present and future: streams end before the server stops.
func (h *Hub[T]) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	h.closed = true
	for s := range h.streams {
		close(s.ended)
	}
}

// Stats returns the hub's numbers.
func (h *Hub[T]) Stats() Stats {
	h.mu.Lock()
	defer h.mu.Unlock()
	return Stats{Streams: len(h.streams), Keys: len(h.topics), Frames: h.sent.Load()}
}
