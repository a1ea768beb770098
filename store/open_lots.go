package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"rostrum/store/auction"
)

// Overseen is an auction as admins see it in a list.
type Overseen struct {
	auction.Auction
	Seller auction.Named
	Leader *auction.Named // who leads, or won; nil where nobody bid
	Recent int64          // bids accepted lately, where the list is by them
}

// Place is one in a list by an instant: behind the lot with this one and this
// id.
type Place struct {
	Micros int64 // since 1970
	ID     int64
}

// End is the place behind the lot in a list by end.
func (o Overseen) End() Place { return Place{Micros: o.EndTime.UnixMicro(), ID: o.ID} }

// hotWithin and hotEvents bound what is looked at to find the hottest lots: the
// newest events, by their ids. In a very busy house they reach less far back.
const (
	hotWithin = 10 * time.Minute
	hotEvents = 3000
)

const overseenColumns = auctionColumns + `, clock_timestamp(), seller.id, seller.name, seller.alias, seller.email,
	leader.id, leader.name, leader.alias, leader.email`

const overseenJoins = `
	JOIN account seller ON seller.id = a.seller_id
	LEFT JOIN account leader ON leader.id = a.leader_id`

// EndingNext lists open lots, ending soonest first, behind a place; nil: from
// the beginning.
func (s *Store) EndingNext(ctx context.Context, behind *Place, limit int) ([]Overseen, error) {
	var after Place
	if behind != nil {
		after = *behind
	}
	lots, err := collect(ctx, s, scanOverseen, `
		SELECT `+overseenColumns+`, 0
		FROM auction a`+overseenJoins+`
		WHERE a.status = 'OPEN' AND (a.end_time, a.id) > ($1, $2)
		ORDER BY a.end_time, a.id LIMIT $3`, time.UnixMicro(after.Micros), after.ID, limit)
	return lots, fault("list the lots that end next", err)
}

// Hottest lists the open lots with the most bids in the last ten minutes. The
// events tell of them in the order of their ids: the log of bids, which every
// bid must write to, has no index by time.
func (s *Store) Hottest(ctx context.Context, limit int) ([]Overseen, error) {
	lots, err := collect(ctx, s, scanOverseen, `
		WITH newest AS MATERIALIZED (
			SELECT topic, aggregate_id, payload, created_at FROM outbox ORDER BY id DESC LIMIT $2
		), hot AS MATERIALIZED (
			SELECT aggregate_id AS auction_id,
				sum((payload->>'toVersion')::bigint - (payload->>'fromVersion')::bigint + 1)::bigint AS bids
			FROM newest
			WHERE topic = 'bids-accepted' AND created_at > (SELECT clock_timestamp() - $3::interval)
			GROUP BY aggregate_id
			ORDER BY 2 DESC, 1 LIMIT $1 * 4 -- some have closed meanwhile
		), lots AS MATERIALIZED (
			SELECT a.id, hot.bids
			FROM hot CROSS JOIN LATERAL (SELECT id, status, end_time FROM auction WHERE id = hot.auction_id LIMIT 1) a
			WHERE a.status = 'OPEN'
			ORDER BY hot.bids DESC, a.end_time, a.id LIMIT $1
		)
		SELECT `+overseenColumns+`, lots.bids
		FROM lots JOIN auction a ON a.id = lots.id`+overseenJoins+`
		ORDER BY lots.bids DESC, a.end_time, a.id`, limit, hotEvents, hotWithin)
	return lots, fault("list the hottest lots", err)
}

// Overseen reads one lot as admins see it.
func (s *Store) Overseen(ctx context.Context, id int64) (Overseen, error) {
	rows, _ := s.pool.Query(ctx, `SELECT `+overseenColumns+`, 0 FROM auction a`+overseenJoins+` WHERE a.id = $1`, id)
	lot, err := pgx.CollectExactlyOneRow(rows, scanOverseen)
	return lot, fault("read a lot", err)
}

func scanOverseen(row pgx.CollectableRow) (Overseen, error) {
	var o Overseen
	var leader maybeNamed
	err := row.Scan(append(append(append(auctionFields(&o.Auction), namedFields(&o.Seller)...), leader.fields()...), &o.Recent)...)
	o.Leader = leader.named()
	return o, err
}

func namedFields(n *auction.Named) []any { return []any{&n.ID, &n.Name, &n.Alias, &n.Email} }
