-- +goose Up

-- What a person won. What they bid on is found by bid_by_bidder.
CREATE INDEX result_of_winner ON result (winner_id, auction_id) WHERE winner_id IS NOT NULL;

-- +goose Down
DROP INDEX result_of_winner;
