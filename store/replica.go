package store

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// MostLag is how old at most a read is that may be old (see MayLag).
const MostLag = 3 * time.Second

// replicaPatience is how long a look at the replica may take.
const replicaPatience = 2 * time.Second

// Replica is a copy of the database (a hot standby) for reads that may be a
// moment old. It is used only while it is known not to lag behind by more than
// MostLag: Check finds that out.
type Replica struct {
	pool    *pgxpool.Pool // nil: there is none
	primary *pgxpool.Pool
	sample  sample                    // of Check alone
	asOf    atomic.Pointer[time.Time] // what was committed by then is there; nil: nobody knows
}

// sample is how far the primary's log had been written at an instant.
type sample struct {
	position string
	at       time.Time
}

type mayLag struct{}

// MayLag marks a request whose reads may be up to MostLag old, so that lists
// may come from a replica. Whoever has just changed something must see it: do
// not mark theirs.
func MayLag(ctx context.Context) context.Context {
	return context.WithValue(ctx, mayLag{}, true)
}

func lagAllowed(ctx context.Context) bool { return ctx.Value(mayLag{}) != nil }

// collect reads a list that may be old, where ctx says so. Where the replica
// does not answer, or its own log gets in the way, the primary does.
func collect[T any](ctx context.Context, s *Store, scan pgx.RowToFunc[T], sql string, arguments ...any) ([]T, error) {
	if lagAllowed(ctx) && s.Replica.InUse() {
		rows, _ := s.Replica.pool.Query(ctx, sql, arguments...)
		list, err := pgx.CollectRows(rows, scan)
		if !transient(err) {
			return list, err
		}
		if lost(err) {
			s.Replica.asOf.Store(nil) // until the next Check
		}
	}
	rows, _ := s.pool.Query(ctx, sql, arguments...)
	return pgx.CollectRows(rows, scan)
}

// Exists says whether there is a replica to check.
func (r *Replica) Exists() bool { return r.pool != nil }

// InUse says whether the replica lags so little that it may be used.
func (r *Replica) InUse() bool {
	asOf := r.asOf.Load()
	return asOf != nil && time.Since(*asOf) < MostLag
}

// Check compares how far the replica has come with where the primary was at the
// last Check. Half a second between two is right; without any, the replica
// falls out of use.
func (r *Replica) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, replicaPatience)
	defer cancel()
	var standby, caughtUp bool
	before := r.sample
	if before.position == "" {
		before.position = "FFFFFFFF/FFFFFFFF"
	}
	err := r.pool.QueryRow(ctx, `SELECT pg_is_in_recovery(), coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false)`, before.position).
		Scan(&standby, &caughtUp)
	switch {
	case err != nil:
		r.asOf.Store(nil)
		return fault("look at the replica", err)
	case !standby:
		r.asOf.Store(nil)
		return errors.New("the replica is no hot standby, so nobody can tell how old it is; it is not used")
	case caughtUp:
		r.asOf.Store(&before.at)
	}
	if before.at.IsZero() || caughtUp {
		r.sample.at = time.Now() // before asking: what is committed later may be missing
		err = r.primary.QueryRow(ctx, `SELECT pg_current_wal_lsn()::text`).Scan(&r.sample.position)
	}
	return fault("ask how far the log has been written", err)
}
