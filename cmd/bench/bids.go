package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"rostrum/cmd/bench/load"
	"rostrum/cmd/bench/report"
	"rostrum/store/auction"
)

// bidding says how a crowd bids.
type bidding struct {
	Bidders int           `default:"512" help:"How many bidders, each with a connection."`
	For     time.Duration `default:"10s" help:"How long they bid."`
	Warm    time.Duration `default:"2s" help:"How long they bid before that, which is audited and not measured."`
	Rate    float64       `help:"How many bids a second arrive, whether they are answered or not (open loop); 0: as fast as they are answered."`
	Low     float64       `help:"How many of the bids are too low: 0.5 is every other one, which offers the starting price."`
	Seed    uint64        `default:"1" help:"Who bids on what, and what is too low, follows from this number."`
}

func (b bidding) check() error {
	switch {
	case b.Bidders < 1 || b.Bidders > 50_000:
		return fmt.Errorf("--bidders %d is not 1 to 50000", b.Bidders)
	case b.For <= 0 || b.For > time.Hour:
		return fmt.Errorf("--for %s is not more than 0 and at most 1h", b.For)
	case b.Warm < 0 || b.Warm > time.Hour:
		return fmt.Errorf("--warm %s is not 0s to 1h", b.Warm)
	case !(b.Rate >= 0 && b.Rate <= 1_000_000):
		return fmt.Errorf("--rate %v is not 0 to 1000000", b.Rate)
	case !(b.Low >= 0 && b.Low <= 1):
		return fmt.Errorf("--low %v is not a share from 0 to 1", b.Low)
	}
	return nil
}

type bidsCommand struct {
	measured
	bidding
}

// Validate finds what is wrong with the flags.
func (c bidsCommand) Validate() error { return errors.Join(c.measured.check(), c.bidding.check()) }

// Run measures bids on one lot.
func (c bidsCommand) Run(ctx context.Context, p *program) error {
	return c.run(ctx, p, c.Bidders, func(ctx context.Context, s *session) error {
		lots, how, err := s.house.Lots(ctx, 1, openEnd())
		if err != nil {
			return err
		}
		s.note("1 lot, listed by %s", how)
		return s.bid(ctx, c.bidding, lots)
	})
}

// openEnd is an end that no run lives to see.
func openEnd() time.Time { return time.Now().Add(24 * time.Hour) }

// bid lets the crowd bid, tells how it went and audits the books.
func (s *session) bid(ctx context.Context, b bidding, lots []auction.Auction) error {
	plan := load.Plan{House: s.house, Lots: lots, For: b.Warm + b.For, Rate: b.Rate, Low: b.Low, Seed: b.Seed}
	s.say("%d bidders bid for %s, after %s to warm up", len(s.house.Bidders), b.For, b.Warm)
	s.note("%s of bids before were to warm up: audited, not measured", b.Warm)
	var volley load.Volley
	err := s.usedAfter(ctx, b.Warm, func() (err error) {
		volley, err = plan.Run(ctx)
		return err
	})
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return err
	}
	measured := plan
	measured.For = b.For
	s.bids("bids", measured, load.After(b.Warm, volley.Shots))
	return s.audit(ctx, "lots", plan, volley)
}

// bids tells how bids were answered.
func (s *session) bids(kind string, plan load.Plan, shots []load.Shot) {
	var all, accepted, refused, late []time.Duration
	var first, last time.Duration
	if len(shots) > 0 {
		first = shots[0].Due
	}
	queued, overtaken, statuses := 0, 0, map[int]int{}
	for _, shot := range shots {
		statuses[shot.Status]++
		first, last = min(first, shot.Due), max(last, shot.Return)
		all, late = append(all, shot.Latency()), append(late, shot.Late())
		if shot.Queued() {
			queued++
		}
		switch shot.Status {
		case 201:
			accepted = append(accepted, shot.Latency())
		case 409:
			refused = append(refused, shot.Latency())
			if !shot.Low {
				overtaken++
			}
		}
	}
	rate := func(n int) float64 { return float64(n) / max(last-first, plan.For).Seconds() }
	s.figure(kind+" answered a second", rate(len(all)-statuses[0]), "1/s")
	s.figure(kind+" accepted a second", rate(len(accepted)), "1/s")
	s.figure(kind+" refused a second", rate(len(refused)), "1/s")
	s.figure(kind+" accepted", float64(len(accepted)), "")
	s.figure(kind+" refused", float64(len(refused)), "")
	s.figure(kind+" overtaken", float64(overtaken), "")
	s.figure(kind+" answered 503", float64(statuses[503]), "")
	s.figure(kind+" not answered", float64(statuses[0]), "")
	s.figure(kind+" answered otherwise", float64(len(all)-len(accepted)-len(refused)-statuses[503]-statuses[0]), "")
	s.report.Latencies = append(s.report.Latencies, report.NewLatencies(kind, all))
	if len(accepted) < len(all) {
		s.report.Latencies = append(s.report.Latencies,
			report.NewLatencies(kind+", accepted", accepted), report.NewLatencies(kind+", refused", refused))
	}
	if plan.Rate > 0 {
		s.figure(kind+" due while no bidder was free", float64(queued), "")
		s.report.Latencies = append(s.report.Latencies, report.NewLatencies("bench itself late", late))
		s.note("%.0f bids a second arrived at fixed instants; a latency counts from then, also while no bidder was free", plan.Rate)
	} else {
		s.note("each bidder bids again as soon as they are answered")
	}
	if overtaken > 0 {
		s.note("of the bids refused, those overtaken rose when they were made, and a higher one was judged before them")
	}
	s.strain(kind, late, queued)
	s.limited(kind, statuses[429])
	s.note("%d bidders with a connection each, seed %d", len(s.house.Bidders), plan.Seed)
}
