-- Fills an empty, migrated house with a crowd, to measure its pages on:
--
--     bin/rostrum migrate
--     bin/rostrum serve &          # keeps the private PostgreSQL open
--     psql -d "$(bin/rostrum db url)" -v open=100000 -v closed=1000000 -f docs/scale.sql
--
-- 30,000 people (`person1@example.com` …, without passwords; the first 1,000
-- sell), lots in English, French, German, Chinese and Japanese, some 4 million
-- bids. Ends are spread over two weeks ahead and three years back.
-- person2000@example.com bid 5 times on every 55th lot (100,000 bids on 20,000
-- lots) and watches 2,000; the first open lot has 20,000 bids. Give somebody a
-- password with `bin/rostrum user set --email … --password-stdin`.

\set ON_ERROR_STOP on
\timing on
SET synchronous_commit = off;
SET timezone = 'UTC';

-- dice is a number from 0 to sides-1 that looks thrown and is always the same.
CREATE FUNCTION pg_temp.dice(seed bigint, which int, sides int) RETURNS int
LANGUAGE sql IMMUTABLE AS $$ SELECT ((hashint8extended(seed, which) & 2147483647) % sides)::int $$;

CREATE FUNCTION pg_temp.pick(seed bigint, which int, words text[]) RETURNS text
LANGUAGE sql IMMUTABLE AS $$ SELECT words[1 + pg_temp.dice(seed, which, cardinality(words))] $$;

INSERT INTO house (currency, digits) VALUES ('USD', 2) ON CONFLICT DO NOTHING;

INSERT INTO account (email, name, alias, seller)
SELECT 'person' || n || '@example.com', 'Person ' || n, alias_of(1000000 + n), n <= 1000
FROM generate_series(1, 30000) n;

-- Their ids follow each other: seller is the first of 1,000, buyer of 29,000.
CREATE TEMP TABLE people AS
SELECT min(id) AS seller, min(id) + 1000 AS buyer, min(id) + 1999 AS regular
FROM account WHERE email LIKE 'person%@example.com';

-- n: the lot; bids: how many; life: when it began and ends.
CREATE TEMP TABLE plan AS
SELECT n, n > :closed AS is_open,
       CASE WHEN n = :closed + 1 THEN 20000
            WHEN n % 55 = 0 THEN 10
            WHEN pg_temp.dice(n, 1, 100) < 30 THEN 0
            WHEN pg_temp.dice(n, 1, 100) < 65 THEN 1 + pg_temp.dice(n, 2, 3)
            WHEN pg_temp.dice(n, 1, 100) < 97 THEN 4 + pg_temp.dice(n, 2, 5)
            ELSE 20 END AS bids,
       (10 * power(10, pg_temp.dice(n, 3, 3500) / 1000.0))::numeric(14,0) AS start,
       greatest(1, (power(10, pg_temp.dice(n, 3, 3500) / 1000.0))::numeric(14,0)) AS step,
       CASE WHEN n > :closed THEN clock_timestamp() + interval '20 minutes' + pg_temp.dice(n, 4, 1209600) * interval '1 second'
            ELSE clock_timestamp() - interval '1 hour' - pg_temp.dice(n, 4, 94608000) * interval '1 second' END AS ends
FROM generate_series(1, :closed + :open) n;
CREATE UNIQUE INDEX ON plan (n);
ANALYZE plan;

CREATE FUNCTION pg_temp.bidder(n bigint, k int, buyer bigint, regular bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
SELECT CASE WHEN n % 55 = 0 AND k % 2 = (n / 55) % 2 THEN regular
            ELSE buyer + pg_temp.dice(n * 31 + k, 5, 29000) END $$;

INSERT INTO auction (seller_id, title, description, starting_price, min_increment, current_price, leader_id,
                     bid_count, version, status, start_time, end_time, soft_close, closed_at, created_at)
SELECT people.seller + pg_temp.dice(n, 6, 1000),
       CASE n % 20
       WHEN 7 THEN pg_temp.pick(n, 7, '{清朝,明代,民国,北宋,乾隆年制}') || pg_temp.pick(n, 8, '{青花瓷花瓶,山水画,紫砂茶壶,红木家具,书法长卷,翡翠手镯}')
       WHEN 13 THEN pg_temp.pick(n, 7, '{江戸時代,明治期,大正ロマン,昭和レトロ}') || 'の' || pg_temp.pick(n, 8, '{茶碗,浮世絵,日本刀の鍔,カメラ,着物と帯,こけし人形}')
       ELSE concat_ws(' ',
            pg_temp.pick(n, 7, '{Antique,Fine,Rare,Large,Small,Early,Restored,Signed,Painted,Carved,Engraved,Folding,Heavy,Late}'),
            pg_temp.pick(n, 8, '{Victorian,Georgian,Café,Émaillé,Biedermeier,Thonet,Gallé,Müller,Meissen,Sèvres,Arts and Crafts,Bauhaus,Shaker,Murano}'),
            pg_temp.pick(n, 9, '{oak,walnut,silver,brass,bronze,porcelain,glass,leather,mahogany,marble}'),
            pg_temp.pick(n, 10, '{clock,table,chair,camera,violin,teapot,vase,lamp,mirror,atlas,telescope,bookcase,candlestick,globe,barometer}'),
            CASE WHEN n % 1000 = 0 THEN 'astrolabe' END,
            'No. ' || (1 + pg_temp.dice(n, 11, 20000)))
       END,
       concat_ws(' ', 'From', pg_temp.pick(n, 12, '{a private house,an estate,a museum sale,a Paris atelier,a London dealer,a Kyoto family}'), 'in',
            pg_temp.pick(n, 13, '{Lyon,Zürich,Kraków,Málaga,Porto,York,Ghent,Tromsø,Đà Nẵng,Łódź}') || '.',
            'Height', 10 + pg_temp.dice(n, 14, 200), 'cm.',
            pg_temp.pick(n, 15, '{Sound and in working order.,Some wear as is usual at this age.,One old repair at the base.,With its original case.}'),
            'Collection only, or we pack and send it at cost.'),
       start, step, start + bids * step, CASE WHEN bids > 0 THEN pg_temp.bidder(n, bids, people.buyer, people.regular) END,
       bids, 1 + bids + CASE WHEN is_open THEN 0 ELSE 1 END, CASE WHEN is_open THEN 'OPEN' ELSE 'CLOSED' END,
       least(ends, clock_timestamp()) - interval '10 days', ends, interval '2 minutes',
       CASE WHEN NOT is_open THEN ends + interval '200 milliseconds' END, least(ends, clock_timestamp()) - interval '10 days'
FROM plan, people ORDER BY n;

-- The numbers of the lots are those of the plan, from the first one on.
CREATE TEMP TABLE base AS SELECT max(id) - (:closed + :open) AS first FROM auction;

INSERT INTO bid (auction_id, version, bidder_id, amount, request_id, created_at)
SELECT base.first + n, 1 + k, pg_temp.bidder(n, k, people.buyer, people.regular), start + k * step,
       gen_random_uuid(), least(ends, clock_timestamp()) - interval '1 day' + k * interval '4 seconds'
FROM plan, people, base, generate_series(1, plan.bids) k;

INSERT INTO result (auction_id, outcome, winner_id, price, bid_count, closed_at)
SELECT id, CASE WHEN leader_id IS NULL THEN 'unsold' ELSE 'sold' END, leader_id,
       CASE WHEN leader_id IS NOT NULL THEN current_price END, bid_count, closed_at
FROM auction WHERE status = 'CLOSED';

INSERT INTO outbox (topic, aggregate_id, sequence, created_at, published_at, attempts, payload)
SELECT 'auction-closed', a.id, a.version, a.closed_at, a.closed_at, 1, jsonb_build_object(
           'auctionId', a.id, 'sellerId', a.seller_id, 'winnerId', a.leader_id,
           'price', CASE WHEN a.leader_id IS NOT NULL THEN amount_text(a.current_price) END,
           'bidCount', a.bid_count, 'endTime', instant_text(a.end_time), 'closedAt', instant_text(a.closed_at))
FROM auction a WHERE a.status = 'CLOSED';

INSERT INTO watch (account_id, auction_id)
SELECT people.regular, base.first + n FROM plan, people, base WHERE n % 550 = 5
UNION ALL
SELECT people.buyer + pg_temp.dice(n, 20, 29000), base.first + n FROM plan, people, base WHERE is_open
ON CONFLICT DO NOTHING;

VACUUM ANALYZE;
