package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"rostrum/cmd/bench/load"
	"rostrum/cmd/bench/report"
	"rostrum/store/auction"
)

type pagesCommand struct {
	measured
	Visitors int           `default:"16" help:"How many visitors, each with a connection, none signed in."`
	For      time.Duration `default:"10s" help:"How long they look."`
	Warm     time.Duration `default:"2s" help:"How long they look before that, which is not measured."`
	Rate     float64       `help:"How many pages a second are asked for, whether they are answered or not; 0: as fast as they are answered."`
	Lots     int           `default:"10000" help:"How many lots there are (at most 400 with --url)."`
	Seed     uint64        `default:"1" help:"Who looks at what follows from this number."`
}

// Validate finds what is wrong with the flags.
func (c pagesCommand) Validate() error {
	wrong := errors.Join(c.measured.check(), manyLots(c.Lots), bidding{Bidders: 1, For: c.For, Warm: c.Warm, Rate: c.Rate}.check())
	if wrong == nil && (c.Visitors < 1 || c.Visitors > 50_000) {
		wrong = fmt.Errorf("--visitors %d is not 1 to 50000", c.Visitors)
	}
	return wrong
}

// pageBidders are those whose bids the pages show.
const pageBidders = 16

// Run measures pages.
func (c pagesCommand) Run(ctx context.Context, p *program) error {
	return c.run(ctx, p, pageBidders, func(ctx context.Context, s *session) error {
		lots, how, err := s.house.Lots(ctx, c.Lots, openEnd())
		if err != nil {
			return err
		}
		s.note("%d lots, listed by %s, on some of which %d bidders bid for a second before", len(lots), how, pageBidders)
		bids := load.Plan{House: s.house, Lots: lots, For: time.Second, Seed: c.Seed}
		volley, err := bids.Run(ctx)
		if err != nil {
			return err
		}
		tour := load.Tour{House: s.house, Pages: pagesOf(lots), Visitors: c.Visitors, For: c.For, Warm: c.Warm, Rate: c.Rate, Seed: c.Seed}
		s.say("%d visitors look for %s", c.Visitors, c.For)
		var visits []load.Visit
		err = s.usedAfter(ctx, c.Warm, func() (err error) {
			visits, err = tour.Run(ctx)
			return err
		})
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		s.visits(tour, visits)
		return s.audit(ctx, "lots", bids, volley)
	})
}

// pagesOf are the pages that are looked at. All lots have a title in common.
func pagesOf(lots []auction.Auction) []load.Page {
	const title = "Bench lot"
	return []load.Page{
		{Kind: "home", Path: func(*rand.Rand) string { return "/" }, Has: title},
		{Kind: "search", Path: func(dice *rand.Rand) string { return fmt.Sprintf("/auctions?q=lot+%d", 1+dice.IntN(len(lots))) }, Has: title},
		{Kind: "auction", Path: func(dice *rand.Rand) string { return fmt.Sprintf("/auctions/%d", lots[dice.IntN(len(lots))].ID) }, Has: title},
	}
}

// visits tells how pages were answered. A page that is not the right one fails
// the run, as wrong books do.
func (s *session) visits(tour load.Tour, visits []load.Visit) {
	var all, late []time.Duration
	var last time.Duration
	kinds, sizes := make([][]time.Duration, len(tour.Pages)), make([]int, len(tour.Pages))
	wrong, queued := 0, 0
	for _, v := range visits {
		last = max(last, v.Return)
		all, late = append(all, v.Return-v.Due), append(late, v.Sent-max(v.Due, v.Free))
		kinds[v.Page] = append(kinds[v.Page], v.Return-v.Due)
		sizes[v.Page] += v.Size
		if v.Free > v.Due {
			queued++
		}
		if !v.Right {
			wrong++
		}
	}
	last = max(last, tour.For)
	s.figure("pages a second", float64(len(all)-wrong)/last.Seconds(), "1/s")
	s.report.Latencies = append(s.report.Latencies, report.NewLatencies("all pages", all))
	for i, page := range tour.Pages {
		s.figure(page.Kind+" pages a second", float64(len(kinds[i]))/last.Seconds(), "1/s")
		s.figure(page.Kind+" page, mean size", float64(sizes[i])/1024/max(float64(len(kinds[i])), 1), "KiB")
		s.report.Latencies = append(s.report.Latencies, report.NewLatencies(page.Kind, kinds[i]))
	}
	s.figure("pages not answered, or not as they must be", float64(wrong), "")
	if wrong > 0 {
		s.report.Audit.Wrong = append(s.report.Audit.Wrong, fmt.Sprintf("%d of %d pages were not answered, or not as they must be", wrong, len(all)))
	}
	if tour.Rate > 0 {
		s.report.Latencies = append(s.report.Latencies, report.NewLatencies("bench itself late", late))
		s.note("%.0f pages a second were asked for at fixed instants; a latency counts from then", tour.Rate)
	}
	s.strain("pages", late, queued)
	s.note("%s of looking before were to warm up, and not measured", tour.Warm)
	s.note("%d visitors with a connection each, none signed in, no compression, seed %d", tour.Visitors, tour.Seed)
}
