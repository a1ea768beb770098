-- +goose Up

-- Searching lots by words. What is searched stands in a table of its own: the
-- row of a lot that is bid on stays small, and bids touch nothing here.
-- +goose StatementBegin
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'unaccent') THEN
        RAISE EXCEPTION 'PostgreSQL''s additional modules are missing (unaccent): install them, in many distributions as the package postgresql-contrib';
    END IF;
END $$;
-- +goose StatementEnd
CREATE EXTENSION IF NOT EXISTS unaccent;

-- folded takes case, accents and compatibility forms (full-width letters,
-- half-width katakana, ligatures) out of a text. Marks are taken off first, so
-- that letters count which unaccent has no rule for (Greek, Cyrillic); ß, ł and
-- ø have no mark and are left to it.
-- +goose StatementBegin
CREATE FUNCTION folded(t text) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN lower(unaccent(normalize(
    regexp_replace(normalize(t, NFKD), '[\u0300-\u036f\ufe00-\ufe0f]', '', 'g'), NFKC)));
-- +goose StatementEnd

-- words_of is what is found of a text: its words, and of runs in a script that
-- is written without blanks (Chinese characters, kana, Thai, Lao, Burmese,
-- Khmer) the pairs of neighbouring characters, and the last character. pg_trgm
-- is no help there: its index cannot find two characters within a run, which
-- are the usual words.
--
-- The signs that part words are told by their numbers, because in the locale C
-- PostgreSQL's classes of characters know ASCII only. There is no order by
-- relevance, so places and weights are left out.
-- +goose StatementBegin
CREATE FUNCTION words_of(t text) RETURNS tsvector LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
DECLARE
    parting   CONSTANT text := '\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u206f\u2e00-\u2e7f\u3000-\u3004\u3008-\u303f\u30fb\uff00-\uff0f';
    blankless CONSTANT text := '\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff';
    words     text[];
    run       text;
BEGIN
    IF octet_length(t) = length(t) THEN -- ASCII, as most texts are: quicker than by regular expressions
        t := translate(lower(t), E'\t\n\r!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', repeat(' ', 35));
        RETURN array_to_tsvector(ARRAY(SELECT left(w, 100) FROM string_to_table(t, ' ') w WHERE w <> ''));
    END IF;
    t := folded(t);
    words := ARRAY(SELECT DISTINCT left(w, 100) FROM regexp_split_to_table(t, '[' || parting || blankless || ']+') w WHERE w <> '');
    FOR run IN SELECT m[1] FROM regexp_matches(t, '[' || blankless || ']+', 'g') m LOOP
        words := words || ARRAY(
            SELECT c || coalesce(lead(c) OVER (ORDER BY place), '')
            FROM unnest(string_to_array(run, NULL)) WITH ORDINALITY AS characters (c, place));
    END LOOP;
    RETURN array_to_tsvector(words);
END $$;
-- +goose StatementEnd

-- search_for asks for every word of a text, each as the beginning of a word;
-- of a run without blanks for every pair, and only where it is one character
-- for that. NULL where there is no word in the text. No sign of the language
-- of searches is left in a word, so none needs to be escaped.
-- +goose StatementBegin
CREATE FUNCTION search_for(t text) RETURNS tsquery LANGUAGE sql STABLE STRICT PARALLEL SAFE AS $$
    SELECT string_agg('''' || word || ''':*', ' & ')::tsquery
    FROM unnest(tsvector_to_array(words_of(t))) AS word
    WHERE length(word) > 1 OR NOT EXISTS (
        SELECT FROM unnest(tsvector_to_array(words_of(t))) AS pair
        WHERE length(pair) = 2 AND right(pair, 1) = word AND ascii(pair) >= x'0e00'::int)
$$;
-- +goose StatementEnd

-- One row for each lot that is open or closed; withdrawn ones are not found.
CREATE TABLE lot_search (
    auction_id bigint   PRIMARY KEY,
    open       boolean  NOT NULL,
    words      tsvector NOT NULL
);

-- +goose StatementBegin
CREATE FUNCTION keep_lot_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status = 'WITHDRAWN' THEN
        DELETE FROM lot_search WHERE auction_id = NEW.id;
    ELSIF TG_OP = 'UPDATE' AND OLD.status <> 'WITHDRAWN' AND NEW.title = OLD.title AND NEW.description = OLD.description THEN
        UPDATE lot_search SET open = NEW.status = 'OPEN' WHERE auction_id = NEW.id AND open <> (NEW.status = 'OPEN');
    ELSE
        INSERT INTO lot_search (auction_id, open, words)
            VALUES (NEW.id, NEW.status = 'OPEN', words_of(NEW.title || ' ' || NEW.description))
            ON CONFLICT (auction_id) DO UPDATE SET open = excluded.open, words = excluded.words;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- judge sets none of these columns.
CREATE TRIGGER keep_lot_search AFTER INSERT OR UPDATE OF title, description, status ON auction
    FOR EACH ROW EXECUTE FUNCTION keep_lot_search();

INSERT INTO lot_search (auction_id, open, words)
SELECT id, status = 'OPEN', words_of(title || ' ' || description) FROM auction WHERE status <> 'WITHDRAWN';

CREATE INDEX lot_search_open ON lot_search USING gin (words) WITH (gin_pending_list_limit = 512) WHERE open;
CREATE INDEX lot_search_closed ON lot_search USING gin (words) WITH (gin_pending_list_limit = 512) WHERE NOT open;

-- The newest first. A bid changes no id.
CREATE INDEX auction_open_by_id ON auction (id) WHERE status = 'OPEN';
CREATE INDEX auction_closed_by_id ON auction (id) WHERE status = 'CLOSED';

-- +goose Down
DROP INDEX auction_open_by_id, auction_closed_by_id;
DROP TRIGGER keep_lot_search ON auction;
DROP TABLE lot_search;
DROP FUNCTION keep_lot_search, search_for, words_of, folded;
DROP EXTENSION unaccent;
