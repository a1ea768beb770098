package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/jackc/pgx/v5/pgconn"
)

type dbExec struct {
	Command []string `arg:"" passthrough:"partial" help:"The program and its arguments."`
}

// Run runs a program that finds the embedded database by the environment, as
// all of PostgreSQL's own do. As long as it runs, the database does.
func (c dbExec) Run(ctx context.Context, p *program) (err error) {
	if p.settings.DatabaseURL != "" {
		return misuse("DATABASE_URL names a database that is not the embedded one: give its address to the program itself")
	}
	db, err := p.openDatabase(ctx)
	if err != nil {
		return err
	}
	defer db.close(&err)
	config, err := pgconn.ParseConfig(db.url)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, c.Command[0], c.Command[1:]...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.stdin, p.stdout, p.stderr
	cmd.Env = append(os.Environ(), "PGHOST="+config.Host, fmt.Sprintf("PGPORT=%d", config.Port),
		"PGUSER="+config.User, "PGDATABASE="+config.Database)
	if err := cmd.Run(); err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("%s: %w", c.Command[0], err)
	}
	return nil
}
