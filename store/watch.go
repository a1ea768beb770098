package store

import "context"

// Watch puts a lot on a person's watch list, once however often it is asked
// for, and returns the lot's title. ErrNotFound where there is no such lot.
func (s *Store) Watch(ctx context.Context, personID, auctionID int64) (title string, err error) {
	err = s.pool.QueryRow(ctx, `
		WITH lot AS (
			SELECT a.id, a.title FROM auction a WHERE a.id = $2
		), watching AS (
			INSERT INTO watch (account_id, auction_id) SELECT $1, lot.id FROM lot ON CONFLICT DO NOTHING
		)
		SELECT lot.title FROM lot`, personID, auctionID).Scan(&title)
	return title, fault("watch a lot", err)
}

// Unwatch takes a lot off a person's watch list, where it is on it, and returns
// the lot's title. ErrNotFound where there is no such lot.
func (s *Store) Unwatch(ctx context.Context, personID, auctionID int64) (title string, err error) {
	err = s.pool.QueryRow(ctx, `
		WITH gone AS (
			DELETE FROM watch WHERE account_id = $1 AND auction_id = $2
		)
		SELECT a.title FROM auction a WHERE a.id = $2`, personID, auctionID).Scan(&title)
	return title, fault("stop watching a lot", err)
}

// MostWatchers is how far those who watch a lot are counted.
const MostWatchers = 1000

// Watchers counts who has a lot on their watch list, at most one more than
// MostWatchers: it is told with each change of price, and a lot that many
// thousands watch must not cost more.
func (s *Store) Watchers(ctx context.Context, auctionID int64) (n int64, err error) {
	err = s.pool.QueryRow(ctx, `SELECT count(*) FROM (SELECT FROM watch WHERE auction_id = $1 LIMIT $2) w`,
		auctionID, MostWatchers+1).Scan(&n)
	return n, fault("count who watches a lot", err)
}

// WatchMark is a place in a watch list: behind the lot that is over or not, with
// this end and id.
type WatchMark struct {
	Over bool
	Mark
}

// WatchMark is the place behind the lot in a watch list.
func (l Listed) WatchMark() WatchMark { return WatchMark{Over: l.State().Over(), Mark: l.Mark()} }

// WatchList reads a person's watch list: the open lots, ending soonest first,
// then those that are over, the latest end first. after is nil for its
// beginning. Everything that one person watches is sorted for a page.
func (s *Store) WatchList(ctx context.Context, personID int64, after *WatchMark, limit int) ([]Listed, error) {
	const place = `(a.status <> 'OPEN', extract(epoch FROM a.end_time) * CASE WHEN a.status = 'OPEN' THEN 1 ELSE -1 END, a.id)`
	start := WatchMark{Mark: Mark{Key: -LastMicros}}
	if after != nil {
		start = *after
	}
	if start.Over {
		start.Key = -start.Key
	}
	list, err := collect(ctx, s, scanListed, `SELECT `+listedColumns+` FROM auction a `+listedJoins+`
		JOIN watch w ON w.account_id = $1 AND w.auction_id = a.id
		WHERE `+place+` > ($3::boolean, $4::bigint / 1000000.0, $5)
		ORDER BY `+place+` LIMIT $2`, personID, limit, start.Over, start.Key, start.ID)
	return list, fault("read a watch list", err)
}
