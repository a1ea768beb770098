-- +goose Up

-- The words that lots have or had. Of a prefix, an index of words reads every
-- place before it intersects; of a word, only what the other words leave. Among
-- a million lots with three common words that is 22 ms instead of 130. A word
-- that no lot has any longer stays: looking for it finds nothing.
CREATE TABLE lot_word (
    word text COLLATE "C" PRIMARY KEY
);

-- Sorted, so that two who list at once wait for each other's new words in the
-- same order.
-- +goose StatementBegin
CREATE FUNCTION keep_lot_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO lot_word (word)
        SELECT w FROM unnest(tsvector_to_array(NEW.words)) AS w ORDER BY w COLLATE "C"
        ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
-- +goose StatementEnd

CREATE TRIGGER keep_lot_words AFTER INSERT OR UPDATE OF words ON lot_search
    FOR EACH ROW EXECUTE FUNCTION keep_lot_words();

INSERT INTO lot_word (word)
SELECT DISTINCT w COLLATE "C" FROM lot_search, unnest(tsvector_to_array(words)) AS w;

-- search_for asks for every word of a text, each as the beginning of a word;
-- of a run without blanks for every pair, and only where it is one character
-- for that. A beginning that one or two words have is asked for by these ('vase' |
-- 'vases'); from three common ones on, the prefix is quicker. NULL where there is no word in the text. No sign of the language of searches
-- is left in a word, so none needs to be escaped. A word has at most 100
-- characters, so that none with the beginning lies behind 100 of the last one.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION search_for(t text) RETURNS tsquery LANGUAGE sql STABLE STRICT PARALLEL SAFE AS $$
    SELECT string_agg(CASE WHEN forms.n BETWEEN 1 AND 2 THEN forms.any_of ELSE '''' || beginning || ''':*' END, ' & ')::tsquery
    FROM unnest(tsvector_to_array(words_of(t))) AS beginning CROSS JOIN LATERAL (
        SELECT count(*) AS n, '(' || string_agg('''' || word || '''', ' | ') || ')' AS any_of
        FROM (SELECT word FROM lot_word
            WHERE word >= beginning COLLATE "C" AND word < beginning || repeat(chr(1114111), 100) COLLATE "C"
            LIMIT 3) few) forms
    WHERE length(beginning) > 1 OR NOT EXISTS (
        SELECT FROM unnest(tsvector_to_array(words_of(t))) AS pair
        WHERE length(pair) = 2 AND right(pair, 1) = beginning AND ascii(pair) >= x'0e00'::int)
$$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION search_for(t text) RETURNS tsquery LANGUAGE sql STABLE STRICT PARALLEL SAFE AS $$
    SELECT string_agg('''' || word || ''':*', ' & ')::tsquery
    FROM unnest(tsvector_to_array(words_of(t))) AS word
    WHERE length(word) > 1 OR NOT EXISTS (
        SELECT FROM unnest(tsvector_to_array(words_of(t))) AS pair
        WHERE length(pair) = 2 AND right(pair, 1) = word AND ascii(pair) >= x'0e00'::int)
$$;
-- +goose StatementEnd
DROP TRIGGER keep_lot_words ON lot_search;
DROP TABLE lot_word;
DROP FUNCTION keep_lot_words;
