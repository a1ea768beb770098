-- +goose Up

-- edit changes the terms of one lot while nobody has bid, in one atomic step,
-- and returns one row as withdraw does. known is the version that the editor
-- saw: whoever saw an older one must look again. new_start NULL: bidding starts
-- at once, or has started. The end is new_end, or new_length after the start.
-- What is as it was asked for already is not written again.
-- +goose StatementBegin
CREATE FUNCTION edit(lot_id bigint, person_id bigint, known bigint, new_title text, new_description text,
    new_price numeric, new_increment numeric, new_start timestamptz, new_end timestamptz, new_length interval)
RETURNS TABLE (lot auction, judged_at timestamptz, verdict text)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
DECLARE
    person  account;
    started boolean;
    same    boolean;
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'edit needs READ COMMITTED, not %', current_setting('transaction_isolation');
    END IF;

    SELECT a.* INTO lot FROM auction a WHERE a.id = lot_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    judged_at := clock_timestamp();
    SELECT p.* INTO person FROM account p WHERE p.id = person_id;

    started   := lot.start_time <= judged_at;
    new_start := CASE
        WHEN new_start IS NULL AND started THEN lot.start_time
        WHEN new_start IS NULL OR new_start <= judged_at AND new_start <> lot.start_time THEN judged_at
        ELSE new_start
    END;
    new_end := coalesce(new_end, new_start + new_length);
    same    := (lot.title, lot.description, lot.starting_price, lot.min_increment, lot.start_time, lot.end_time)
        IS NOT DISTINCT FROM (new_title, new_description, new_price, new_increment, new_start, new_end);
    verdict := CASE
        WHEN lot.seller_id IS DISTINCT FROM person.id THEN 'not_yours'
        WHEN person.suspended_at IS NOT NULL THEN 'suspended'
        WHEN lot.status = 'WITHDRAWN' THEN 'withdrawn'
        WHEN lot.status <> 'OPEN' OR judged_at >= lot.end_time THEN 'ended'
        WHEN lot.bid_count > 0 THEN 'has_bids'
        WHEN same THEN 'same'
        WHEN lot.version <> known THEN 'stale'
        WHEN started AND new_start <> lot.start_time THEN 'started'
        WHEN new_end <= judged_at THEN 'end_past'
        WHEN new_end <= new_start THEN 'end_before_start'
        ELSE 'done'
    END;
    IF verdict = 'done' THEN
        UPDATE auction a
            SET title = new_title, description = new_description, starting_price = new_price, current_price = new_price,
                min_increment = new_increment, start_time = new_start, end_time = new_end, version = a.version + 1
            WHERE a.id = lot_id
            RETURNING a.* INTO lot;
        INSERT INTO outbox (topic, aggregate_id, sequence, created_at, payload)
            VALUES ('auction-edited', lot_id, lot.version, judged_at, jsonb_build_object(
                'auctionId', lot_id,
                'sellerId', lot.seller_id,
                'title', lot.title,
                'startingPrice', amount_text(lot.starting_price),
                'minIncrement', amount_text(lot.min_increment),
                'startTime', instant_text(lot.start_time),
                'endTime', instant_text(lot.end_time),
                'editedAt', instant_text(judged_at)));
    END IF;
    RETURN NEXT;
END $$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION edit;
