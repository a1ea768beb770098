-- +goose Up

-- asked is the SHA-256 of what the seller asked for at listing: an edit changes
-- the lot, and the same request again must still find it. outcome is how the
-- lot ended, NULL while it is OPEN; a bid leaves it as it is, so that bids
-- still update the row in place. (An index on leader_id, or one that is partial
-- by it, would end that.)
ALTER TABLE auction
    ADD COLUMN asked            bytea,
    ADD COLUMN withdrawn_reason text NOT NULL DEFAULT '',
    ADD COLUMN outcome          text GENERATED ALWAYS AS (CASE status
        WHEN 'WITHDRAWN' THEN 'withdrawn'
        WHEN 'CLOSED' THEN CASE WHEN leader_id IS NULL THEN 'unsold' ELSE 'sold' END
    END) STORED;

-- A seller's own lots: open ones by their end or by their start, those that are
-- over by when that was.
CREATE INDEX auction_of_seller_by_end ON auction (seller_id, end_time, id) WHERE status = 'OPEN';
CREATE INDEX auction_of_seller_by_start ON auction (seller_id, start_time, id) WHERE status = 'OPEN';
CREATE INDEX auction_of_seller_over ON auction (seller_id, outcome, closed_at, id) WHERE status <> 'OPEN';

-- +goose Down
ALTER TABLE auction DROP COLUMN outcome, DROP COLUMN withdrawn_reason, DROP COLUMN asked;
