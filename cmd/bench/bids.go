package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

type bidsCommand struct {
	target
	Bidders int           `default:"512" help:"How many bidders, each with a connection."`
	For     time.Duration `default:"10s" help:"How long they bid."`
}

// Run measures bids on one lot.
func (c bidsCommand) Run(ctx context.Context, p *program) (err error) {
	h, err := c.open(ctx, p, c.Bidders)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Stop()) }()
	lots, how, err := h.Lots(ctx, 1, time.Now().Add(24*time.Hour))
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%d bidders, lot %d listed by %s\n", len(h.Bidders), lots[0].ID, how)
	return nil
}
