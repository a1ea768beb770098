package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
)

// commands is the command line.
type commands struct {
	Bids   bidsCommand   `cmd:"" help:"Many bidders on one lot."`
	Spread spreadCommand `cmd:"" help:"Many bidders on many lots."`
	Close  closeCommand  `cmd:"" help:"Many lots that end at one instant."`
	Watch  watchCommand  `cmd:"" help:"Many event streams on one lot that is bid on."`
	Pages  pagesCommand  `cmd:"" help:"The home page, searches and lots' pages."`
}

// program is what every command may use.
type program struct {
	command string // as it was called
	getenv  func(string) string
	stdout  io.Writer
	stderr  io.Writer
}

// run is the program: 0 done, 1 failed, which a failed audit is too, 2 misused.
func run(args []string, getenv func(string) string, stdout, stderr io.Writer) int {
	exited := -1
	parser, err := kong.New(&commands{},
		kong.Name("bench"),
		kong.Description("A stranger with a stopwatch: measures a Rostrum house over HTTP, and audits its books."),
		kong.Writers(stdout, stderr),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Exit(func(code int) { exited = code }),
		kong.BindTo(context.Background(), (*context.Context)(nil)),
	)
	if err != nil {
		panic(err) // the commands above are wrong
	}
	chosen, err := parser.Parse(args)
	switch {
	case exited >= 0: // help was printed
		return exited
	case err != nil:
		fmt.Fprintf(stderr, "bench: %v (see bench --help)\n", err)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	chosen.BindTo(ctx, (*context.Context)(nil))
	return exit(stderr, chosen.Run(&program{"bench " + strings.Join(args, " "), getenv, stdout, stderr}))
}

func exit(stderr io.Writer, err error) int {
	var misuse misuse
	switch {
	case err == nil:
		return 0
	case errors.As(err, &misuse):
		fmt.Fprintf(stderr, "bench: %v (see bench --help)\n", err)
		return 2
	default:
		fmt.Fprintln(stderr, "bench:", strings.Join(strings.Fields(err.Error()), " "))
		return 1
	}
}

// misuse is an error in how a command was called.
type misuse string

func (m misuse) Error() string { return string(m) }
