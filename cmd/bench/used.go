package main

import (
	"context"
	"os"
	"sync"
	"time"

	"rostrum/cmd/bench/house"
	"rostrum/cmd/bench/report"
)

// usage is what everybody has used until now. What is not known is 0.
type usage struct {
	at         time.Time
	server     house.Usage
	postgresql time.Duration
	bench      house.Usage
	machine    house.Machine
}

func (s *session) usage(postmaster int) (u usage) {
	u.at = time.Now()
	u.server, _ = s.house.Usage()
	u.bench, _ = house.UsageOf(os.Getpid())
	u.machine, _ = house.MachineUsage()
	if postmaster > 0 {
		u.postgresql, _ = house.FamilyCPU(postmaster)
	}
	return u
}

// used measures what house and bench use while something is done.
func (s *session) used(do func() error) error {
	return s.usedAfter(context.Background(), 0, do)
}

// usedAfter measures it from a time after the beginning on, when the house has
// warmed up.
func (s *session) usedAfter(ctx context.Context, warm time.Duration, do func() error) error {
	postmaster := s.house.Postmaster(ctx)
	var first usage
	var known sync.WaitGroup
	if warm == 0 {
		first = s.usage(postmaster)
	} else {
		known.Go(func() {
			wait(ctx, warm)
			first = s.usage(postmaster)
		})
	}
	err := do()
	known.Wait()
	if err == nil {
		s.tellUsage(first, s.usage(postmaster))
	}
	return err
}

// elsewhere is the share of the processors that others may have before the
// figures are doubted.
const elsewhere = 0.1

func (s *session) tellUsage(first, last usage) {
	line := func(name string, value float64, unit string) {
		s.report.Usage = append(s.report.Usage, report.Number(name, value, unit))
	}
	server, postgresql := last.server.CPU-first.server.CPU, last.postgresql-first.postgresql
	bench, took := last.bench.CPU-first.bench.CPU, last.at.Sub(first.at)
	if s.house.Started() {
		line("the server's peak memory (without PostgreSQL)", float64(last.server.Peak>>20), "MiB")
		line("the server's processor time", server.Seconds(), "s")
	}
	if last.postgresql > 0 {
		line("its PostgreSQL's processor time", postgresql.Seconds(), "s")
	}
	line("bench's own processor time", bench.Seconds(), "s")
	busy, idle, stolen := last.machine.Busy-first.machine.Busy, last.machine.Idle-first.machine.Idle, last.machine.Stolen-first.machine.Stolen
	others := max(busy-server-postgresql-bench, 0)
	if all := busy + idle + stolen; all > 0 {
		line("processor time of all else on the machine", others.Seconds(), "s")
		line("processors idle", 100*float64(idle)/float64(all), "%")
		line("processors taken by other machines", 100*float64(stolen)/float64(all), "%")
		if share := float64(others+stolen) / float64(all); share > elsewhere && last.postgresql > 0 {
			s.doubt("%.0f %% of the processors' time went to others, neither the house nor bench", 100*share)
		}
	}
	line("time that this took", took.Seconds(), "s")
}
