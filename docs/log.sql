-- What a row of the log costs with and without each of its indexes. All of it is
-- rolled back. On a migrated house: rostrum db exec psql -qf docs/log.sql
BEGIN;
SET LOCAL client_min_messages = notice;
CREATE TEMP TABLE offer ON COMMIT DROP AS
SELECT i AS version, (i * 7919) % 2000 + 2 AS bidder_id, 5000000 + i AS amount, gen_random_uuid() AS request_id
FROM generate_series(1, 40000) AS i;
ANALYZE offer;
DO $$
DECLARE
    drops CONSTANT text[] := ARRAY['none', 'bid_pkey', 'bid_auction_id_request_id_key', 'bid_by_bidder', 'all three'];
    best  numeric[] := ARRAY[NULL, NULL, NULL, NULL, NULL];
    began timestamptz;
    took  numeric;
BEGIN
    FOR round IN 1..7 LOOP -- in turns, so that a slow moment of the machine meets all of them
        FOR i IN 1..5 LOOP
            BEGIN
                IF drops[i] IN ('bid_pkey', 'all three') THEN ALTER TABLE bid DROP CONSTRAINT bid_pkey; END IF;
                IF drops[i] IN ('bid_auction_id_request_id_key', 'all three') THEN ALTER TABLE bid DROP CONSTRAINT bid_auction_id_request_id_key; END IF;
                IF drops[i] IN ('bid_by_bidder', 'all three') THEN DROP INDEX bid_by_bidder; END IF;
                began := clock_timestamp();
                INSERT INTO bid (id, auction_id, version, bidder_id, amount, request_id, created_at)
                SELECT version, -1, version, bidder_id, amount, request_id, began FROM offer;
                took := extract(epoch FROM clock_timestamp() - began) * 1000000 / 40000;
                RAISE EXCEPTION 'undo' USING ERRCODE = 'RB001';
            EXCEPTION WHEN SQLSTATE 'RB001' THEN
                best[i] := least(best[i], took);
            END;
        END LOOP;
    END LOOP;
    FOR i IN 1..5 LOOP
        RAISE NOTICE 'without %: % µs a bid', drops[i], round(best[i], 1);
    END LOOP;
END $$;
ROLLBACK;
