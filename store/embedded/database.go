package embedded

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// connect makes one real connection, and the database where it is missing.
func (c *Cluster) connect(ctx context.Context) error {
	err := c.try(ctx, "rostrum", "")
	if code(err) == "3D000" { // no such database: the cluster is new
		return c.try(ctx, "postgres", "CREATE DATABASE rostrum")
	}
	return err
}

func (c *Cluster) try(ctx context.Context, database, statement string) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	conn, err := pgconn.Connect(ctx, c.address(database))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	return conn.Exec(ctx, statement).Close()
}

// isStarting is true for a PostgreSQL that lives but is not ready: it starts,
// recovers or shuts down.
func isStarting(err error) bool { return code(err) == "57P03" }

func code(err error) string {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code
	}
	return ""
}
