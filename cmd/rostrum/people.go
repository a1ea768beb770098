package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"rostrum/store"
	"rostrum/store/auction"
)

type userCommands struct {
	Add     userAdd     `cmd:"" help:"Make an account and print its id."`
	Set     userSet     `cmd:"" help:"Change an account."`
	Suspend userSuspend `cmd:"" help:"Keep a person from signing in and bidding."`
	Restore userRestore `cmd:"" help:"Lift a suspension."`
	Import  userImport  `cmd:"" help:"Make or update accounts from a CSV file with the columns email,name,seller,admin."`
}

type userAdd struct {
	Email         string `required:"" help:"The e-mail address."`
	Name          string `required:"" help:"The name."`
	Seller        bool   `help:"May list lots."`
	Admin         bool   `help:"May look after the house."`
	PasswordStdin bool   `help:"Read the password from the first line of standard input."`
}

// Run makes the account.
func (c userAdd) Run(ctx context.Context, p *program) error {
	person := auction.Person{Email: auction.NormalEmail(c.Email), Name: strings.TrimSpace(c.Name), Seller: c.Seller, Admin: c.Admin}
	if err := checkPerson(person.Email, person.Name); err != nil {
		return misuse(err.Error())
	}
	password, err := p.password(c.PasswordStdin)
	if err != nil {
		return err
	}
	return p.withStore(ctx, func(s *store.Store) error {
		added, err := s.AddPerson(ctx, person, password)
		if errors.Is(err, auction.ErrEmailTaken) {
			return fmt.Errorf("%s has an account already", person.Email)
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(p.stdout, added.ID)
		return err
	})
}

type userSet struct {
	Email         string `required:"" help:"The e-mail address."`
	PasswordStdin bool   `help:"Read a new password from the first line of standard input."`
	Seller        *bool  `help:"Whether the person may list lots (--seller=true or --seller=false)."`
	Admin         *bool  `help:"Whether the person may look after the house (--admin=true or --admin=false)."`
}

// Run changes the account.
func (c userSet) Run(ctx context.Context, p *program) error {
	if !c.PasswordStdin && c.Seller == nil && c.Admin == nil {
		return misuse("nothing to change: give --password-stdin, --seller or --admin")
	}
	change := store.Change{Seller: c.Seller, Admin: c.Admin}
	if c.PasswordStdin {
		password, err := p.password(true)
		if err != nil {
			return err
		}
		change.Password = &password
	}
	return p.change(ctx, c.Email, change)
}

type userSuspend struct {
	Email string `required:"" help:"The e-mail address."`
}

// Run suspends the person.
func (c userSuspend) Run(ctx context.Context, p *program) error {
	suspended := true
	return p.change(ctx, c.Email, store.Change{Suspended: &suspended})
}

type userRestore struct {
	Email string `required:"" help:"The e-mail address."`
}

// Run lifts the suspension.
func (c userRestore) Run(ctx context.Context, p *program) error {
	suspended := false
	return p.change(ctx, c.Email, store.Change{Suspended: &suspended})
}

func (p *program) change(ctx context.Context, email string, change store.Change) error {
	email = auction.NormalEmail(email)
	return p.withStore(ctx, func(s *store.Store) error {
		_, err := s.SetPerson(ctx, email, change)
		return nobody(email, err)
	})
}

func checkPerson(email, name string) error {
	r := auction.Registration{Name: name, Email: email, Password: "not asked for"}
	if mistakes := r.Check(); mistakes != nil {
		return mistakes
	}
	return nil
}

// password reads the first line of standard input, "" where it is not asked for.
func (p *program) password(fromStdin bool) (string, error) {
	if !fromStdin {
		return "", nil
	}
	line, err := bufio.NewReader(p.stdin).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the password: %w", err)
	}
	password := strings.TrimRight(line, "\r\n")
	r := auction.Registration{Name: "x", Email: "x@example.com", Password: password}
	if mistakes := r.Check(); mistakes != nil {
		return "", fmt.Errorf("the password cannot be used: %s", mistakes["password"])
	}
	return password, nil
}

func nobody(email string, err error) error {
	if errors.Is(err, auction.ErrNotFound) {
		return fmt.Errorf("nobody has the address %s", email)
	}
	return err
}
