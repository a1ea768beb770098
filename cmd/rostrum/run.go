package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
)

// commands is the command line.
type commands struct {
	Serve   serveCommand   `cmd:"" default:"withargs" help:"Run the house (what happens without a command)."`
	Migrate migrateCommand `cmd:"" help:"Bring the database's schema up to date."`
	Demo    demoCommand    `cmd:"" help:"Fill an empty house with sample people and lots, for a look round."`
	User    userCommands   `cmd:"" help:"People: add, change, suspend, restore, import."`
	Token   tokenCommands  `cmd:"" help:"API tokens."`
	DB      dbCommands     `cmd:"" name:"db" help:"The embedded PostgreSQL."`
}

// program is what every command may use.
type program struct {
	settings settings
	log      *slog.Logger
	stdin    io.Reader
	stdout   io.Writer
	stderr   io.Writer
}

// run is the program: 0 done, 1 failed with one line on stderr, 2 misused.
func run(args []string, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer) int {
	exited := -1
	parser, err := kong.New(&commands{},
		kong.Name("rostrum"),
		kong.Description("Rostrum, a self-hosted auction house."),
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
		fmt.Fprintf(stderr, "rostrum: %v (see rostrum --help)\n", err)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	p := &program{log: newLog(stderr), stdin: stdin, stdout: stdout, stderr: stderr}
	if p.settings, err = readSettings(getenv); err == nil {
		chosen.BindTo(ctx, (*context.Context)(nil))
		err = chosen.Run(p)
	}
	return p.exit(err)
}

func (p *program) exit(err error) int {
	var misuse misuse
	switch {
	case err == nil:
		return 0
	case errors.As(err, &misuse):
		fmt.Fprintln(p.stderr, "rostrum:", err)
		return 2
	default:
		fmt.Fprintln(p.stderr, "rostrum:", oneLine(err))
		return 1
	}
}

// oneLine writes an error whose text has several lines, such as one for each
// way to a database that was tried in vain, as one.
func oneLine(err error) string {
	var parts []string
	for line := range strings.Lines(err.Error()) {
		if line = strings.TrimSpace(line); !slices.Contains(parts, line) {
			parts = append(parts, line)
		}
	}
	return strings.Join(parts, " ")
}

// misuse is an error in how a command was called.
type misuse string

func (m misuse) Error() string { return string(m) }

// newLog writes for people on a terminal, JSON for everything else.
func newLog(stderr io.Writer) *slog.Logger {
	if file, ok := stderr.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return slog.New(slog.NewTextHandler(stderr, nil))
		}
	}
	return slog.New(slog.NewJSONHandler(stderr, nil))
}
