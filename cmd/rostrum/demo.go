package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"rostrum/store"
)

type demoCommand struct {
	Bots botCount `help:"Then have bots bid as people would until interrupted: 6 of them, or as many as --bots=N says." placeholder:"6"`
	URL  string   `name:"url" help:"Where the bots find the running house (unset: ROSTRUM_URL, or ROSTRUM_ADDR on this machine)."`
}

// Help tells what the command is for.
func (demoCommand) Help() string {
	return "Fills a house that has no lots yet with sample people and lots, and prints how to sign in. With --bots on a house filled before, only the bots are sent."
}

// errFurnished says that a house has lots, so that the sample has no place in it.
var errFurnished = errors.New("the house has lots already: the sample people and lots are for an empty one")

// Run fills the house, sends the bots, or both.
func (c demoCommand) Run(ctx context.Context, p *program) error {
	address := cmp.Or(strings.TrimRight(c.URL, "/"), p.settings.openAt(p.settings.Addr))
	door := p.door(ctx, address)
	if c.Bots > 0 && door == "" {
		return fmt.Errorf("no house answers at %s: open it with %s, or say with --url where it is", address, p.settings.hint("serve"))
	}
	err := p.furnish(ctx, address, door != "")
	switch {
	case err != nil && (c.Bots == 0 || !errors.Is(err, errFurnished)):
		return err
	case c.Bots == 0:
		return nil
	default:
		return p.sendBots(ctx, door, int(c.Bots))
	}
}

// door is where the house answers, "" if it does not. Its public address may
// lead here only from outside, so that on this machine it has another.
func (p *program) door(ctx context.Context, address string) string {
	here := settings{}.openAt(p.settings.Addr)
	switch {
	case answers(ctx, address):
		return address
	case address == p.settings.URL && answers(ctx, here):
		return here
	default:
		return ""
	}
}

// furnish fills an empty house and prints how to sign in.
func (p *program) furnish(ctx context.Context, address string, open bool) (err error) {
	db, err := p.openDatabase(ctx)
	if err != nil {
		return err
	}
	defer db.close(&err)
	s, err := p.openStore(ctx, db.url, nil)
	if err != nil {
		return err
	}
	defer s.Close()
	sudden, err := store.Open(ctx, store.Options{URL: db.url, SoftClose: 0})
	if err != nil {
		return err
	}
	defer sudden.Close()
	if err := s.Settle(ctx, p.settings.Currency); err != nil {
		return err
	}
	empty, err := s.Empty(ctx)
	if err != nil {
		return err
	}
	if !empty {
		return errFurnished
	}
	d := &demo{store: s, sudden: sudden, currency: p.settings.Currency}
	if err := d.fill(ctx); err != nil {
		return fmt.Errorf("fill the house: %w", err)
	}
	fmt.Fprintf(p.stdout, "The house has %s.\n", d.counts())
	if !open {
		fmt.Fprintf(p.stdout, "Open it with %s\n", p.settings.hint("serve"))
	}
	fmt.Fprintf(p.stdout, "\nSign in at %s/login (the passwords are shown this once):\n\n", address)
	return d.keys(p.stdout)
}

// keys prints who can sign in, and with what.
func (d *demo) keys(out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	for _, guest := range d.guests {
		fmt.Fprintf(table, "  %s\t%s\t%s\n", guest.role, guest.email, guest.password)
	}
	fmt.Fprintln(table)
	return table.Flush()
}

// hint is how to call another command of this program on the same house, with
// the settings that are not as they are without any. The database's address is
// left out: it may hold a password.
func (s settings) hint(command string) string {
	words := []string{}
	if s.DatabaseURL == "" && s.DataDir != dataDir() {
		words = append(words, "ROSTRUM_DATA_DIR="+shellWord(s.DataDir))
	}
	if s.Addr != ":8080" {
		words = append(words, "ROSTRUM_ADDR="+shellWord(s.Addr))
	}
	if s.Currency.Code != "USD" {
		words = append(words, "ROSTRUM_CURRENCY="+s.Currency.Code)
	}
	return strings.Join(append(words, shellWord(os.Args[0]), command), " ")
}

func shellWord(text string) string {
	if strings.ContainsAny(text, " \t\n'\"\\$`*?[]{}()<>|&;~#!") {
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	}
	return text
}

// botCount is a flag whose number may be left out.
type botCount int

// Decode reads the number, where one was given.
func (n *botCount) Decode(ctx *kong.DecodeContext) error {
	*n = 6
	if ctx.Scan.Peek().Type != kong.FlagValueToken {
		return nil
	}
	text := ctx.Scan.Pop().String()
	count, err := strconv.Atoi(text)
	if err != nil || count < 1 || count > 1000 {
		return fmt.Errorf("%q is not a number from 1 to 1000", text)
	}
	*n = botCount(count)
	return nil
}

// IsBool says that the flag is also understood without a value.
func (*botCount) IsBool() bool { return true }
