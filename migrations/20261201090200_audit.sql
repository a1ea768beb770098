-- +goose Up

-- The acts of those who look after the house: who, what, why, when. Written in
-- the transaction of the act; nothing updates or deletes a row of it.
CREATE TABLE audit (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    actor_id   bigint,                      -- an account; NULL: the command line
    action     text        NOT NULL,        -- such as 'suspend', 'withdraw'
    subject    text        NOT NULL CHECK (subject IN ('account', 'auction')),
    subject_id bigint      NOT NULL,
    reason     text        NOT NULL DEFAULT '',
    detail     jsonb       NOT NULL DEFAULT '{}', -- what else is worth knowing, such as what was before
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX audit_by_subject ON audit (subject, subject_id, id);
CREATE INDEX audit_by_actor ON audit (actor_id, id);
CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- +goose Down
DROP TABLE audit;
