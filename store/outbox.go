package store

import (
	"context"
	"math"

	"github.com/jackc/pgx/v5"

	"rostrum/store/auction"
)

// Events reads events, newest first: at most limit, with ids below before,
// math.MaxInt64 to begin with the newest.
func (s *Store) Events(ctx context.Context, before int64, limit int) ([]auction.Event, error) {
	return s.events(ctx, `WHERE id < $1 ORDER BY id DESC LIMIT $2`, before, limit)
}

// EventsOf reads the events of one aggregate in the same way. A lot may have a
// hundred thousand, or have had its last a million events ago, so they are read
// topic by topic along the index of their names: of one auction the later event
// has the higher sequence.
func (s *Store) EventsOf(ctx context.Context, aggregateID, before int64, limit int) ([]auction.Event, error) {
	return s.events(ctx, `WHERE id = ANY (ARRAY(
			WITH RECURSIVE topics AS (
				(SELECT topic FROM outbox WHERE aggregate_id = $3 ORDER BY topic LIMIT 1)
				UNION ALL
				SELECT next.topic FROM topics CROSS JOIN LATERAL (
					SELECT topic FROM outbox WHERE aggregate_id = $3 AND topic > topics.topic ORDER BY topic LIMIT 1) next
			)
			SELECT named.id FROM topics CROSS JOIN LATERAL (
				SELECT id FROM outbox
				WHERE aggregate_id = $3 AND topic = topics.topic AND id < $1
					AND sequence <= coalesce((SELECT sequence FROM outbox WHERE id = $1 AND aggregate_id = $3), $4)
				ORDER BY sequence DESC LIMIT $2) named
		)) ORDER BY id DESC LIMIT $2`, before, limit, aggregateID, int64(math.MaxInt64))
}

func (s *Store) events(ctx context.Context, which string, arguments ...any) ([]auction.Event, error) {
	rows, _ := s.pool.Query(ctx, `
		SELECT id, topic, aggregate_id, sequence, payload, created_at, published_at, attempts, last_error
		FROM outbox `+which, arguments...)
	events, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (auction.Event, error) {
		var e auction.Event
		err := row.Scan(&e.ID, &e.Topic, &e.AggregateID, &e.Sequence, &e.Payload, &e.CreatedAt, &e.PublishedAt, &e.Attempts, &e.LastError)
		return e, err
	})
	return events, fault("read events", err)
}

// Backlog counts the events that wait for delivery.
func (s *Store) Backlog(ctx context.Context) (int64, error) {
	var waiting int64
	err := s.pool.QueryRow(ctx, `SELECT count(*) FROM outbox WHERE published_at IS NULL`).Scan(&waiting)
	return waiting, fault("count the events that wait", err)
}
