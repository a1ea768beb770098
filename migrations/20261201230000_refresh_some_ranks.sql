-- +goose Up

-- refresh_some_ranks is refresh_ranks for at most so many lots, those whose
-- rank is the oldest, and says whether there is more to do. After 100,000 lots
-- ended at one instant the other took longer than a statement may, each time
-- anew. Each call's order is that of a moment of its own. refresh_ranks stays
-- for binaries that know no other.
-- +goose StatementBegin
CREATE FUNCTION refresh_some_ranks(kept interval, most integer, OUT changed bigint, OUT more boolean) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    moment timestamptz := clock_timestamp();
    past   bigint;
BEGIN
    changed := 0;
    more := false;
    IF NOT pg_try_advisory_xact_lock(hashtextextended('lot_rank', 0)) THEN
        RETURN;
    END IF;
    WITH news AS MATERIALIZED (
        SELECT r.auction_id, r.since
        FROM lot_rank r
        LEFT JOIN auction a ON a.id = r.auction_id AND a.status = 'OPEN'
        WHERE r.open AND r.until = 'infinity'
            AND (a.id IS NULL OR a.bid_count <> r.bid_count OR a.current_price <> r.price)
        ORDER BY r.since
        LIMIT most
    ), past AS (
        UPDATE lot_rank r SET until = moment FROM news WHERE r.auction_id = news.auction_id AND r.since = news.since
    ), present AS (
        INSERT INTO lot_rank (auction_id, open, price, bid_count, since)
            SELECT a.id, a.status = 'OPEN', a.current_price, a.bid_count, moment
            FROM news JOIN auction a ON a.id = news.auction_id
            WHERE a.status <> 'WITHDRAWN'
    )
    SELECT count(*) INTO changed FROM news;
    DELETE FROM lot_rank r
        USING (SELECT p.auction_id, p.since FROM lot_rank p WHERE p.until < moment - kept LIMIT most) AS old
        WHERE r.auction_id = old.auction_id AND r.since = old.since;
    GET DIAGNOSTICS past = ROW_COUNT;
    IF changed > 0 OR past > 0 THEN
        UPDATE lot_rank_moment SET refreshed_at = moment, kept_since = CASE WHEN past > 0 THEN moment - kept ELSE kept_since END;
    END IF;
    more := greatest(changed, past) = most;
END $$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION refresh_some_ranks;
