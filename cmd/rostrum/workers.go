package main

import (
	"context"
	"sync"
	"time"

	"rostrum/store"
)

// workers are the loops that say when; what they do is in `store`. Any number
// of instances may run all of them.
type workers struct {
	wait   sync.WaitGroup
	cancel context.CancelFunc
}

// stop ends the loops and waits for what they have under way.
func (w *workers) stop() {
	w.cancel()
	w.wait.Wait()
}

// startWorkers starts the loops. They outlive the requests that the server
// finishes when it stops, so they have a context of their own.
func (p *program) startWorkers(s *store.Store, db *database, m *metrics) *workers {
	ctx, cancel := context.WithCancel(context.Background())
	w := &workers{cancel: cancel}
	trouble := func(err error) { p.log.Error("a worker is in trouble", "err", err) }

	w.wait.Go(func() { s.Feed.Notify(ctx, trouble) })
	w.wait.Go(func() { s.Feed.Listen(ctx, trouble) })
	w.wait.Go(func() { s.Feed.Poll(ctx, trouble) })
	w.wait.Go(func() { closeLots(ctx, s.NewCloser(m.closed), trouble) })
	w.wait.Go(func() { refreshRanks(ctx, s, trouble) })
	w.wait.Go(func() { sweepSessions(ctx, s.Sessions(), trouble) })
	if s.Replica.Exists() {
		w.wait.Go(func() { checkReplica(ctx, s.Replica, trouble) })
	}
	w.wait.Go(func() { writeSeen(ctx, s.Seen, trouble) })
	if db.cluster != nil {
		w.wait.Go(func() { db.cluster.Supervise(ctx, trouble) })
	}
	return w
}

// closeLots closes what is due until nothing is, then sleeps until the next
// end or a second, whichever is sooner.
func closeLots(ctx context.Context, closer *store.Closer, trouble func(error)) {
	for ctx.Err() == nil {
		closed, err := within(ctx, closer.Once)
		wait := time.Second
		if err == nil && closed > 0 {
			continue
		}
		if err == nil {
			wait, err = closer.NextEnd(ctx, time.Second)
		}
		if err != nil && ctx.Err() == nil {
			trouble(err)
		}
		pause(ctx, wait)
	}
}

// refreshRanks keeps the orders by price and by bids up to date: five seconds,
// and where that takes long (100,000 open lots: a tenth of one) no more than a
// fiftieth of the time.
func refreshRanks(ctx context.Context, s *store.Store, trouble func(error)) {
	for ctx.Err() == nil {
		began := time.Now()
		if _, err := within(ctx, s.RefreshRanks); err != nil && ctx.Err() == nil {
			trouble(err)
		}
		pause(ctx, max(5*time.Second, 50*time.Since(began)))
	}
}

func sweepSessions(ctx context.Context, sessions *store.Sessions, trouble func(error)) {
	for ctx.Err() == nil {
		if _, err := within(ctx, sessions.DeleteExpired); err != nil && ctx.Err() == nil {
			trouble(err)
		}
		pause(ctx, time.Hour)
	}
}

// checkReplica looks every half second how old the replica is; one in trouble,
// which is not in use, less often.
func checkReplica(ctx context.Context, replica *store.Replica, trouble func(error)) {
	for ctx.Err() == nil {
		wait := 500 * time.Millisecond
		if err := replica.Check(ctx); err != nil && ctx.Err() == nil {
			trouble(err)
			wait = 10 * time.Second
		}
		pause(ctx, wait)
	}
}

// writeSeen writes every minute who was seen, and once more when the house
// closes.
func writeSeen(ctx context.Context, seen *store.Seen, trouble func(error)) {
	for {
		pause(ctx, time.Minute)
		if _, err := within(context.WithoutCancel(ctx), seen.Once); err != nil {
			trouble(err)
		}
		if ctx.Err() != nil {
			return
		}
	}
}

// within gives a piece of work half a minute: a database that answers nothing
// at all, not even that it is too busy, must not hold a worker for ever.
func within(ctx context.Context, once func(context.Context) (int, error)) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	return once(ctx)
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
