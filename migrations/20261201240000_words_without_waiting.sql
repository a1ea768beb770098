-- +goose Up

-- Two who list the same new word at once do not wait for each other: with a
-- unique index the one would, until the other's transaction ends. So a word may
-- stand here twice, and is read once.
ALTER TABLE lot_word DROP CONSTRAINT lot_word_pkey;
CREATE INDEX lot_word_by_word ON lot_word (word);

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION keep_lot_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO lot_word (word)
        SELECT w FROM unnest(tsvector_to_array(NEW.words)) AS w
        WHERE NOT EXISTS (SELECT FROM lot_word k WHERE k.word = w COLLATE "C");
    RETURN NULL;
END $$;
-- +goose StatementEnd

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
        FROM (SELECT DISTINCT word FROM lot_word
            WHERE word >= beginning COLLATE "C" AND word < beginning || repeat(chr(1114111), 100) COLLATE "C"
            LIMIT 3) few) forms
    WHERE length(beginning) > 1 OR NOT EXISTS (
        SELECT FROM unnest(tsvector_to_array(words_of(t))) AS pair
        WHERE length(pair) = 2 AND right(pair, 1) = beginning AND ascii(pair) >= x'0e00'::int)
$$;
-- +goose StatementEnd

-- +goose Down
DELETE FROM lot_word a USING lot_word b WHERE a.word = b.word AND a.ctid > b.ctid;
DROP INDEX lot_word_by_word;
ALTER TABLE lot_word ADD PRIMARY KEY (word);
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION keep_lot_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO lot_word (word)
        SELECT w FROM unnest(tsvector_to_array(NEW.words)) AS w ORDER BY w COLLATE "C"
        ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
-- +goose StatementEnd
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

