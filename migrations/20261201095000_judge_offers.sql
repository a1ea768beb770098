-- +goose Up

-- judge_offers is judge, and asks the leader: who already leads when an offer
-- with asks is judged gets the verdict 'leading', and nothing is placed. That is
-- judged with the rest, because a page may know of no lead that it could have
-- asked about. judge stays for binaries that know no other.
--
-- It decides offers on one lot, in their order, in one atomic step, and
-- returns one row: the lot as it stands afterwards, the instant of judging, and
-- for each offer its verdict and, where it was accepted (now or before), its
-- bid. No row: there is no such lot.
--
-- First the row's lock, then the clock, once, then people and request ids in a
-- new statement: under READ COMMITTED it sees what was committed during the
-- wait. No person's row is locked: a suspension counts for every bid judged
-- after it was committed. The plan of the look-ups is pinned, because one made
-- while `bid` was empty would stay a sequential scan.
-- +goose StatementBegin
CREATE FUNCTION judge_offers(lot_id bigint, bidders bigint[], amounts numeric[], requests uuid[], asks boolean[] DEFAULT '{}')
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
    offer          record;
    verdict        text;
    twin           integer;                                                 -- the place of an offer with the same id, accepted in this call
    twins          integer[] := array_fill(0, ARRAY[cardinality(requests)]); -- by the first place of an id
    version_before bigint;
    leader_before  bigint;
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'judge_offers needs READ COMMITTED, not %', current_setting('transaction_isolation');
    END IF;

    SELECT a.* INTO lot FROM auction a WHERE a.id = lot_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    judged_at      := clock_timestamp();
    version_before := lot.version;
    leader_before  := lot.leader_id;
    verdicts       := array_fill(NULL::text, ARRAY[cardinality(requests)]);
    bid_ids        := array_fill(NULL::bigint, ARRAY[cardinality(requests)]);
    bid_versions   := array_fill(NULL::bigint, ARRAY[cardinality(requests)]);
    bid_times      := array_fill(NULL::timestamptz, ARRAY[cardinality(requests)]);

    FOR offer IN
        SELECT o.place::integer, o.bidder, o.amount, o.request,
               (min(o.place) OVER (PARTITION BY o.request))::integer AS first_place,
               p.id IS NULL OR p.suspended_at IS NOT NULL AS suspended, -- nobody may not bid either
               b.id, b.version, b.created_at,
               b.bidder_id = o.bidder AND b.amount = o.amount AS same
        FROM unnest(bidders, amounts, requests) WITH ORDINALITY AS o (bidder, amount, request, place)
        LEFT JOIN LATERAL (SELECT * FROM bid WHERE bid.auction_id = lot_id AND bid.request_id = o.request LIMIT 1) b ON true
        LEFT JOIN LATERAL (SELECT * FROM account WHERE account.id = o.bidder LIMIT 1) p ON true
        ORDER BY o.place
    LOOP
        twin := twins[offer.first_place];
        verdict := CASE
            WHEN offer.id IS NOT NULL THEN CASE WHEN offer.same THEN 'replayed' ELSE 'reused' END
            WHEN twin > 0 THEN CASE WHEN bidders[twin] = offer.bidder AND amounts[twin] = offer.amount THEN 'replayed' ELSE 'reused' END
            WHEN offer.suspended THEN 'suspended'
            WHEN offer.bidder = lot.seller_id THEN 'own_auction'
            WHEN lot.status <> 'OPEN' THEN 'ended'
            WHEN judged_at < lot.start_time THEN 'not_started'
            WHEN judged_at >= lot.end_time THEN 'ended'
            WHEN offer.amount < lot.current_price + lot.min_increment THEN 'too_low'
            WHEN asks[offer.place] AND offer.bidder = lot.leader_id THEN 'leading'
            ELSE 'accepted'
        END;
        verdicts[offer.place] := verdict;
        IF verdict = 'accepted' THEN
            lot.version       := lot.version + 1;
            lot.bid_count     := lot.bid_count + 1;
            lot.current_price := offer.amount;
            lot.leader_id     := offer.bidder;
            twins[offer.first_place]  := offer.place;
            bid_ids[offer.place]      := nextval('bid_id_seq');
            bid_versions[offer.place] := lot.version;
            bid_times[offer.place]    := judged_at;
        ELSIF verdict = 'replayed' THEN
            bid_ids[offer.place]      := coalesce(offer.id, bid_ids[twin]);
            bid_versions[offer.place] := coalesce(offer.version, bid_versions[twin]);
            bid_times[offer.place]    := coalesce(offer.created_at, judged_at);
        END IF;
    END LOOP;

    IF lot.version = version_before THEN
        PERFORM set_config('synchronous_commit', 'off', true); -- nothing was written: nothing to wait for
    ELSE
        lot.end_time := greatest(lot.end_time, judged_at + lot.soft_close);
        INSERT INTO bid (id, auction_id, version, bidder_id, amount, request_id, created_at)
            SELECT o.id, lot_id, o.version, o.bidder, o.amount, o.request, judged_at
            FROM unnest(verdicts, bid_ids, bid_versions, bidders, amounts, requests)
                AS o (verdict, id, version, bidder, amount, request)
            WHERE o.verdict = 'accepted';
        UPDATE auction a
            SET version = lot.version, bid_count = lot.bid_count, current_price = lot.current_price,
                leader_id = lot.leader_id, end_time = lot.end_time
            WHERE a.id = lot_id;
        INSERT INTO outbox (topic, aggregate_id, sequence, created_at, payload)
            VALUES ('bids-accepted', lot_id, lot.version, judged_at, jsonb_build_object(
                'fromVersion', version_before + 1,
                'toVersion', lot.version,
                'displacedLeaderId', nullif(leader_before, lot.leader_id)));
    END IF;
    RETURN NEXT;
END $$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION judge_offers;
