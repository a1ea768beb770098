package storetest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"rostrum/store/auction"
)

// Books are what the database keeps of the bids on one lot.
type Books struct {
	Log []auction.Bid // by version
	// Committed is when each bid of the log was really committed, nil where
	// track_commit_timestamp is off.
	Committed []time.Time
}

// ReadBooks reads the books of a lot behind the store's back.
func ReadBooks(ctx context.Context, pool *pgxpool.Pool, lotID int64) (Books, error) {
	var b Books
	rows, _ := pool.Query(ctx, `
		SELECT b.id, b.auction_id, b.version, b.bidder_id, b.amount, b.request_id, b.created_at,
			CASE current_setting('track_commit_timestamp') WHEN 'on' THEN pg_xact_commit_timestamp(b.xmin) END
		FROM bid b WHERE b.auction_id = $1 ORDER BY b.version`, lotID)
	_, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (struct{}, error) {
		var bid auction.Bid
		var committed *time.Time
		err := row.Scan(&bid.ID, &bid.AuctionID, &bid.Version, &bid.BidderID, &bid.Amount, (*[16]byte)(&bid.RequestID), &bid.CreatedAt, &committed)
		b.Log = append(b.Log, bid)
		if committed != nil {
			b.Committed = append(b.Committed, *committed)
		}
		return struct{}{}, err
	})
	return b, err
}

// Lateness is how long after the end, as it stood before it, the last bid to be
// committed after its lot's end was committed, and how long after its judging
// the slowest one was. A bid may be late a little: it is judged before the end,
// and then the commit takes its time. 0 where the commits are not known.
func (b Books) Lateness(begin auction.Auction) (afterEnd, afterJudging time.Duration) {
	end := begin.EndTime
	for i, committed := range b.Committed {
		afterEnd = max(afterEnd, committed.Sub(end))
		afterJudging = max(afterJudging, committed.Sub(b.Log[i].CreatedAt))
		if moved := b.Log[i].CreatedAt.Add(begin.SoftClose); moved.After(end) {
			end = moved
		}
	}
	return afterEnd, afterJudging
}

// WrongBooks lists what is wrong with the books of all lots in a database: each
// lot's row against its log, its result and its events, and, where
// track_commit_timestamp is on, each bid against the real time of its commit.
// Nobody may be at work.
func WrongBooks(ctx context.Context, pool *pgxpool.Pool) ([]string, error) {
	var wrong []string
	for _, query := range []string{rowAndLog, bidByBid, closings, announced, judgedAfterCommit} {
		rows, _ := pool.Query(ctx, query)
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return nil, fmt.Errorf("read the books: %w", err)
		}
		wrong = append(wrong, found...)
	}
	slices.Sort(wrong)
	return wrong, nil
}

// The lot's row tells what its log's top does, and its version counts all that
// happened to it.
const rowAndLog = `
	SELECT format('lot %s: version %s, %s bids, price %s, leader %s; the log has %s, up to version %s, %s of %s; %s other events',
		a.id, a.version, a.bid_count, a.current_price, a.leader_id, l.n, l.version, l.amount, l.bidder_id, e.n)
	FROM auction a,
		LATERAL (SELECT count(*) AS n FROM outbox
			WHERE aggregate_id = a.id AND topic IN ('auction-closed', 'auction-withdrawn', 'auction-edited')) e,
		LATERAL (SELECT count(*) AS n, max(b.version) AS version, count(DISTINCT b.version) AS versions, count(DISTINCT b.request_id) AS requests,
			(array_agg(b.amount ORDER BY b.version DESC))[1] AS amount, (array_agg(b.bidder_id ORDER BY b.version DESC))[1] AS bidder_id
			FROM bid b WHERE b.auction_id = a.id) l
	WHERE a.bid_count <> l.n OR l.versions <> l.n OR l.requests <> l.n OR a.version <> 1 + l.n + e.n OR a.version < l.version
		OR a.leader_id IS DISTINCT FROM l.bidder_id OR a.current_price <> coalesce(l.amount, a.starting_price)`

// Each bid beats the one before it, is judged after it and before the end, and
// follows on it.
const bidByBid = `
	SELECT format('lot %s: version %s, %s of %s judged at %s, after version %s, %s judged at %s; the lot ended at %s',
		b.auction_id, b.version, b.amount, b.bidder_id, b.created_at, b.before, b.price, b.judged, a.end_time)
	FROM auction a, LATERAL (
		SELECT b.*, lag(b.version) OVER w AS before, lag(b.created_at) OVER w AS judged, lag(b.amount) OVER w AS price
		FROM bid b WHERE b.auction_id = a.id WINDOW w AS (ORDER BY b.version)) b
	WHERE b.amount < coalesce(b.price, a.starting_price) + a.min_increment OR b.created_at < b.judged OR b.version <> b.before + 1
		OR b.created_at >= a.end_time OR b.created_at < a.start_time OR b.bidder_id = a.seller_id`

// One result and one event for each closing, and they tell what the row does.
const closings = `
	SELECT format('lot %s, %s: %s results and %s events, of which %s and %s tell what the row does', a.id, a.status, r.n, e.n, r.alike, e.alike)
	FROM auction a,
		LATERAL (SELECT count(*) AS n, count(*) FILTER (WHERE r.winner_id IS NOT DISTINCT FROM a.leader_id
			AND (r.outcome = 'sold') = (a.leader_id IS NOT NULL) AND r.bid_count = a.bid_count AND r.closed_at = a.closed_at
			AND r.price IS NOT DISTINCT FROM CASE WHEN a.leader_id IS NOT NULL THEN a.current_price END) AS alike
			FROM result r WHERE r.auction_id = a.id) r,
		LATERAL (SELECT count(*) AS n, count(*) FILTER (WHERE o.sequence = a.version
			AND (o.payload ->> 'winnerId')::bigint IS NOT DISTINCT FROM a.leader_id AND (o.payload ->> 'bidCount')::bigint = a.bid_count
			AND (o.payload ->> 'price')::numeric IS NOT DISTINCT FROM CASE WHEN a.leader_id IS NOT NULL THEN a.current_price END) AS alike
			FROM outbox o WHERE o.topic = 'auction-closed' AND o.aggregate_id = a.id) e
	WHERE (r.n, e.n, r.alike, e.alike) IS DISTINCT FROM
			CASE a.status WHEN 'CLOSED' THEN (1::bigint, 1::bigint, 1::bigint, 1::bigint) ELSE (0::bigint, 0::bigint, 0::bigint, 0::bigint) END
		OR a.status = 'CLOSED' AND a.closed_at < a.end_time`

// Each bid is told of by one event: their spans do not overlap, and are as long
// together as the log.
const announced = `
	WITH spans AS (
		SELECT o.aggregate_id, o.sequence, (o.payload ->> 'fromVersion')::bigint AS first, (o.payload ->> 'toVersion')::bigint AS last
		FROM outbox o WHERE o.topic = 'bids-accepted'
	), told AS (
		SELECT s.*, lag(s.last) OVER (PARTITION BY s.aggregate_id ORDER BY s.sequence) AS before FROM spans s
	)
	SELECT format('lot %s: the events tell of %s bids, %s of them out of their order', a.id, t.n, t.wrong)
	FROM auction a,
		LATERAL (SELECT coalesce(sum(last - first + 1), 0) AS n, count(*) FILTER (WHERE sequence <> last OR first > last OR first <= before) AS wrong
			FROM told WHERE aggregate_id = a.id) t
	WHERE t.n <> a.bid_count OR t.wrong > 0`

// Whoever judged held the lot, so the bid before was committed by then; and
// nobody commits before they have judged.
const judgedAfterCommit = `
	WITH log AS MATERIALIZED (
		SELECT b.auction_id, b.version, b.created_at, b.xmin::text AS writer,
			CASE current_setting('track_commit_timestamp') WHEN 'on' THEN pg_xact_commit_timestamp(b.xmin) END AS committed
		FROM bid b
	), log_of AS (
		SELECT l.*, lag(l.writer) OVER w AS writer_before, lag(l.committed) OVER w AS committed_before
		FROM log l WINDOW w AS (PARTITION BY l.auction_id ORDER BY l.version)
	)
	SELECT format('lot %s: version %s was judged at %s and committed at %s; the one before was committed at %s',
		l.auction_id, l.version, l.created_at, l.committed, l.committed_before)
	FROM log_of l
	WHERE l.writer <> l.writer_before AND l.created_at < l.committed_before OR l.committed < l.created_at
	UNION ALL
	SELECT format('lot %s was closed at %s, and a bid was committed at %s', a.id, a.closed_at, l.committed)
	FROM auction a, log l
	WHERE a.id = l.auction_id AND a.status = 'CLOSED' AND a.closed_at < l.committed`
