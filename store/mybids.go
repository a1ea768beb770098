package store

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
)

// Part is which of the lots that a person bid on are meant.
type Part string

// The parts of what a person bid on. A lot is won or lost once it is closed:
// until then one leads, or is outbid. A withdrawn one is in AllBids only.
const (
	AllBids Part = "all"
	Leading Part = "leading"
	Outbid  Part = "outbid"
	Won     Part = "won"
	Lost    Part = "lost"
)

// bidOn are the lots that $1 bid on, the newest first, from below $2 down to
// the condition put into it. It reads 64 bids of bid_by_bidder and jumps past
// the lot of the last: a lot costs no more than these, however many bids there
// are on it, and where there are few, many lots cost one jump. It goes no
// further than it is read.
func bidOn(condition string) string {
	next := func(below string) string {
		return `SELECT ARRAY(SELECT b.auction_id FROM bid b WHERE b.bidder_id = $1 AND b.auction_id < ` + below + condition + ` ORDER BY b.auction_id DESC LIMIT 64)`
	}
	return `RECURSIVE jump (lots) AS (
		` + next("$2") + `
		UNION ALL
		` + next("jump.lots[64]") + ` FROM jump WHERE cardinality(jump.lots) = 64
	), mine AS (
		SELECT lot.id AS auction_id FROM jump CROSS JOIN LATERAL (SELECT DISTINCT id FROM unnest(jump.lots) AS id ORDER BY id DESC) lot)`
}

// stillOpen keeps to lots as new as the oldest that is open.
const stillOpen = ` AND b.auction_id >= (SELECT coalesce(min(o.id), 0) FROM auction o WHERE o.status = 'OPEN')`

// BidOn reads the lots that a person bid on. Those that are open end soonest
// first; what was won last comes first; the others are in the order of their
// numbers, the newest first. after is a Mark of the same part, nil for its
// beginning.
func (s *Store) BidOn(ctx context.Context, personID int64, part Part, after *Mark, limit int) ([]Listed, error) {
	switch part {
	case Leading, Outbid:
		return s.bidOnOpen(ctx, personID, part, after, limit)
	case Won:
		return s.won(ctx, personID, after, limit)
	case AllBids, Lost:
	}
	place := Mark{ID: 1<<63 - 1}
	if after != nil {
		place = *after
	}
	page := map[Part]string{
		AllBids: bidOn("") + `, page AS MATERIALIZED (SELECT auction_id AS id FROM mine LIMIT $3)`,
		Lost: bidOn("") + `, page AS MATERIALIZED (
			SELECT lost.id FROM mine CROSS JOIN LATERAL (
				SELECT a.id FROM auction a WHERE a.id = mine.auction_id AND a.status = 'CLOSED' AND a.leader_id <> $1 LIMIT 1) lost
			LIMIT $3)`,
	}[part]
	rows, _ := s.pool.Query(ctx, `WITH `+page+` SELECT `+listedColumns+` FROM page JOIN auction a ON a.id = page.id `+listedJoins+`
		ORDER BY a.id DESC`, personID, place.ID, limit)
	list, err := pgx.CollectRows(rows, scanListed)
	return list, fault("read what somebody bid on", err)
}

// won reads along result_by_winner. The key of its Marks is the closing.
func (s *Store) won(ctx context.Context, personID int64, after *Mark, limit int) ([]Listed, error) {
	place := Mark{Key: LastMicros, ID: 1<<63 - 1}
	if after != nil {
		place = *after
	}
	var gathered int
	rows, _ := s.pool.Query(ctx, `
		WITH page AS MATERIALIZED (
			SELECT r.auction_id AS id, r.closed_at FROM result r
			WHERE r.winner_id = $1 AND (r.closed_at, r.auction_id) < ($2::timestamptz, $3::bigint)
			ORDER BY r.closed_at DESC, r.auction_id DESC LIMIT $4)
		SELECT `+listedColumns+`, (extract(epoch FROM page.closed_at) * 1000000)::bigint, 0
		FROM page JOIN auction a ON a.id = page.id `+listedJoins+`
		ORDER BY page.closed_at DESC, page.id DESC`, personID, time.UnixMicro(place.Key), place.ID, limit)
	list, err := pgx.CollectRows(rows, scanPlaced(&gathered))
	return list, fault("read what somebody won", err)
}

func (s *Store) bidOnOpen(ctx context.Context, personID int64, part Part, after *Mark, limit int) ([]Listed, error) {
	leads := `a.leader_id = $1`
	if part == Outbid {
		leads = `a.leader_id <> $1`
	}
	var place Mark
	if after != nil {
		place = *after
	}
	rows, _ := s.pool.Query(ctx, `
		WITH `+bidOn(stillOpen)+`, page AS MATERIALIZED (
			SELECT a.id FROM mine JOIN auction a ON a.id = mine.auction_id
			WHERE a.status = 'OPEN' AND `+leads+` AND (a.end_time, a.id) > ($3, $4)
			ORDER BY a.end_time, a.id LIMIT $5)
		SELECT `+listedColumns+` FROM page JOIN auction a ON a.id = page.id `+listedJoins+`
		ORDER BY a.end_time, a.id`, personID, int64(1<<63-1), time.UnixMicro(place.Key), place.ID, limit)
	list, err := pgx.CollectRows(rows, scanListed)
	return list, fault("read what somebody bids on", err)
}

// BidCounts counts the lots that a person bid on, those that are over as far
// as most.
func (s *Store) BidCounts(ctx context.Context, personID int64, most int) (map[Part]int, error) {
	var leading, outbid, won, lost int
	counted := make(chan error, 1)
	go func() { // a walk of its own through all bids, as long as the other
		var err error
		lost, err = s.countLost(ctx, personID, most)
		counted <- err
	}()
	err := s.pool.QueryRow(ctx, `
		WITH `+bidOn(stillOpen)+`
		SELECT count(*) FILTER (WHERE a.leader_id = $1), count(*) FILTER (WHERE a.leader_id <> $1),
			(SELECT count(*) FROM (SELECT FROM result WHERE winner_id = $1 LIMIT $3) won)
		FROM mine JOIN auction a ON a.id = mine.auction_id AND a.status = 'OPEN'`, personID, int64(1<<63-1), most).Scan(&leading, &outbid, &won)
	if err = errors.Join(err, <-counted); err != nil {
		return nil, fault("count what somebody bid on", err)
	}
	return map[Part]int{Leading: leading, Outbid: outbid, Won: won, Lost: lost}, nil
}

func (s *Store) countLost(ctx context.Context, personID int64, most int) (n int, err error) {
	err = s.pool.QueryRow(ctx, `
		WITH `+bidOn("")+`
		SELECT count(*) FROM (
			SELECT FROM mine CROSS JOIN LATERAL (
				SELECT FROM auction a WHERE a.id = mine.auction_id AND a.status = 'CLOSED' AND a.leader_id <> $1 LIMIT 1) lost
			LIMIT $3) counted`, personID, int64(1<<63-1), most).Scan(&n)
	return n, err
}
