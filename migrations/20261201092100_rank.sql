-- +goose Up

-- The lots by price and by number of bids. An index on these columns of
-- auction would have every bid write into all indexes of that table, so they
-- stand here, refreshed every few seconds, and bids pay nothing.
--
-- What was the rank is kept for a quarter of an hour: who reads the lots page
-- by page reads them all in the order of one moment (since <= moment < until)
-- and misses none, though bids arrive.
CREATE TABLE lot_rank (
    auction_id bigint        NOT NULL,
    open       boolean       NOT NULL,
    price      numeric(14,2) NOT NULL,
    bid_count  bigint        NOT NULL,
    since      timestamptz   NOT NULL DEFAULT '-infinity', -- a new lot belongs to every order
    until      timestamptz   NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (auction_id, since)
);

-- refreshed_at is the newest moment whose order can be read, kept_since the
-- oldest.
CREATE TABLE lot_rank_moment (
    only_one     boolean     PRIMARY KEY DEFAULT true CHECK (only_one),
    refreshed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    kept_since   timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO lot_rank_moment DEFAULT VALUES;

INSERT INTO lot_rank (auction_id, open, price, bid_count)
SELECT id, status = 'OPEN', current_price, bid_count FROM auction WHERE status <> 'WITHDRAWN';

CREATE INDEX lot_rank_open_by_price ON lot_rank (price, auction_id) WHERE open;
CREATE INDEX lot_rank_closed_by_price ON lot_rank (price, auction_id) WHERE NOT open;
CREATE INDEX lot_rank_open_by_bids ON lot_rank (bid_count, auction_id) WHERE open;
CREATE INDEX lot_rank_closed_by_bids ON lot_rank (bid_count, auction_id) WHERE NOT open;
CREATE INDEX lot_rank_past ON lot_rank (until) WHERE until < 'infinity';
CREATE INDEX lot_rank_present ON lot_rank (auction_id) WHERE open AND until = 'infinity';

-- +goose StatementBegin
CREATE FUNCTION add_lot_rank() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO lot_rank (auction_id, open, price, bid_count)
        VALUES (NEW.id, NEW.status = 'OPEN', NEW.current_price, NEW.bid_count);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER add_lot_rank AFTER INSERT ON auction FOR EACH ROW EXECUTE FUNCTION add_lot_rank();

-- refresh_ranks brings the ranks of what is open up to date and returns how
-- many changed. One at a time does it, and it waits for nobody: it locks no
-- lot, and nobody else changes a rank.
-- +goose StatementBegin
CREATE FUNCTION refresh_ranks(kept interval) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    moment  timestamptz := clock_timestamp();
    changed bigint;
    past    bigint;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('lot_rank', 0)) THEN
        RETURN 0;
    END IF;
    WITH news AS MATERIALIZED (
        SELECT r.auction_id, r.since
        FROM lot_rank r
        LEFT JOIN auction a ON a.id = r.auction_id AND a.status = 'OPEN'
        WHERE r.open AND r.until = 'infinity'
            AND (a.id IS NULL OR a.bid_count <> r.bid_count OR a.current_price <> r.price)
    ), past AS (
        UPDATE lot_rank r SET until = moment FROM news WHERE r.auction_id = news.auction_id AND r.since = news.since
    )
    INSERT INTO lot_rank (auction_id, open, price, bid_count, since)
        SELECT a.id, a.status = 'OPEN', a.current_price, a.bid_count, moment
        FROM news JOIN auction a ON a.id = news.auction_id
        WHERE a.status <> 'WITHDRAWN';
    GET DIAGNOSTICS changed = ROW_COUNT;
    DELETE FROM lot_rank WHERE until < moment - kept;
    GET DIAGNOSTICS past = ROW_COUNT;
    IF changed > 0 OR past > 0 THEN
        UPDATE lot_rank_moment SET refreshed_at = moment, kept_since = CASE WHEN past > 0 THEN moment - kept ELSE kept_since END;
    END IF;
    RETURN changed;
END $$;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER add_lot_rank ON auction;
DROP FUNCTION refresh_ranks, add_lot_rank;
DROP TABLE lot_rank, lot_rank_moment;
