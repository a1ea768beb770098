package embedded

import (
	"context"
	"errors"
	"time"
)

// Supervise starts PostgreSQL again whenever it dies, until ctx ends or the
// cluster is closed. It tells report of each death and of each start that
// failed. It is for the server, which outlives the command line tools.
func (c *Cluster) Supervise(ctx context.Context, report func(error)) {
	for !c.closed.Load() {
		pause := 200 * time.Millisecond
		if !c.running() {
			if err := c.revive(ctx, report); err != nil && ctx.Err() == nil {
				report(err)
				pause = time.Second // a cause that stays, such as a full disk
			}
		}
		if sleep(ctx, pause) != nil {
			return
		}
	}
}

func (c *Cluster) revive(ctx context.Context, report func(error)) error {
	gate, err := c.enterGate(ctx)
	if err != nil {
		return err
	}
	defer unlock(gate)
	if c.closed.Load() || c.running() { // closed, or a tool was quicker
		return nil
	}
	report(errors.New("PostgreSQL ended unexpectedly and is started again"))
	return c.ready(ctx, gate)
}
