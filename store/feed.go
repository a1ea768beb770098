package store

import (
	"context"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"

	"rostrum/store/auction"
)

// Feed carries the committed states of auctions to those who watch: to this
// process at once, to other instances by notices, and a poll finds whatever
// the notices lost. A state may come twice or late; its version tells.
type Feed struct {
	pool    *pgxpool.Pool
	clock   *clock
	floors  *floors  // of what is told and heard here
	holders *holders // who changed is heard here

	mu      sync.Mutex
	publish func(auction.State)
	watched func() map[int64]int64
	news    map[int64]struct{} // what other instances have not been told yet
	more    chan struct{}      // there is news
}

func newFeed(pool *pgxpool.Pool, clock *clock, holders *holders) *Feed {
	return &Feed{
		pool:    pool,
		clock:   clock,
		floors:  newFloors(),
		holders: holders,
		publish: func(auction.State) {},
		watched: func() map[int64]int64 { return nil },
		news:    map[int64]struct{}{},
		more:    make(chan struct{}, 1),
	}
}

// Watch says who watches in this process: publish takes a state, at any time
// and from many goroutines, and must not block; watched lists the auctions that
// are watched, each with the newest version known here (0: none).
func (f *Feed) Watch(publish func(auction.State), watched func() map[int64]int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.publish, f.watched = publish, watched
}

// tell spreads a state that was just committed.
func (f *Feed) tell(s auction.State) {
	f.mu.Lock()
	publish := f.publish
	f.news[s.AuctionID] = struct{}{}
	f.mu.Unlock()
	f.floors.learn(s)
	publish(s)
	select {
	case f.more <- struct{}{}:
	default:
	}
}

// catchUp reads the watched auctions that are newer than they are known here,
// all or only those among ids, and publishes them.
func (f *Feed) catchUp(ctx context.Context, only map[int64]bool) error {
	ctx, cancel := context.WithTimeout(ctx, feedPatience)
	defer cancel()
	f.mu.Lock()
	publish, watched := f.publish, f.watched
	f.mu.Unlock()
	var ids, versions []int64
	for id, version := range watched() {
		if only == nil || only[id] {
			ids, versions = append(ids, id), append(versions, version)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	rows, _ := f.pool.Query(ctx, `SELECT `+auctionColumns+`, clock_timestamp()
		FROM unnest($1::bigint[], $2::bigint[]) AS known (id, version)
		JOIN auction a ON a.id = known.id AND a.version > known.version`, ids, versions)
	states, err := collectStates(rows)
	if err != nil {
		return fault("read the news of auctions", err)
	}
	for _, s := range states {
		f.floors.learn(s)
		publish(s)
	}
	return nil
}
