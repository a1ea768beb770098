-- +goose Up

-- What a person won is listed in the order of its closing, as admins list it:
-- result_by_winner serves both.
DROP INDEX result_of_winner;

-- +goose Down
CREATE INDEX result_of_winner ON result (winner_id, auction_id) WHERE winner_id IS NOT NULL;
