package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"rostrum/cmd/bench/house"
	"rostrum/store/auction"
)

// target says which house is measured: part of every command.
type target struct {
	URL       string        `help:"A house that runs already (http://HOST:PORT), with the token of an admin who sells in ROSTRUM_BENCH_TOKEN and --tokens. Without it a house is started, on DATABASE_URL or an embedded PostgreSQL."`
	Tokens    string        `help:"The bidders of --url: what 'rostrum user import FILE --tokens' printed."`
	SoftClose time.Duration `default:"2m" help:"The soft close of the house that is started, or of --url."`
	Currency  string        `default:"USD" help:"The currency of --url."`
	Bin       string        `help:"The rostrum to start; without it, it is built here."`
	Instances int           `default:"1" help:"How many instances to start over one database."`
}

func (t target) check() error {
	switch {
	case t.Instances < 1 || t.Instances > 16:
		return fmt.Errorf("--instances %d is not 1 to 16", t.Instances)
	case t.URL != "" && t.Tokens == "":
		return fmt.Errorf("--url needs --tokens")
	case t.URL != "" && (t.Bin != "" || t.Instances != 1):
		return fmt.Errorf("--bin and --instances are for a house that bench starts: leave --url out")
	case t.URL == "" && t.Tokens != "":
		return fmt.Errorf("--tokens is for a house that runs already: give --url")
	}
	return nil
}

// open opens the house, or finds it open, with that many bidders.
func (t target) open(ctx context.Context, p *program, say func(string, ...any), bidders int) (h *house.House, err error) {
	if t.URL != "" {
		h, err = t.find(p)
	} else {
		say("the house is started")
		h, err = house.Start(ctx, house.Options{Bin: t.Bin, Instances: t.Instances, SoftClose: t.SoftClose, Log: &troubles{to: p.stderr}})
	}
	if err != nil {
		return nil, err
	}
	if err := h.People(bidders); err != nil {
		return nil, errors.Join(err, h.Stop())
	}
	return h, nil
}

func (t target) find(p *program) (*house.House, error) {
	currency, err := auction.NewCurrency(t.Currency)
	if err != nil {
		return nil, misuse(err.Error())
	}
	token := p.getenv("ROSTRUM_BENCH_TOKEN")
	if token == "" {
		return nil, misuse("--url needs the token of an admin who sells in ROSTRUM_BENCH_TOKEN")
	}
	file, err := os.Open(t.Tokens)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	people, err := house.ReadPeople(file)
	if err != nil {
		return nil, err
	}
	return house.At(t.URL, house.Person{Token: token}, people, currency, t.SoftClose), nil
}
