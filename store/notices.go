package store

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// Notices between instances are ids of auctions that changed, sent after
// commit by a transaction of their own: NOTIFY in the transaction of a bid
// would make all commits wait for one another.
const (
	channel     = "rostrum_auctions"
	people      = "rostrum_people" // somebody changed, or a token ended: told by triggers
	notifyEvery = 50 * time.Millisecond
	notifyBytes = 7_900 // PostgreSQL takes under 8,000 in one notice
	pollEvery   = time.Second

	// feedPatience is how long the feed waits for an answer. A connection that
	// died without a word would otherwise hold it up for many minutes.
	feedPatience = 5 * time.Second
)

// Notify tells other instances what changed, at most every 50 ms, until ctx
// ends. What could not be told is left to their poll.
func (f *Feed) Notify(ctx context.Context, report func(error)) {
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.more:
		}
		select {
		case <-ctx.Done():
			return
		case <-pause.C:
		}
		for _, notice := range notices(f.take()) {
			if err := f.notify(ctx, notice); err != nil && ctx.Err() == nil {
				report(err)
			}
		}
		pause.Reset(notifyEvery)
	}
}

// notify sends one notice. Nothing is lost with it, so its commit need not wait
// for the disk.
func (f *Feed) notify(ctx context.Context, notice string) error {
	ctx, cancel := context.WithTimeout(ctx, feedPatience)
	defer cancel()
	_, err := f.pool.Exec(ctx, `SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)`, channel, notice)
	return fault("tell other instances", err)
}

// Poll reads every second what notices may have lost, and the database's
// clock, until ctx ends.
func (f *Feed) Poll(ctx context.Context, report func(error)) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, err := range []error{f.clock.read(ctx, f.pool), f.catchUp(ctx, nil)} {
			if err != nil && ctx.Err() == nil {
				report(err)
			}
		}
	}
}

// Listen hears what other instances tell, until ctx ends. It listens on a
// connection of its own and makes a new one when that breaks.
func (f *Feed) Listen(ctx context.Context, report func(error)) {
	for ctx.Err() == nil {
		if err := f.listen(ctx); err != nil && ctx.Err() == nil {
			report(fault("listen to other instances", err))
		}
		select {
		case <-ctx.Done():
		case <-time.After(pollEvery):
		}
	}
}

func (f *Feed) listen(ctx context.Context) error {
	conn, err := f.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	own := conn.Hijack() // it never goes back to the pool
	defer own.Close(context.WithoutCancel(ctx))
	if _, err := own.Exec(ctx, `LISTEN `+channel+`; LISTEN `+people); err != nil {
		return err
	}
	for {
		notice, err := own.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		if notice.Channel == people {
			f.holders.changed()
			continue
		}
		if err := f.catchUp(ctx, heard(notice.Payload)); err != nil {
			return err
		}
	}
}

func (f *Feed) take() []int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	ids := make([]int64, 0, len(f.news))
	for id := range f.news {
		ids = append(ids, id)
	}
	clear(f.news)
	return ids
}

// notices writes ids into as few payloads as PostgreSQL's limit allows.
func notices(ids []int64) []string {
	var payloads []string
	var b strings.Builder
	for _, id := range ids {
		text := strconv.FormatInt(id, 10)
		if b.Len()+1+len(text) > notifyBytes {
			payloads = append(payloads, b.String())
			b.Reset()
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(text)
	}
	if b.Len() > 0 {
		payloads = append(payloads, b.String())
	}
	return payloads
}

func heard(payload string) map[int64]bool {
	ids := map[int64]bool{}
	for text := range strings.FieldsSeq(payload) {
		if id, err := strconv.ParseInt(text, 10, 64); err == nil {
			ids[id] = true
		}
	}
	return ids
}
