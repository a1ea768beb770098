-- +goose Up

-- withdraw takes one lot out of the sale, in one atomic step, and returns one
-- row: the lot as it stands afterwards, the instant of judging, the verdict. No
-- row: there is no such lot. The seller may, while nobody has bid; an admin may
-- whoever has bid, and is written into the audit log.
--
-- First the row's lock, then the clock, once, then the person, as in judge.
-- +goose StatementBegin
CREATE FUNCTION withdraw(lot_id bigint, person_id bigint, by_admin boolean, why text)
RETURNS TABLE (lot auction, judged_at timestamptz, verdict text)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
DECLARE
    person account;
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'withdraw needs READ COMMITTED, not %', current_setting('transaction_isolation');
    END IF;

    SELECT a.* INTO lot FROM auction a WHERE a.id = lot_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    judged_at := clock_timestamp();
    SELECT p.* INTO person FROM account p WHERE p.id = person_id;

    verdict := CASE
        WHEN by_admin AND person.admin IS NOT TRUE THEN 'not_yours'
        WHEN NOT by_admin AND lot.seller_id IS DISTINCT FROM person.id THEN 'not_yours'
        WHEN person.suspended_at IS NOT NULL THEN 'suspended'
        WHEN lot.status = 'WITHDRAWN' THEN 'withdrawn'
        WHEN lot.status <> 'OPEN' OR judged_at >= lot.end_time THEN 'ended'
        WHEN lot.bid_count > 0 AND NOT by_admin THEN 'has_bids'
        ELSE 'done'
    END;
    IF verdict = 'done' THEN
        UPDATE auction a
            SET status = 'WITHDRAWN', closed_at = judged_at, withdrawn_reason = why, version = a.version + 1
            WHERE a.id = lot_id
            RETURNING a.* INTO lot;
        INSERT INTO outbox (topic, aggregate_id, sequence, created_at, payload)
            VALUES ('auction-withdrawn', lot_id, lot.version, judged_at, jsonb_build_object(
                'auctionId', lot_id,
                'sellerId', lot.seller_id,
                'reason', why,
                'bidCount', lot.bid_count,
                'withdrawnAt', instant_text(judged_at)));
        IF by_admin THEN
            INSERT INTO audit (actor_id, action, subject, subject_id, reason, created_at, detail)
                VALUES (person_id, 'withdraw', 'auction', lot_id, why, judged_at, jsonb_build_object(
                    'price', amount_text(lot.current_price),
                    'leaderId', lot.leader_id,
                    'bidCount', lot.bid_count));
        END IF;
    END IF;
    RETURN NEXT;
END $$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION withdraw;
