-- The books of a house in a few numbers, for comparing a restored database with
-- the one it was dumped from: rostrum db exec psql -f books.sql
\set QUIET on
\pset tuples_only on
SELECT 'people', count(*), NULL FROM account
UNION ALL SELECT 'lots, their prices', count(*), sum(current_price) FROM auction
UNION ALL SELECT 'lots that are open', count(*), sum(current_price) FROM auction WHERE status = 'OPEN'
UNION ALL SELECT 'bids, their amounts', count(*), sum(amount) FROM bid
UNION ALL SELECT 'results, hammer prices', count(*), sum(price) FROM result
UNION ALL SELECT 'events, of them waiting', count(*), count(*) FILTER (WHERE published_at IS NULL) FROM outbox
-- The rest must be 0.
UNION ALL SELECT 'lots unlike their log', count(*), NULL FROM auction a
    LEFT JOIN LATERAL (SELECT b.amount, b.bidder_id FROM bid b WHERE b.auction_id = a.id ORDER BY b.version DESC LIMIT 1) last ON true
    WHERE a.current_price <> coalesce(last.amount, a.starting_price) OR a.leader_id IS DISTINCT FROM last.bidder_id
        OR a.bid_count <> (SELECT count(*) FROM bid b WHERE b.auction_id = a.id)
UNION ALL SELECT 'closed lots without their result or event', count(*), NULL FROM auction a
    WHERE a.status = 'CLOSED' AND NOT (EXISTS (SELECT FROM result r WHERE r.auction_id = a.id)
        AND EXISTS (SELECT FROM outbox o WHERE o.aggregate_id = a.id AND o.topic = 'auction-closed'));
