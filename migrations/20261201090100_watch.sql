-- +goose Up

-- Who has which lot on their watch list. No foreign key to auction: checking
-- one would lock the lot's row, which bids wait for.
CREATE TABLE watch (
    account_id bigint      NOT NULL REFERENCES account ON DELETE CASCADE,
    auction_id bigint      NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (account_id, auction_id)
);
CREATE INDEX watch_by_auction ON watch (auction_id);

-- +goose Down
DROP TABLE watch;
