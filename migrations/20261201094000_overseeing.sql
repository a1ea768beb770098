-- +goose Up

-- People are found by the beginning of what they are called. The range
-- operators of text_pattern_ops (~>=~, ~<~) compare bytes whatever the
-- database's collation is.
CREATE INDEX account_by_name ON account (lower(name) text_pattern_ops);
CREATE INDEX account_by_alias ON account (lower(alias) text_pattern_ops);
CREATE INDEX account_by_email ON account (email text_pattern_ops);
CREATE INDEX account_sellers ON account (id) WHERE seller;
CREATE INDEX account_admins ON account (id) WHERE admin;
CREATE INDEX account_suspended ON account (id) WHERE suspended_at IS NOT NULL;

-- People switch selling on and off by themselves; once the house has ended it,
-- only the house can let them sell again.
ALTER TABLE account ADD COLUMN selling_ended boolean NOT NULL DEFAULT false;

-- Lots that are over, by when that was. Neither index has a column that a bid
-- changes, so that bids still update the row in place.
CREATE INDEX auction_over ON auction (closed_at, id) WHERE status <> 'OPEN';
CREATE INDEX auction_over_by_outcome ON auction (outcome, closed_at, id) WHERE status <> 'OPEN';
CREATE INDEX auction_of_seller ON auction (seller_id, id);
CREATE INDEX result_by_winner ON result (winner_id, closed_at, auction_id) WHERE winner_id IS NOT NULL;

-- act_on_account does an admin's act on a person, in one atomic step, and
-- returns its verdict. Done is what changed something, and has its line in the
-- audit log; the same act again finds nothing to do.
--
-- All admins' rows are locked first, always in the same order, and who is an
-- admin is read after that, in new statements: of two admins who take each
-- other's office at the same moment the second is told that they are none any
-- more, and the last one stays.
-- +goose StatementBegin
CREATE FUNCTION act_on_account(actor bigint, person bigint, act text, why text) RETURNS text
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
    before account;
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'act_on_account needs READ COMMITTED, not %', current_setting('transaction_isolation');
    END IF;

    PERFORM 1 FROM account a
        WHERE a.id = ANY (ARRAY[actor, person] || ARRAY(SELECT o.id FROM account o WHERE o.admin))
        ORDER BY a.id FOR NO KEY UPDATE;
    PERFORM 1 FROM account a WHERE a.id = actor AND a.admin AND a.suspended_at IS NULL;
    IF NOT FOUND THEN
        RETURN 'not_admin';
    END IF;
    SELECT a.* INTO before FROM account a WHERE a.id = person;
    IF NOT FOUND THEN
        RETURN 'not_found';
    END IF;

    IF person = actor AND act IN ('suspend', 'end-admin') THEN
        RETURN 'own'; -- whoever acts stays an admin, so there is always one
    END IF;

    UPDATE account a
        SET suspended_at = CASE act WHEN 'suspend' THEN clock_timestamp() WHEN 'restore' THEN NULL ELSE a.suspended_at END,
            seller = CASE act WHEN 'allow-selling' THEN true WHEN 'end-selling' THEN false ELSE a.seller END,
            selling_ended = CASE act WHEN 'allow-selling' THEN false WHEN 'end-selling' THEN true ELSE a.selling_ended END,
            admin = CASE act WHEN 'make-admin' THEN true WHEN 'end-admin' THEN false ELSE a.admin END
        WHERE a.id = person AND CASE act
            WHEN 'suspend' THEN a.suspended_at IS NULL
            WHEN 'restore' THEN a.suspended_at IS NOT NULL
            WHEN 'allow-selling' THEN NOT a.seller OR a.selling_ended
            WHEN 'end-selling' THEN a.seller
            WHEN 'make-admin' THEN NOT a.admin
            WHEN 'end-admin' THEN a.admin
        END;
    IF NOT FOUND THEN
        RETURN 'nothing';
    END IF;
    INSERT INTO audit (actor_id, action, subject, subject_id, reason, detail)
        VALUES (actor, act, 'account', person, why, jsonb_build_object(
            'suspendedAt', instant_text(before.suspended_at),
            'seller', before.seller,
            'admin', before.admin));
    RETURN 'done';
END $$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION act_on_account;
DROP INDEX result_by_winner, auction_of_seller, auction_over_by_outcome, auction_over,
    account_suspended, account_admins, account_sellers, account_by_email, account_by_alias, account_by_name;
ALTER TABLE account DROP COLUMN selling_ended;
