package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"rostrum/cmd/bench/audience"
	"rostrum/cmd/bench/house"
	"rostrum/cmd/bench/load"
	"rostrum/cmd/bench/report"
	"rostrum/store/auction"
)

type watchCommand struct {
	measured
	Streams int           `default:"3000" help:"How many event streams watch one lot."`
	Stalled int           `help:"How many of them never read."`
	HTML    bool          `help:"They are sent a page's frames, not a program's."`
	For     time.Duration `default:"10s" help:"How long they are watched."`
	Rate    float64       `default:"200" help:"How many bids a second arrive."`
	Bidders int           `default:"64" help:"How many bidders, each with a connection."`
	Seed    uint64        `default:"1" help:"Who bids follows from this number."`
}

// Validate finds what is wrong with the flags.
func (c watchCommand) Validate() error {
	wrong := errors.Join(c.measured.check(), bidding{Bidders: c.Bidders, For: c.For, Rate: c.Rate}.check())
	switch {
	case wrong != nil:
		return wrong
	case c.Rate == 0:
		return errors.New("--rate must be more than 0")
	case c.Streams < 1 || c.Streams > 200_000:
		return fmt.Errorf("--streams %d is not 1 to 200000", c.Streams)
	case c.Stalled < 0 || c.Stalled >= c.Streams:
		return fmt.Errorf("--stalled %d is not 0 to less than --streams", c.Stalled)
	}
	return nil
}

// warm is how long bids arrive before anything is measured.
const warm = 2 * time.Second

// Run measures streams on one lot.
func (c watchCommand) Run(ctx context.Context, p *program) error {
	return c.run(ctx, p, c.Bidders, func(ctx context.Context, s *session) error {
		lots, how, err := s.house.Lots(ctx, 2, openEnd())
		if err != nil {
			return err
		}
		s.note("1 lot, listed by %s", how)
		quiet := load.Plan{House: s.house, Lots: lots[1:], For: warm, Rate: c.Rate, Seed: c.Seed}
		if _, err := quiet.Run(ctx); err != nil { // on another lot, so that the base line is a house at work
			return err
		}
		return c.measure(ctx, s, lots[0])
	})
}

func (c watchCommand) measure(ctx context.Context, s *session, lot auction.Auction) error {
	base, err := s.settled(ctx)
	if err != nil {
		return err
	}
	before, known := s.house.Usage()
	s.say("%d streams are opened", c.Streams)
	began := time.Now()
	crowd, err := audience.Open(audience.Options{URL: s.house.URLs[0], Path: fmt.Sprintf("/auctions/%d/events", lot.ID),
		Streams: c.Streams, Stalled: c.Stalled, HTML: c.HTML})
	if err != nil {
		return err
	}
	s.figure("seconds until all streams were open", time.Since(began).Seconds(), "s")
	plan := load.Plan{House: s.house, Lots: []auction.Auction{lot}, For: warm + c.For, Rate: c.Rate, Seed: c.Seed}
	volley, seen, cpu, err := c.watch(ctx, s, crowd, plan)
	after, _ := s.house.Usage()
	open, err2 := s.gauge("rostrum_streams_open")
	crowd.Close()
	if err = cmp.Or(err, err2, ctx.Err()); err != nil {
		return err
	}
	s.seen(c, seen)
	s.figure("streams open at the end, as the house counts", open, "")
	if known {
		s.figure("memory of the server before", float64(before.Now)/(1<<20), "MiB")
		s.figure("memory of the server at the end", float64(after.Now)/(1<<20), "MiB")
		s.figure("memory a stream", float64(after.Now-before.Now)/1024/float64(c.Streams), "KiB")
		s.figure("processor time of the server a frame, with the bids", float64(cpu.Microseconds())/max(float64(len(seen.Ages)), 1), "µs")
	}
	if err := s.leave(ctx, base); err != nil {
		return err
	}
	s.bids("bids", plan, volley.Shots)
	return s.audit(ctx, "lots", plan, volley)
}

// watch lets bids arrive, and takes what the crowd sees and the server uses
// once they have begun.
func (c watchCommand) watch(ctx context.Context, s *session, crowd *audience.Audience, plan load.Plan) (volley load.Volley, seen audience.Seen, cpu time.Duration, err error) {
	s.say("%.0f bids a second arrive for %s", plan.Rate, plan.For)
	err = s.used(func() error {
		failed := make(chan error, 1)
		go func() {
			var err error
			volley, err = plan.Run(ctx)
			failed <- err
		}()
		wait(ctx, warm)
		crowd.Take()
		first, _ := s.house.Usage()
		wait(ctx, c.For)
		last, _ := s.house.Usage()
		seen, cpu = crowd.Take(), last.CPU-first.CPU
		return <-failed
	})
	return volley, seen, cpu, err
}

// seen tells what the crowd saw.
func (s *session) seen(c watchCommand, seen audience.Seen) {
	each := slices.Sorted(slices.Values(seen.Frames))
	rate := func(frames int) float64 { return float64(frames) / c.For.Seconds() }
	s.figure("frames a second, all streams", rate(len(seen.Ages)), "1/s")
	s.figure("frames a second, the stream with least", rate(each[0]), "1/s")
	s.figure("frames a second, the middle stream", rate(each[len(each)/2]), "1/s")
	s.figure("bytes a frame, on the wire", float64(seen.Bytes)/max(float64(len(seen.Ages)), 1), "")
	s.figure("streams dropped, of those that read", float64(seen.Dropped), "")
	s.report.Latencies = append(s.report.Latencies, report.NewLatencies("age of a frame when it was read", seen.Ages))
	s.note("%d streams, of which %d never read; one goroutine of bench reads all of them", c.Streams, c.Stalled)
	s.note("an age is this machine's clock less the server's time in the frame; a frame is made once for all, and the next one 150 ms later at the soonest")
	if seen.Again > 0 || seen.Broken > 0 {
		s.report.Audit.Wrong = append(s.report.Audit.Wrong,
			fmt.Sprintf("%d frames came twice or late on their stream, and %d were not whole", seen.Again, seen.Broken))
	}
}

// settled is the house's base line: what is left once the bidders of the warm-up are gone.
func (s *session) settled(ctx context.Context) (goroutines float64, err error) {
	for last := math.Inf(1); err == nil && ctx.Err() == nil; last = goroutines {
		if goroutines, err = s.gauge("go_goroutines"); goroutines >= last {
			break
		}
		wait(ctx, 300*time.Millisecond)
	}
	return goroutines, err
}

// slack is how many goroutines come and go by themselves.
const slack = 10

// leave waits until the house has forgotten the crowd.
func (s *session) leave(ctx context.Context, base float64) error {
	began := time.Now()
	for {
		left, err := s.gauge("go_goroutines")
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		if late := time.Since(began) > house.Patience; late || left <= base+slack {
			s.figure("goroutines before the streams", base, "")
			s.figure("goroutines after they left", left, "")
			if late {
				s.report.Audit.Wrong = append(s.report.Audit.Wrong, fmt.Sprintf("%.0f goroutines are left of %.0f before the streams", left, base))
			}
			return nil
		}
		wait(ctx, 50*time.Millisecond)
	}
}

// gauge reads one of the house's metrics.
func (s *session) gauge(name string) (value float64, err error) {
	err = s.house.Get("/metrics", func(_ int, body []byte) (err error) {
		for line := range strings.Lines(string(body)) {
			if text, found := strings.CutPrefix(line, name+" "); found {
				value, err = strconv.ParseFloat(strings.TrimSpace(text), 64)
				return err
			}
		}
		return fmt.Errorf("there is no %s", name)
	})
	return value, err
}
