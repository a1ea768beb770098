package web

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// Subscription is one stream's interest in some keys. It keeps no queue: a wake-up says only that there
// is something to look for, and the stream takes the newest frame it finds.
type Subscription[T any] struct {
	hub   *Hub[T]
	seats []seat[T]
	wake  chan struct{} // capacity 1
	ended chan struct{} // closed under the hub's lock; not one for all: ten thousand selects would meet at its lock

	// turn is held by who sends: by the stream's own goroutine, always but while it waits in Follow, or by
	// a belt. It guards what stands below, and version and sent of each seat.
	turn  sync.Mutex
	to    Sink[T]
	cut   *seat[T]  // whose frame was begun by a belt and is to be finished
	spoke time.Time // when something was last sent
}

// seat is the stream's place at one key.
type seat[T any] struct {
	key     int64
	topic   *topic[T]
	stream  *Subscription[T]
	version int64     // the version last sent on this stream
	sent    time.Time // and when that send had returned

	// The belt's, under its lock: told and at are version and sent as far as it knows.
	belt  *belt[T]
	place *list.Element
	told  int64
	at    time.Time
}

// Follow first sends the frames in first (the present state, made for this stream), then each newer
// frame of its keys, the newest only, until ctx ends (its error), the hub or the subscription is closed
// (ErrEnded), or to.Send, to.Rest or to.Beat fails (that error). On this stream no version of a key comes
// twice, versions of a key rise, and at least the hub's pace passes between two frames of one key, counted
// from when the send returned. After every `every` of silence to.Beat is called; an `every` of 0 or less
// means never.
//
// One goroutine follows one subscription, once, and nothing is sent when it has returned. The keys are
// looked through at each wake-up: a hundred cost less than the write of one frame.
func (s *Subscription[T]) Follow(ctx context.Context, first []*Frame[T], every time.Duration, to Sink[T]) error {
	s.to = to
	for _, f := range first {
		if err := s.present(ctx, f); err != nil {
			return err
		}
	}
	s.spoke = time.Now()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		rest, err := s.pass(ctx)
		if err != nil {
			return err
		}
		if every > 0 && time.Since(s.spoke) >= every {
			if err := to.Beat(); err != nil {
				return err
			}
			s.spoke = time.Now()
		}
		if every > 0 {
			rest = min(rest, every-time.Since(s.spoke))
		}
		timer.Reset(rest)
		s.wait(ctx, timer)
	}
}

// wait waits until there is something to look for. Meanwhile belts may send.
func (s *Subscription[T]) wait(ctx context.Context, timer *time.Timer) {
	if s.to.Offer != nil {
		s.turn.Unlock()
		defer s.turn.Lock()
	}
	select {
	case <-ctx.Done():
	case <-s.ended:
	case <-s.wake:
	case <-timer.C:
	}
}

// present sends a frame of the present state. A frame of a key that this stream does not watch is sent
// too; of a key that came before in first, the later one is left out: the hub has the news.
func (s *Subscription[T]) present(ctx context.Context, f *Frame[T]) error {
	at := s.seat(f.Key)
	switch {
	case at == nil:
		at = new(seat[T])
	case at.version > 0:
		return nil
	default:
		at.topic.begun(f.Version)
	}
	return s.send(ctx, at, f)
}

// pass looks through the keys once and sends what is new and due. rest is how long the next frame must
// wait that is known and not yet due; an hour when there is none.
func (s *Subscription[T]) pass(ctx context.Context) (rest time.Duration, err error) {
	if err := s.finish(ctx); err != nil {
		return 0, err
	}
	rest = time.Hour
	for i := range s.seats {
		at := &s.seats[i]
		f := at.topic.newest.Load()
		if f == nil || f.Version <= at.version {
			continue
		}
		if wait := s.hub.pace - time.Since(at.sent); wait > 0 {
			rest = min(rest, wait)
			continue
		}
		if err := s.send(ctx, at, f); err != nil {
			return rest, err
		}
		if at.topic.newest.Load() != f { // let out meanwhile; the belt may hold it for told
			rest = min(rest, s.hub.pace)
		}
	}
	return rest, s.over(ctx)
}

// send sends one frame, unless the stream is over.
func (s *Subscription[T]) send(ctx context.Context, at *seat[T], f *Frame[T]) error {
	if err := s.over(ctx); err != nil {
		return err
	}
	if err := s.to.Send(f); err != nil {
		return err
	}
	s.note(at, f.Version)
	return nil
}

// finish sends the rest of what a belt has begun.
func (s *Subscription[T]) finish(ctx context.Context) error {
	if s.cut == nil {
		return nil
	}
	if err := s.over(ctx); err != nil {
		return err
	}
	if err := s.to.Rest(); err != nil {
		return err
	}
	s.note(s.cut, s.cut.version)
	s.cut = nil
	return nil
}

// note keeps what was sent just now.
func (s *Subscription[T]) note(at *seat[T], version int64) {
	if version > at.version {
		s.hub.sent.Add(1)
	}
	s.spoke = time.Now()
	at.version, at.sent = version, s.spoke
	if at.belt != nil {
		at.belt.sent(at, version, s.spoke)
	}
}

// offer is a belt's turn: it sends the frame if that goes without waiting, else it leaves it to the
// stream's own goroutine. One that was woken and has not looked yet is not woken again: it will find the
// newest. So no reader, however slow, holds a belt up.
func (s *Subscription[T]) offer(at *seat[T], f *Frame[T]) {
	if s.turn.TryLock() {
		left := s.offered(at, f)
		s.turn.Unlock()
		if !left {
			return
		}
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// offered tells whether something was left for the stream's goroutine: so is a panic, which there has
// somebody to tell, and here would end the program.
func (s *Subscription[T]) offered(at *seat[T], f *Frame[T]) (left bool) {
	defer func() {
		if recover() != nil {
			left = true
		}
	}()
	if f.Version <= at.version {
		return false
	}
	if s.cut != nil || time.Since(at.sent) < s.hub.pace {
		return true
	}
	switch s.to.Offer(f) {
	case Begun:
		s.cut = at
	case Refused:
		return true
	}
	s.note(at, f.Version)
	return s.cut != nil
}

// prepare lets a belt make the bytes of a frame. What fails or panics does so again when it is sent.
func (s *Subscription[T]) prepare(f *Frame[T]) {
	if s.turn.TryLock() {
		defer s.turn.Unlock()
		defer func() { _ = recover() }()
		if s.to.Prepare != nil {
			s.to.Prepare(f)
		}
	}
}

// over tells whether and why the stream must end.
func (s *Subscription[T]) over(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-s.ended:
		return ErrEnded
	default:
		return nil
	}
}

// seat returns the stream's place at a key, nil for a key it does not watch.
func (s *Subscription[T]) seat(key int64) *seat[T] {
	for i := range s.seats {
		if s.seats[i].key == key {
			return &s.seats[i]
		}
	}
	return nil
}

// Close ends the subscription; a key disappears from the hub with its last subscriber. It may be called
// more than once.
func (s *Subscription[T]) Close() { s.hub.leave(s) }
