package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"rostrum/cmd/bench/load"
	"rostrum/store/auction"
)

type closeCommand struct {
	measured
	Lots    int           `default:"100000" help:"How many lots end at one instant."`
	Due     time.Duration `default:"1m" help:"How long from now that instant is: listing them must be done by then."`
	Within  time.Duration `default:"2m" help:"How long to wait for the last one to be closed."`
	Rate    float64       `default:"200" help:"How many bids a second arrive on other lots meanwhile."`
	Others  int           `default:"100" help:"How many other lots."`
	Bidders int           `default:"128" help:"How many bidders, each with a connection."`
	Seed    uint64        `default:"1" help:"Who bids on what follows from this number."`
}

// Validate finds what is wrong with the flags.
func (c closeCommand) Validate() error {
	wrong := errors.Join(c.measured.check(), manyLots(c.Lots),
		bidding{Bidders: c.Bidders, For: c.Within, Rate: c.Rate}.check())
	switch {
	case wrong != nil:
		return wrong
	case c.Rate == 0:
		return errors.New("--rate must be more than 0")
	case c.Others < 1 || c.Others > 400:
		return fmt.Errorf("--others %d is not 1 to 400", c.Others)
	case c.Due < before+early || c.Due > time.Hour:
		return fmt.Errorf("--due %s is not %s to 1h", c.Due, before+early)
	}
	return nil
}

// The bids on the due lots are over this early, so that some of them are sold,
// and those on other lots begin this long before the end.
const (
	early  = time.Second
	before = 2 * time.Second
)

// Run measures how long it takes to close lots that end together. A house that
// is started has no soft close, since the bids before would move their ends.
func (c closeCommand) Run(ctx context.Context, p *program) error {
	c.SoftClose = 0
	return c.run(ctx, p, c.Bidders, func(ctx context.Context, s *session) error {
		end := time.Now().Add(c.Due).Truncate(time.Microsecond)
		due, how, err := s.house.Lots(ctx, c.Lots, end)
		if err != nil {
			return err
		}
		s.note("%d lots that end at one instant, listed by %s", len(due), how)
		others, _, err := s.house.Lots(ctx, c.Others, openEnd())
		if err != nil {
			return err
		}
		s.note("%d other lots, listed by POST /auctions", len(others))
		return c.measure(ctx, s, due, others, end)
	})
}

func (c closeCommand) measure(ctx context.Context, s *session, due, others []auction.Auction, end time.Time) error {
	left := time.Until(end) - before - early
	if left <= 0 {
		return fmt.Errorf("listing took longer than --due %s leaves: give it more", c.Due)
	}
	first := load.Plan{House: s.house, Lots: due, For: min(left, before), Seed: c.Seed}
	sold, err := first.Run(ctx)
	if err != nil {
		return err
	}
	meanwhile := load.Plan{House: s.house, Lots: others, For: time.Until(end) + c.Within + before, Rate: c.Rate, Seed: c.Seed}
	var bids load.Volley
	var closing time.Duration // from the end until the last one was seen closed
	var began time.Time
	err = s.used(func() error {
		wait(ctx, time.Until(end)-before)
		s.say("%d lots end in %s", len(due), time.Until(end).Round(time.Millisecond))
		bidding, enough := context.WithCancel(ctx)
		defer enough()
		failed := make(chan error, 1)
		began = time.Now()
		go func() {
			var err error
			bids, err = meanwhile.Run(bidding)
			failed <- err
		}()
		wait(ctx, time.Until(end))
		closed := s.house.Closed(ctx, due, end, c.Within)
		closing = time.Since(end)
		enough()
		return cmp.Or(<-failed, closed)
	})
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return err
	}
	s.figure("seconds until all were closed, with results and events", closing.Seconds(), "s")
	s.figure("lots closed a second", float64(len(due))/closing.Seconds(), "1/s")
	c.bids(s, meanwhile, bids, end.Sub(began), closing)
	if err := s.audit(ctx, "lots that ended", first, sold); err != nil {
		return err
	}
	return s.audit(ctx, "other lots", meanwhile, bids)
}

// bids tells of the bids on other lots: of those that were due before the end,
// and of those that were due while lots were being closed.
func (c closeCommand) bids(s *session, plan load.Plan, volley load.Volley, end, closing time.Duration) {
	var quiet, busy []load.Shot
	for _, shot := range volley.Shots {
		if shot.Due < end {
			quiet = append(quiet, shot)
		} else {
			busy = append(busy, shot)
		}
	}
	plan.For = closing
	s.bids("bids before", load.Plan{House: plan.House, For: end, Rate: plan.Rate, Seed: plan.Seed}, quiet)
	s.bids("bids meanwhile", plan, busy)
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
