package main

import (
	"context"
	"fmt"

	"rostrum/store"
	"rostrum/store/auction"
)

type tokenCommands struct {
	Add tokenAdd `cmd:"" help:"Make an API token and print it: it is shown this once."`
}

type tokenAdd struct {
	Email string `required:"" help:"The e-mail address."`
}

// Run makes the token.
func (c tokenAdd) Run(ctx context.Context, p *program) error {
	email := auction.NormalEmail(c.Email)
	return p.withStore(ctx, func(s *store.Store) error {
		token, err := s.AddToken(ctx, email)
		if err != nil {
			return nobody(email, err)
		}
		_, err = fmt.Fprintln(p.stdout, token)
		return err
	})
}
