package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// oldestServer is the oldest PostgreSQL that the rules were tried on.
const oldestServer = 15

// querier is a connection, or a pool of them.
type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// checkServer refuses a PostgreSQL that is too old, and settings with which an
// acknowledged bid could be lost in a crash.
func checkServer(ctx context.Context, q querier) error {
	var version int
	var fsync, commit string
	err := q.QueryRow(ctx, `SELECT current_setting('server_version_num')::int / 10000, current_setting('fsync'), current_setting('synchronous_commit')`).
		Scan(&version, &fsync, &commit)
	switch {
	case err != nil:
		return fault("connect to the database", err)
	case version < oldestServer:
		return fmt.Errorf("the database is PostgreSQL %d; Rostrum needs %d or later", version, oldestServer)
	case fsync == "off" || commit == "off":
		return fmt.Errorf("the database may lose accepted bids: fsync is %s and synchronous_commit is %s; both must be on", fsync, commit)
	default:
		return nil
	}
}

// schemaVersion reads which migration was applied last, from goose's table.
func schemaVersion(ctx context.Context, q querier) (version int64, err error) {
	err = q.QueryRow(ctx, `SELECT max(version_id) FROM goose_db_version WHERE is_applied`).Scan(&version)
	return version, fault("read the schema's version", err)
}
