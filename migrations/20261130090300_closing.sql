-- +goose Up

-- close_locked closes those of the lots whose end has come, with their results
-- and events. The caller holds their rows; the clock is read only now, and the
-- end is read again. The winner is the row's leader.
-- +goose StatementBegin
CREATE FUNCTION close_locked(lot_ids bigint[]) RETURNS SETOF auction
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
DECLARE
    instant timestamptz := clock_timestamp();
BEGIN
    RETURN QUERY
    WITH closed AS (
        UPDATE auction a
        SET status = 'CLOSED', closed_at = instant, version = a.version + 1
        WHERE a.id = ANY (lot_ids) AND a.status = 'OPEN' AND a.end_time <= instant
        RETURNING a.*
    ), results AS (
        INSERT INTO result (auction_id, outcome, winner_id, price, bid_count, closed_at)
        SELECT c.id, CASE WHEN c.leader_id IS NULL THEN 'unsold' ELSE 'sold' END, c.leader_id,
               CASE WHEN c.leader_id IS NOT NULL THEN c.current_price END, c.bid_count, c.closed_at
        FROM closed c
    ), events AS (
        INSERT INTO outbox (topic, aggregate_id, sequence, created_at, payload)
        SELECT 'auction-closed', c.id, c.version, instant, jsonb_build_object(
            'auctionId', c.id,
            'sellerId', c.seller_id,
            'winnerId', c.leader_id,
            'price', CASE WHEN c.leader_id IS NOT NULL THEN amount_text(c.current_price) END,
            'bidCount', c.bid_count,
            'endTime', instant_text(c.end_time),
            'closedAt', instant_text(c.closed_at))
        FROM closed c
    )
    SELECT * FROM closed;
END $$;
-- +goose StatementEnd

-- close_due closes at most `batch` lots whose end has come, the longest overdue
-- first, and leaves out those that somebody else holds. MATERIALIZED keeps the
-- limit: the rows are picked once.
-- +goose StatementBegin
CREATE FUNCTION close_due(batch integer) RETURNS SETOF auction
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
DECLARE
    instant timestamptz := clock_timestamp();
    lot_ids bigint[];
BEGIN
    WITH due AS MATERIALIZED (
        SELECT a.id FROM auction a
        WHERE a.status = 'OPEN' AND a.end_time <= instant
        ORDER BY a.end_time, a.id
        LIMIT batch
        FOR NO KEY UPDATE SKIP LOCKED
    )
    SELECT array_agg(due.id) INTO lot_ids FROM due;
    RETURN QUERY SELECT * FROM close_locked(lot_ids);
END $$;
-- +goose StatementEnd

-- close_one closes one lot whose end has come, waiting for whoever holds it. A
-- lot that is still bid on after its end would be skipped again and again. The
-- wait is short: a lot that hangs is left to the next call, and the closing of
-- the others goes on.
-- +goose StatementBegin
CREATE FUNCTION close_one(lot_id bigint) RETURNS SETOF auction
LANGUAGE plpgsql VOLATILE
SET lock_timeout = '300ms'
AS $$
BEGIN
    BEGIN
        PERFORM 1 FROM auction a WHERE a.id = lot_id FOR NO KEY UPDATE;
    EXCEPTION WHEN lock_not_available THEN
        RETURN;
    END;
    RETURN QUERY SELECT * FROM close_locked(ARRAY[lot_id]);
END $$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION close_one, close_due, close_locked;
