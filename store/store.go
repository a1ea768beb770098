// Package store is everything PostgreSQL: one file per noun, each statement
// beside the function that sends it. It may import `store/auction` and nothing
// else of ours. It never logs; errors say once what failed and carry
// auction.ErrNotFound or auction.ErrUnavailable where that is what they mean.
package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"rostrum/store/auction"
)

// Store is the house's database. Make one with Open.
type Store struct {
	Feed    *Feed    // the committed states of auctions
	Replica *Replica // for reads that may be a moment old
	Seen    *Seen    // which sign-ins and API tokens were used

	pool      *pgxpool.Pool // reads and all writes but the judging
	judges    *pgxpool.Pool // the lane's connections bound how many lots are judged at once
	judging   *lane[auction.Offer, auction.Outcome]
	refusing  *lane[auction.Offer, *auction.Outcome] // nil where only the judge can tell
	holders   *holders
	clock     *clock
	hasher    hasher
	softClose time.Duration
	schema    int64 // the version that was found when it was opened
	judged    func(auction.Verdict, time.Duration)
}

// Options say how to open a Store.
type Options struct {
	URL       string // a libpq URI or key-value string
	ReadURL   string // that of a hot standby of it, see MayLag; "" where there is none
	SoftClose time.Duration
	LaneConns int // how many lots are judged at once, each on its own connection; 0: 8
	LaneQueue int // how many bids may wait in all, and half as many for one lot; 0: 10,000
	// Judged is told of each judged bid and how long judging took, for
	// measuring; nil tells nobody.
	Judged func(auction.Verdict, time.Duration)
}

const (
	poolConns        = 12
	defaultLaneConns = 8
	defaultLaneQueue = 10_000
)

// Short timeouts: an answer that was lost leaves a row locked until one of
// them ends the transaction. No statement of ours comes near them.
var sessionSettings = map[string]string{
	"application_name":                    "rostrum",
	"timezone":                            "UTC",
	"jit":                                 "off",            // the plans that judge pins look dear, and compiling them would be
	"random_page_cost":                    "1.1",            // most of what is read is in memory: an index is nearly always right
	"max_parallel_workers_per_gather":     "0",              // pages are many and short: each does with one process
	"default_transaction_isolation":       "read committed", // judge sees what was committed while it waited
	"lock_timeout":                        "3s",
	"statement_timeout":                   "10s",
	"idle_in_transaction_session_timeout": "5s",
}

// Open connects to the database. It refuses one that may lose what it
// acknowledged. The schema must be there: see Migrate.
func Open(ctx context.Context, o Options) (*Store, error) {
	pool, err := connect(ctx, o.URL, poolConns)
	if err != nil {
		return nil, err
	}
	if err := checkServer(ctx, pool); err != nil {
		pool.Close()
		return nil, err
	}
	schema, err := schemaVersion(ctx, pool)
	if err != nil {
		pool.Close()
		return nil, err
	}
	judges, err := connect(ctx, o.URL, cmp.Or(o.LaneConns, defaultLaneConns), forJudging)
	if err != nil {
		pool.Close()
		return nil, err
	}
	replica := &Replica{primary: pool}
	if o.ReadURL != "" {
		if replica.pool, err = connect(ctx, o.ReadURL, poolConns); err != nil {
			pool.Close()
			judges.Close()
			return nil, fmt.Errorf("the replica: %w", err)
		}
	}
	if o.Judged == nil {
		o.Judged = func(auction.Verdict, time.Duration) {}
	}
	s := &Store{Replica: replica, pool: pool, judges: judges, clock: &clock{}, hasher: newHasher(), softClose: o.SoftClose, schema: schema, judged: o.Judged}
	s.holders = newHolders(s.findHolders)
	s.Feed = newFeed(pool, s.clock, s.holders)
	s.judging = newLane(cmp.Or(o.LaneQueue, defaultLaneQueue), s.judge)
	s.refusing = newLane(cmp.Or(o.LaneQueue, defaultLaneQueue), s.refuse)
	s.Seen = newSeen(pool)
	if err := s.clock.read(ctx, pool); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Close refuses further bids, waits for what is under way and gives the
// connections back.
func (s *Store) Close() {
	s.refusing.close()
	s.judging.close()
	if s.Replica.Exists() {
		s.Replica.pool.Close()
	}
	s.judges.Close()
	s.pool.Close()
}

// Ready says whether the database answers and has the schema that this process
// began with, or a newer one.
func (s *Store) Ready(ctx context.Context) error {
	version, err := schemaVersion(ctx, s.pool)
	if err == nil && version < s.schema {
		err = fmt.Errorf("the schema's version is %d and was %d: %w", version, s.schema, auction.ErrUnavailable)
	}
	return err
}

// Now is the database's clock as this process knows it, for telling people
// the time. Nothing is decided by it.
func (s *Store) Now() time.Time { return s.clock.now() }

// Connections counts the connections in use and those allowed.
func (s *Store) Connections() (used, most int) {
	for _, pool := range []*pgxpool.Pool{s.pool, s.judges} {
		stat := pool.Stat()
		used += int(stat.AcquiredConns())
		most += int(stat.MaxConns())
	}
	return used, most
}

func connect(ctx context.Context, url string, conns int, adjustments ...func(*pgxpool.Config)) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, errors.New("the database's address cannot be read: it must be a libpq URI or key-value string")
	}
	config.MaxConns = int32(conns)
	for name, value := range sessionSettings {
		config.ConnConfig.RuntimeParams[name] = value
	}
	for _, adjust := range adjustments {
		adjust(config)
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	return pool, nil
}
