-- +goose Up

-- Lots that were found by their words are sorted by their ends: with the end
-- beside the id their rows need not be read for that.
DROP INDEX auction_open_by_id, auction_closed_by_id;
CREATE INDEX auction_open_by_id ON auction (id) INCLUDE (end_time) WHERE status = 'OPEN';
CREATE INDEX auction_closed_by_id ON auction (id) INCLUDE (end_time) WHERE status = 'CLOSED';

-- +goose Down
DROP INDEX auction_open_by_id, auction_closed_by_id;
CREATE INDEX auction_open_by_id ON auction (id) WHERE status = 'OPEN';
CREATE INDEX auction_closed_by_id ON auction (id) WHERE status = 'CLOSED';
