-- +goose Up

-- close_due and close_one as before, but that they ask close_locked by EXECUTE:
-- the plan of a SELECT * from a function outlives a column that is added to the
-- table, and a running closer then failed until it connected anew.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION close_due(batch integer) RETURNS SETOF auction
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
    RETURN QUERY EXECUTE 'SELECT * FROM close_locked($1)' USING lot_ids;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION close_one(lot_id bigint) RETURNS SETOF auction
LANGUAGE plpgsql VOLATILE
SET lock_timeout = '300ms'
AS $$
BEGIN
    BEGIN
        PERFORM 1 FROM auction a WHERE a.id = lot_id FOR NO KEY UPDATE;
    EXCEPTION WHEN lock_not_available THEN
        RETURN;
    END;
    RETURN QUERY EXECUTE 'SELECT * FROM close_locked($1)' USING ARRAY[lot_id];
END $$;
-- +goose StatementEnd

-- +goose Down
SELECT 1;
