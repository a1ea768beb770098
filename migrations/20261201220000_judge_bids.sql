-- +goose Up

-- judge_bids is judge_offers made for crowds: what nearly all offers share is
-- found once, and the loop does only what depends on the offer before.
-- judge_offers stays for binaries that know no other.
--
-- It decides offers on one lot, in their order, in one atomic step, and
-- returns one row: the lot as it stands afterwards, the instant of judging, and
-- for each offer its verdict and, where it was accepted (now or before), its
-- bid. No row: there is no such lot. An offer with asks from whoever leads
-- when it is judged gets the verdict 'leading', and nothing is placed.
--
-- First the row's lock, then the clock, once, then people and request ids in
-- new statements: under READ COMMITTED they see what was committed during the
-- wait. No person's row is locked: a suspension counts for every bid judged
-- after it was committed. The plans are pinned, because one made while `bid`
-- was small would stay a sequential scan. One made while it was empty would
-- take the index on versions and read a lot's whole log for each id: a lot
-- without bids is therefore not looked up at all.
-- +goose StatementBegin
CREATE FUNCTION judge_bids(lot_id bigint, bidders bigint[], amounts numeric[], requests uuid[], asks boolean[] DEFAULT '{}')
RETURNS TABLE (
    lot          auction,
    judged_at    timestamptz,
    verdicts     text[],
    bid_ids      bigint[],
    bid_versions bigint[],
    bid_times    timestamptz[]
)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
DECLARE
    offers  CONSTANT integer := cardinality(requests);
    before  auction;
    stands  text;      -- the verdict on every offer by whoever may bid; NULL where the lot takes bids
    floor   numeric;
    top     bigint;    -- the version that the last accepted bid made
    leader  bigint;
    barred  bigint[];  -- those of the bidders who may not bid; nobody may not bid either
    nexts   integer[]; -- by place: the next place of the same id; NULL where none comes twice
    earlier record;
    place   integer := 0;
    amount  numeric;
    verdict text;
    twin    integer;   -- a later place of the id that was just accepted
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'judge_bids needs READ COMMITTED, not %', current_setting('transaction_isolation');
    END IF;

    SELECT a.* INTO before FROM auction a WHERE a.id = lot_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    judged_at    := clock_timestamp();
    lot          := before;
    floor        := before.current_price + before.min_increment;
    top          := before.version;
    leader       := before.leader_id;
    stands       := CASE
        WHEN before.status <> 'OPEN' THEN 'ended'
        WHEN judged_at < before.start_time THEN 'not_started'
        WHEN judged_at >= before.end_time THEN 'ended'
    END;
    verdicts     := array_fill(NULL::text, ARRAY[offers]);
    bid_ids      := array_fill(NULL::bigint, ARRAY[offers]);
    bid_versions := array_fill(NULL::bigint, ARRAY[offers]);
    bid_times    := array_fill(NULL::timestamptz, ARRAY[offers]);

    IF before.bid_count > 0 THEN
        FOR earlier IN
            SELECT o.place, b.id, b.version, b.created_at, b.bidder_id = bidders[o.place] AND b.amount = amounts[o.place] AS same
            FROM unnest(requests) WITH ORDINALITY AS o (request, place)
            CROSS JOIN LATERAL (SELECT * FROM bid WHERE bid.auction_id = lot_id AND bid.request_id = o.request LIMIT 1) b
        LOOP
            verdicts[earlier.place] := CASE WHEN earlier.same THEN 'replayed' ELSE 'reused' END;
            IF earlier.same THEN
                bid_ids[earlier.place]      := earlier.id;
                bid_versions[earlier.place] := earlier.version;
                bid_times[earlier.place]    := earlier.created_at;
            END IF;
        END LOOP;
    END IF;
    barred := ARRAY(
        SELECT DISTINCT o.bidder FROM unnest(bidders) AS o (bidder)
        LEFT JOIN LATERAL (SELECT * FROM account WHERE account.id = o.bidder LIMIT 1) p ON true
        WHERE p.id IS NULL OR p.suspended_at IS NOT NULL);
    IF offers > 1 AND EXISTS (SELECT FROM unnest(requests) AS o (request) GROUP BY o.request HAVING count(*) > 1) THEN
        nexts := ARRAY(
            SELECT lead(o.place) OVER (PARTITION BY o.request ORDER BY o.place)
            FROM unnest(requests) WITH ORDINALITY AS o (request, place)
            ORDER BY o.place);
    END IF;

    FOREACH amount IN ARRAY amounts LOOP
        place   := place + 1;
        verdict := CASE
            WHEN verdicts[place] IS NOT NULL THEN verdicts[place] -- its id was used before
            WHEN bidders[place] = ANY (barred) THEN 'suspended'
            WHEN bidders[place] = before.seller_id THEN 'own_auction'
            WHEN stands IS NOT NULL THEN stands
            WHEN amount < floor THEN 'too_low'
            WHEN asks[place] AND bidders[place] = leader THEN 'leading'
            ELSE 'accepted'
        END;
        verdicts[place] := verdict;
        IF verdict = 'accepted' THEN
            top    := top + 1;
            floor  := amount + before.min_increment;
            leader := bidders[place];
            bid_ids[place]      := nextval('bid_id_seq');
            bid_versions[place] := top;
            bid_times[place]    := judged_at;
            twin := nexts[place];
            WHILE twin IS NOT NULL LOOP
                verdicts[twin] := CASE WHEN bidders[twin] = leader AND amounts[twin] = amount THEN 'replayed' ELSE 'reused' END;
                IF verdicts[twin] = 'replayed' THEN
                    bid_ids[twin]      := bid_ids[place];
                    bid_versions[twin] := top;
                    bid_times[twin]    := judged_at;
                END IF;
                twin := nexts[twin];
            END LOOP;
        END IF;
    END LOOP;

    IF top = before.version THEN
        PERFORM set_config('synchronous_commit', 'off', true); -- nothing was written: nothing to wait for
    ELSE
        INSERT INTO bid (id, auction_id, version, bidder_id, amount, request_id, created_at)
            SELECT o.id, lot_id, o.version, o.bidder, o.amount, o.request, judged_at
            FROM unnest(verdicts, bid_ids, bid_versions, bidders, amounts, requests)
                AS o (verdict, id, version, bidder, amount, request)
            WHERE o.verdict = 'accepted';
        UPDATE auction a
            SET version = top, bid_count = a.bid_count + top - a.version, current_price = floor - a.min_increment,
                leader_id = leader, end_time = greatest(a.end_time, judged_at + a.soft_close)
            WHERE a.id = lot_id
            RETURNING a.* INTO lot;
        INSERT INTO outbox (topic, aggregate_id, sequence, created_at, payload)
            VALUES ('bids-accepted', lot_id, top, judged_at, jsonb_build_object(
                'fromVersion', before.version + 1,
                'toVersion', top,
                'displacedLeaderId', nullif(before.leader_id, leader)));
    END IF;
    RETURN NEXT;
END $$;
-- +goose StatementEnd

-- refuse_bids looks at offers that are likely to be too low without holding up
-- the lot. It returns the lot, the instant of looking, and for each offer
-- 'too_low', 'ended' where the row says so, or NULL: every other verdict is
-- judge_bids'. An id that was used, a person who may not bid, the seller, and a
-- lot before its start or about its end are left to it, so the order of the
-- checks is the same. STABLE: all is read in the one snapshot of the call, so
-- the answer is true of the version that it names.
-- +goose StatementBegin
CREATE FUNCTION refuse_bids(lot_id bigint, bidders bigint[], amounts numeric[], requests uuid[])
RETURNS TABLE (lot auction, looked_at timestamptz, verdicts text[])
LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
DECLARE
    floor  numeric;
    barred bigint[];
    used   integer; -- the place of an id that was used
BEGIN
    SELECT a.* INTO lot FROM auction a WHERE a.id = lot_id;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    looked_at := clock_timestamp();
    floor     := lot.current_price + lot.min_increment;
    barred    := lot.seller_id || ARRAY(SELECT p.id FROM account p WHERE p.id = ANY (bidders) AND p.suspended_at IS NOT NULL);
    verdicts  := ARRAY(
        SELECT CASE
            WHEN o.bidder = ANY (barred) THEN NULL
            WHEN lot.status <> 'OPEN' THEN 'ended'
            WHEN looked_at < lot.start_time OR looked_at >= lot.end_time THEN NULL -- a bid under way may move the end
            WHEN o.amount < floor THEN 'too_low'
        END
        FROM unnest(bidders, amounts) WITH ORDINALITY AS o (bidder, amount, place)
        ORDER BY o.place);
    IF lot.bid_count > 0 THEN
        FOR used IN
            SELECT o.place FROM unnest(requests) WITH ORDINALITY AS o (request, place)
            CROSS JOIN LATERAL (SELECT FROM bid WHERE bid.auction_id = lot_id AND bid.request_id = o.request LIMIT 1) b
        LOOP
            verdicts[used] := NULL;
        END LOOP;
    END IF;
    RETURN NEXT;
END $$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION refuse_bids, judge_bids;
