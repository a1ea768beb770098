package store

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"rostrum/store/auction"
)

// maxBatch bounds how long one batch holds its lot: 1,000 bids take about 20 ms.
const maxBatch = 1000

// lane has offers answered in batches, by key: that of a bid is its lot. Each
// key has at most one batch under way; what comes for it meanwhile is its next
// batch. Alone, an offer leaves at once; in a rush thousands share one commit. A
// lot that nobody asks for costs nothing.
type lane[O, A any] struct {
	// answer decides a key's offers in their order and returns an answer for
	// each. After an error none of them left anything that another try would
	// not find.
	answer func(key int64, offers []O) ([]A, error)
	queue  int // how many offers may wait in all; half as many for one key

	mu      sync.Mutex
	next    map[int64][]*turn[O, A] // what gathers behind the batch under way; there is one for each key in it
	waiting int
	closed  bool
	idle    sync.WaitGroup // keys with a batch under way
}

// turn is an offer that waits for its answer.
type turn[O, A any] struct {
	offer O
	done  chan struct{}
	got   A
	err   error
}

func newLane[O, A any](queue int, answer func(key int64, offers []O) ([]A, error)) *lane[O, A] {
	return &lane[O, A]{answer: answer, queue: queue, next: map[int64][]*turn[O, A]{}}
}

// place waits for the answer to an offer. ErrUnavailable comes at once where
// too many wait already, or the lane is closed.
func (l *lane[O, A]) place(key int64, offer O) (A, error) {
	t := &turn[O, A]{offer: offer, done: make(chan struct{})}
	if err := l.join(key, t); err != nil {
		return t.got, err
	}
	<-t.done
	return t.got, t.err
}

func (l *lane[O, A]) join(key int64, t *turn[O, A]) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	gathered, busy := l.next[key]
	switch {
	case l.closed:
		return fmt.Errorf("the house is closing: %w", auction.ErrUnavailable)
	case l.waiting >= l.queue || len(gathered) >= (l.queue+1)/2:
		return fmt.Errorf("too many wait already, %d in all and %d for the same: %w", l.waiting, len(gathered), auction.ErrUnavailable)
	}
	l.waiting++
	if busy {
		l.next[key] = append(gathered, t)
		return nil
	}
	l.next[key] = nil
	l.idle.Add(1)
	go l.run(key, []*turn[O, A]{t})
	return nil
}

// run answers a key's batches until nothing has gathered behind the last.
func (l *lane[O, A]) run(key int64, batch []*turn[O, A]) {
	defer l.idle.Done()
	for len(batch) > 0 {
		err := l.settle(key, batch)
		batch = l.gathered(key, len(batch))
		for errors.Is(err, auction.ErrUnavailable) && len(batch) > 0 {
			// Out of reach for one batch is out of reach for the next: nobody
			// waits for as many tries as there are batches.
			answer(batch, nil, err)
			batch = l.gathered(key, len(batch))
		}
	}
}

// settle answers a batch. Where one offer in it makes the database fail, the
// halves are tried by themselves, so that it fails alone.
func (l *lane[O, A]) settle(key int64, batch []*turn[O, A]) error {
	offers := make([]O, len(batch))
	for i, t := range batch {
		offers[i] = t.offer
	}
	answers, err := l.try(key, offers)
	if poisonous(err) && len(batch) > 1 {
		return errors.Join(l.settle(key, batch[:len(batch)/2]), l.settle(key, batch[len(batch)/2:]))
	}
	answer(batch, answers, err)
	return err
}

// try asks for the answers. A panic is an error like another: it happens on no
// handler's goroutine, and would end the process. Nobody knows how far it came.
func (l *lane[O, A]) try(key int64, offers []O) (answers []A, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("a panic: %v at %s: %w", v, debug.Stack(), auction.ErrUnavailable)
		}
	}()
	return l.answer(key, offers)
}

// answer gives everybody in a batch their answer, or all of them the error.
func answer[O, A any](batch []*turn[O, A], answers []A, err error) {
	for i, t := range batch {
		if t.err = err; err == nil {
			t.got = answers[i]
		}
		close(t.done)
	}
}

// gathered takes a key's next batch, once so many were answered; none ends
// its stay in the lane.
func (l *lane[O, A]) gathered(key int64, answered int) []*turn[O, A] {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting -= answered
	batch := l.next[key]
	if len(batch) == 0 {
		delete(l.next, key)
		return nil
	}
	n := min(len(batch), maxBatch)
	l.next[key] = batch[n:]
	return batch[:n]
}

// close refuses what comes from now on and waits until all else is answered.
func (l *lane[O, A]) close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.idle.Wait()
}

// load is how many offers wait, for how many keys.
func (l *lane[O, A]) load() (offers, keys int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.waiting, len(l.next)
}

// poisonous says whether an error is the fault of what was asked, not of the
// database's state or reach.
func poisonous(err error) bool {
	return err != nil && !errors.Is(err, auction.ErrUnavailable) && !errors.Is(err, auction.ErrNotFound)
}
