-- +goose Up

-- Instances remember for a second whose API token is whose. Where a person is
-- changed or a token ends they are told at once, whoever did it: another
-- instance, the command line, or somebody at psql. A new account or token is
-- nothing that anybody could remember. NOTIFY makes the commits that carry one
-- wait for one another; these are rare, and none is a bid's.
-- +goose StatementBegin
CREATE FUNCTION tell_of_people() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NOTIFY rostrum_people;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER tell_of_people AFTER UPDATE OR DELETE ON account FOR EACH STATEMENT EXECUTE FUNCTION tell_of_people();
CREATE TRIGGER tell_of_people AFTER DELETE ON api_token FOR EACH STATEMENT EXECUTE FUNCTION tell_of_people();

-- +goose Down
DROP TRIGGER tell_of_people ON account;
DROP TRIGGER tell_of_people ON api_token;
DROP FUNCTION tell_of_people;
