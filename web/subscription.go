package web

import (
	"context"
	"time"
)

// Subscription is one stream's interest in some keys. It keeps no queue: a wake-up says only that there
// is something to look for, and the stream takes the newest frame it finds.
type Subscription[T any] struct {
	hub   *Hub[T]
	seats []seat[T]
	wake  chan struct{} // capacity 1
	ended chan struct{} // closed under the hub's lock; not one for all: ten thousand selects would meet at its lock
}

// seat is the stream's place at one key.
type seat[T any] struct {
	key     int64
	topic   *topic[T]
	version int64     // the version last sent on this stream
	sent    time.Time // and when that send had returned
}

// Follow first sends the frames in first (the present state, made for this stream), then each newer
// frame of its keys, the newest only, until ctx ends (its error), the hub or the subscription is closed
// (ErrEnded), or send or beat fails (that error). On this stream no version of a key comes twice,
// versions of a key rise, and at least the hub's pace passes between two frames of one key, counted from
// when send returned. After every `every` of silence beat is called; an `every` of 0 or less means never.
//
// One goroutine follows one subscription, once. The keys are looked through at each wake-up: a hundred
// cost less than the write of one frame.
func (s *Subscription[T]) Follow(
	ctx context.Context, first []*Frame[T], every time.Duration, send func(*Frame[T]) error, beat func() error,
) error {
	for _, f := range first {
		if err := s.present(ctx, f, send); err != nil {
			return err
		}
	}
	spoke := time.Now()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		sent, rest, err := s.pass(ctx, send)
		if err != nil {
			return err
		}
		if sent {
			spoke = time.Now()
		}
		if every > 0 && time.Since(spoke) >= every {
			if err := beat(); err != nil {
				return err
			}
			spoke = time.Now()
		}
		if every > 0 {
			rest = min(rest, every-time.Since(spoke))
		}
		timer.Reset(rest)
		select {
		case <-ctx.Done():
		case <-s.ended:
		case <-s.wake:
		case <-timer.C:
		}
	}
}

// present sends a frame of the present state. A frame of a key that this stream does not watch is sent
// too; of a key that came before in first, the later one is left out: the hub has the news.
func (s *Subscription[T]) present(ctx context.Context, f *Frame[T], send func(*Frame[T]) error) error {
	at := s.seat(f.Key)
	switch {
	case at == nil:
		at = new(seat[T])
	case at.version > 0:
		return nil
	default:
		at.topic.begun(f.Version)
	}
	return s.send(ctx, at, f, send)
}

// pass looks through the keys once and sends what is new and due. rest is how long the next frame must
// wait that is known and not yet due; an hour when there is none.
func (s *Subscription[T]) pass(ctx context.Context, send func(*Frame[T]) error) (sent bool, rest time.Duration, err error) {
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
		if err := s.send(ctx, at, f, send); err != nil {
			return sent, rest, err
		}
		sent = true
	}
	return sent, rest, s.over(ctx)
}

// send sends one frame, unless the stream is over.
func (s *Subscription[T]) send(ctx context.Context, at *seat[T], f *Frame[T], send func(*Frame[T]) error) error {
	if err := s.over(ctx); err != nil {
		return err
	}
	if err := send(f); err != nil {
		return err
	}
	s.hub.sent.Add(1)
	at.version, at.sent = f.Version, time.Now()
	return nil
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
