package store

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// clock is the database's clock as last asked, carried on by the monotonic
// clock of this process: a jump of this machine's own time does not move it.
type clock struct{ last atomic.Pointer[reading] }

type reading struct{ database, local time.Time }

func (c *clock) now() time.Time {
	last := c.last.Load()
	if last == nil {
		return time.Now().UTC()
	}
	return last.database.Add(time.Since(last.local))
}

// read asks the database for the time. The answer is taken for the middle of
// the round trip.
func (c *clock) read(ctx context.Context, pool *pgxpool.Pool) error {
	ctx, cancel := context.WithTimeout(ctx, feedPatience)
	defer cancel()
	conn, err := pool.Acquire(ctx) // waiting for a connection is no part of the round trip
	if err != nil {
		return fault("read the database's clock", err)
	}
	defer conn.Release()
	sent := time.Now()
	var database time.Time
	if err := conn.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&database); err != nil {
		return fault("read the database's clock", err)
	}
	trip := time.Since(sent)
	c.last.Store(&reading{database: database.UTC(), local: sent.Add(trip / 2)})
	return nil
}
