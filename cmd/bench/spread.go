package main

import (
	"context"
	"errors"
	"fmt"
)

type spreadCommand struct {
	measured
	bidding
	Lots int `default:"100000" help:"How many open lots."`
}

// Validate finds what is wrong with the flags.
func (c spreadCommand) Validate() error {
	return errors.Join(c.measured.check(), c.bidding.check(), manyLots(c.Lots))
}

func manyLots(n int) error {
	if n < 1 || n > 1_000_000 {
		return fmt.Errorf("--lots %d is not 1 to 1000000", n)
	}
	return nil
}

// Run measures bids that are spread over many lots.
func (c spreadCommand) Run(ctx context.Context, p *program) error {
	return c.run(ctx, p, c.Bidders, func(ctx context.Context, s *session) error {
		lots, how, err := s.house.Lots(ctx, c.Lots, openEnd())
		if err != nil {
			return err
		}
		s.note("%d lots, listed by %s; each bid goes to any of them", len(lots), how)
		return s.bid(ctx, c.bidding, lots)
	})
}
