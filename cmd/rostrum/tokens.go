package main

import (
	"context"
	"fmt"
	"strings"

	"rostrum/store"
	"rostrum/store/auction"
)

type tokenCommands struct {
	Add tokenAdd `cmd:"" help:"Make an API token and print it: it is shown this once."`
}

type tokenAdd struct {
	Email string `required:"" help:"The e-mail address."`
	Name  string `default:"command line" help:"What the token is for, as its person reads it in their settings."`
}

// Run makes the token.
func (c tokenAdd) Run(ctx context.Context, p *program) error {
	email, name := auction.NormalEmail(c.Email), strings.TrimSpace(c.Name)
	if mistake := auction.CheckTokenName(name); mistake != "" {
		return misuse("the token's name cannot be used: " + mistake)
	}
	return p.withStore(ctx, func(s *store.Store) error {
		token, err := s.AddToken(ctx, email, name)
		if err != nil {
			return nobody(email, err)
		}
		_, err = fmt.Fprintln(p.stdout, token)
		return err
	})
}
