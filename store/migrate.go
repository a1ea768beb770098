package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// ErrNewerSchema says that a later Rostrum has migrated the database.
var ErrNewerSchema = errors.New("the database's schema is newer than this program knows: start the newer version")

// Migrate brings the schema up to date from the goose migrations in files and
// returns how many it applied. Instances that start together wait for each
// other. A schema newer than files, and a server that Open would refuse, are
// refused and left alone.
func Migrate(ctx context.Context, url string, files fs.FS) (int, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return 0, errors.New("the database's address cannot be read: it must be a libpq URI or key-value string")
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return 0, fault("connect to the database", err)
	}
	defer conn.Close(ctx)
	if err := checkServer(ctx, conn); err != nil {
		return 0, err
	}
	db := stdlib.OpenDB(*config)
	defer db.Close()
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300)) // asks every second, for 5 minutes
	if err != nil {
		return 0, fmt.Errorf("prepare the migrations: %w", err)
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files,
		goose.WithSessionLocker(locker), goose.WithAllowOutofOrder(true))
	if err != nil {
		return 0, fmt.Errorf("prepare the migrations: %w", err)
	}
	current, newest, err := provider.GetVersions(ctx)
	if err != nil {
		return 0, fault("read the schema's version", err)
	}
	if current > newest {
		return 0, ErrNewerSchema
	}
	applied, err := provider.Up(ctx)
	if err != nil {
		return 0, fault("migrate the schema", err)
	}
	return len(applied), nil
}
