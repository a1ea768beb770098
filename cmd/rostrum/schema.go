package main

import (
	"context"
	"fmt"

	"rostrum/migrations"
	"rostrum/store"
)

type migrateCommand struct{}

// Run migrates the schema and nothing else.
func (migrateCommand) Run(ctx context.Context, p *program) (err error) {
	db, err := p.openDatabase(ctx)
	if err != nil {
		return err
	}
	defer db.close(&err)
	applied, err := store.Migrate(ctx, db.url, migrations.Files)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%d migrations applied; the schema is current\n", applied)
	return err
}

type dbCommands struct {
	URL  dbURL  `cmd:"" name:"url" help:"Print the database's address as a libpq URI."`
	Exec dbExec `cmd:"" name:"exec" help:"Run psql, pg_dump or another program of PostgreSQL's on the embedded database, which is started if need be."`
}

type dbURL struct{}

// Run prints the address, for psql -d and for other instances.
func (dbURL) Run(ctx context.Context, p *program) (err error) {
	db, err := p.openDatabase(ctx)
	if err != nil {
		return err
	}
	defer db.close(&err)
	_, err = fmt.Fprintln(p.stdout, db.url)
	return err
}
