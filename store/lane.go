package store

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/jackc/pgx/v5"

	"rostrum/store/auction"
)

// maxBatch bounds how long one batch holds its lot: 1,000 bids take about 20 ms.
const maxBatch = 1000

// lane has offers on lots answered in batches. Each lot has at most one batch
// under way; what comes for it meanwhile is its next batch. Alone, an offer
// leaves at once; in a rush thousands share one commit. A lot that nobody asks
// for costs nothing.
type lane[O, A any] struct {
	// answer decides a lot's offers in their order and returns an answer for
	// each. After an error none of them left anything that another try would
	// not find.
	answer func(lotID int64, offers []O) ([]A, error)
	queue  int // how many offers may wait in all; half as many for one lot

	mu      sync.Mutex
	next    map[int64][]*turn[O, A] // what gathers behind the batch under way, by lot; a key for each batch under way
	waiting int
	closed  bool
	idle    sync.WaitGroup // lots with a batch under way
}

// turn is an offer that waits for its answer.
type turn[O, A any] struct {
	offer O
	done  chan struct{}
	got   A
	err   error
}

func newLane[O, A any](queue int, answer func(lotID int64, offers []O) ([]A, error)) *lane[O, A] {
	return &lane[O, A]{answer: answer, queue: queue, next: map[int64][]*turn[O, A]{}}
}

// place waits for the answer to an offer. ErrUnavailable comes at once where
// too many wait already, or the lane is closed.
func (l *lane[O, A]) place(lotID int64, offer O) (A, error) {
	t := &turn[O, A]{offer: offer, done: make(chan struct{})}
	if err := l.join(lotID, t); err != nil {
		return t.got, err
	}
	<-t.done
	return t.got, t.err
}

func (l *lane[O, A]) join(lotID int64, t *turn[O, A]) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	gathered, busy := l.next[lotID]
	switch {
	case l.closed:
		return fmt.Errorf("the house is closing: %w", auction.ErrUnavailable)
	case l.waiting >= l.queue || len(gathered) >= (l.queue+1)/2:
		return fmt.Errorf("too many wait already, %d in all and %d for the same: %w", l.waiting, len(gathered), auction.ErrUnavailable)
	}
	l.waiting++
	if busy {
		l.next[lotID] = append(gathered, t)
		return nil
	}
	l.next[lotID] = nil
	l.idle.Add(1)
	go l.run(lotID, []*turn[O, A]{t})
	return nil
}

// run answers a lot's batches until nothing has gathered behind the last.
func (l *lane[O, A]) run(lotID int64, batch []*turn[O, A]) {
	defer l.idle.Done()
	for len(batch) > 0 {
		err := l.settle(lotID, batch)
		batch = l.gathered(lotID, len(batch))
		for errors.Is(err, auction.ErrUnavailable) && len(batch) > 0 {
			// Out of reach for one batch is out of reach for the next: nobody
			// waits for as many tries as there are batches.
			answer(batch, nil, err)
			batch = l.gathered(lotID, len(batch))
		}
	}
}

// settle answers a batch. Where one offer in it makes the database fail, the
// halves are tried by themselves, so that it fails alone.
func (l *lane[O, A]) settle(lotID int64, batch []*turn[O, A]) error {
	offers := make([]O, len(batch))
	for i, t := range batch {
		offers[i] = t.offer
	}
	answers, err := l.try(lotID, offers)
	if poisonous(err) && len(batch) > 1 {
		return errors.Join(l.settle(lotID, batch[:len(batch)/2]), l.settle(lotID, batch[len(batch)/2:]))
	}
	answer(batch, answers, err)
	return err
}

// try asks for the answers. A panic is an error like another: it happens on no
// handler's goroutine, and would end the process. Nobody knows how far it came.
func (l *lane[O, A]) try(lotID int64, offers []O) (answers []A, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("a panic: %v at %s: %w", v, debug.Stack(), auction.ErrUnavailable)
		}
	}()
	return l.answer(lotID, offers)
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

// gathered takes a lot's next batch, once so many were answered; none ends
// the lot's stay in the lane.
func (l *lane[O, A]) gathered(lotID int64, answered int) []*turn[O, A] {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting -= answered
	batch := l.next[lotID]
	if len(batch) == 0 {
		delete(l.next, lotID)
		return nil
	}
	n := min(len(batch), maxBatch)
	l.next[lotID] = batch[n:]
	return batch[:n]
}

// close refuses what comes from now on and waits until all else is answered.
func (l *lane[O, A]) close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.idle.Wait()
}

// load is how many offers wait, on how many lots.
func (l *lane[O, A]) load() (offers, lots int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.waiting, len(l.next)
}

// poisonous says whether an error is the fault of what was asked, not of the
// database's state or reach.
func poisonous(err error) bool {
	return err != nil && !errors.Is(err, auction.ErrUnavailable) && !errors.Is(err, auction.ErrNotFound) && !errors.Is(err, pgx.ErrNoRows)
}
