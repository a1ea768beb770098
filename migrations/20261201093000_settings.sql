-- +goose Up

-- What people keep in their settings besides their preferences.

-- An alias that its person chose has a key, in which aliases that look alike
-- are the same (auction.AliasKey). Those that the house gives are plain ASCII.
ALTER TABLE account ADD COLUMN alias_key text;
CREATE UNIQUE INDEX account_alias_alike ON account (coalesce(alias_key, lower(alias)));

ALTER TABLE api_token
    ADD COLUMN name         text NOT NULL DEFAULT '',
    ADD COLUMN last_used_at timestamptz; -- to the minute; NULL: not yet

-- Who is signed in where. The session keeps the id; without its row, or with
-- another count of password changes than the account's, it is worth nothing.
CREATE TABLE sign_in (
    id               bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id       bigint      NOT NULL REFERENCES account ON DELETE CASCADE,
    password_changes bigint      NOT NULL, -- of the account when the password was asked
    agent            text        NOT NULL, -- what the browser calls itself
    address          text        NOT NULL,
    created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    seen_at          timestamptz NOT NULL DEFAULT clock_timestamp(), -- to the minute
    expires_at       timestamptz NOT NULL
);
CREATE INDEX sign_in_account ON sign_in (account_id);
CREATE INDEX sign_in_expiry ON sign_in (expires_at);

-- +goose Down
DROP TABLE sign_in;
ALTER TABLE api_token DROP COLUMN name, DROP COLUMN last_used_at;
DROP INDEX account_alias_alike;
ALTER TABLE account DROP COLUMN alias_key;
