package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"rostrum/cmd/bench/house"
	"rostrum/cmd/bench/report"
)

// measured is what every command has: a house and a report.
type measured struct {
	target
	JSON bool   `help:"Write the report as JSON."`
	Plot string `placeholder:"FILE.svg" help:"Draw the latencies' percentiles there."`
}

func (m measured) check() error {
	if info, err := os.Stat(filepath.Dir(m.Plot)); m.Plot != "" && (err != nil || !info.IsDir()) {
		return fmt.Errorf("--plot %s is in no folder that there is", m.Plot)
	}
	return m.target.check()
}

// session is one run of a command.
type session struct {
	house  *house.House
	report report.Report
	say    func(format string, args ...any) // what goes on, on standard error
}

// run opens the house with that many bidders, has it measured, and reports.
func (m measured) run(ctx context.Context, p *program, bidders int, measure func(context.Context, *session) error) (err error) {
	s := &session{say: func(format string, args ...any) { fmt.Fprintf(p.stderr, "bench: "+format+"\n", args...) }}
	s.report.Command = p.command
	s.report.Machine = machine()
	if s.house, err = m.open(ctx, p, s.say, bidders); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.house.Stop()) }()
	if err := s.describe(ctx); err != nil {
		return err
	}
	if err := measure(ctx, s); err != nil {
		return err
	}
	return m.tell(p, s.report)
}

// tell writes the report. A failed audit is a failed run.
func (m measured) tell(p *program, r report.Report) error {
	write := r.Write
	if m.JSON {
		write = r.WriteJSON
	}
	if err := write(p.stdout); err != nil {
		return err
	}
	if m.Plot != "" {
		if err := os.WriteFile(m.Plot, []byte(r.SVG()), 0o644); err != nil {
			return err
		}
	}
	if n := len(r.Audit.Wrong); n > 0 {
		return fmt.Errorf("the audit failed: %d things are wrong in the books", n)
	}
	return nil
}

// machine is the machine before the run.
func machine() []report.Line {
	load, err := os.ReadFile("/proc/loadavg")
	text := "not known here"
	if fields := strings.Fields(string(load)); err == nil && len(fields) >= 3 {
		text = strings.Join(fields[:3], " ")
	}
	return []report.Line{
		report.Word("load average before", text),
		report.Number("processors", float64(runtime.NumCPU()), ""),
	}
}

func (s *session) describe(ctx context.Context) error {
	if !s.house.Started() {
		s.report.Machine = append(s.report.Machine, report.Word("PostgreSQL", "not known: the house ran already"))
		return nil
	}
	version, err := s.house.PostgreSQL(ctx)
	s.report.Machine = append(s.report.Machine, report.Word("PostgreSQL", version),
		report.Number("instances", float64(len(s.house.URLs)), ""))
	s.note("house started with ROSTRUM_BID_RATE=%d (bids a second and person; normally 5), soft close %s, all other settings as they come", house.BidRate, s.house.SoftClose)
	if s.house.OwnDatabase() {
		s.note("its PostgreSQL was its own, on this machine, for this run")
	} else {
		s.note("its PostgreSQL was that of DATABASE_URL, where this run's people and lots stay")
	}
	return err
}

func (s *session) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(s.report.Notes, text) {
		s.report.Notes = append(s.report.Notes, text)
	}
}

func (s *session) figure(name string, value float64, unit string) {
	s.report.Figures = append(s.report.Figures, report.Number(name, value, unit))
}
