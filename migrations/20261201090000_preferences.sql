-- +goose Up

-- What a person chose in their settings. Without a zone, times are those of
-- the browser. confirm_bids: a bid is shown once more before it is sent.
ALTER TABLE account
    ADD COLUMN time_zone    text    NOT NULL DEFAULT '', -- an IANA name
    ADD COLUMN confirm_bids boolean NOT NULL DEFAULT true;

-- +goose Down
ALTER TABLE account DROP COLUMN time_zone, DROP COLUMN confirm_bids;
