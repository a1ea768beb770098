package store

import (
	"context"
	"math"
	"time"

	"github.com/jackc/pgx/v5"

	"rostrum/store/auction"
)

// OwnQuery says which of a seller's lots to list: those in one phase. Running
// stands for all that is open and has started, also where its end has come and
// is being confirmed.
type OwnQuery struct {
	SellerID int64
	Phase    auction.Phase
	After    *OwnMark // nil: from the beginning
	Limit    int
}

// OwnMark is a place in a list of a seller's lots: behind the lot with this
// instant, by which the list is sorted, and id.
type OwnMark struct{ Micros, ID int64 }

// OwnLot is one of a seller's lots. WinnerAlias is of a lot that was sold.
type OwnLot struct {
	auction.Auction
	WinnerAlias string
}

// Mark is the place behind the lot in the list of its phase.
func (l OwnLot) Mark() OwnMark {
	at := l.EndTime
	switch {
	case l.ClosedAt != nil:
		at = *l.ClosedAt
	case l.State().Phase() == auction.Scheduled:
		at = l.StartTime
	}
	return OwnMark{Micros: at.UnixMicro(), ID: l.ID}
}

const ownLots = `
	SELECT ` + auctionColumns + `, clock_timestamp(), coalesce(p.alias, '')
	FROM auction a
	LEFT JOIN account p ON p.id = a.leader_id AND a.outcome = 'sold'
	WHERE a.seller_id = $1 AND `

// The clock is asked in a sub-select: it is then read once, and can be compared
// by index.
const (
	ownRunning = ownLots + `a.status = 'OPEN' AND a.start_time <= (SELECT clock_timestamp()) AND (a.end_time, a.id) > ($3, $4)
		ORDER BY a.end_time, a.id LIMIT $2`
	ownScheduled = ownLots + `a.status = 'OPEN' AND a.start_time > (SELECT clock_timestamp()) AND (a.start_time, a.id) > ($3, $4)
		ORDER BY a.start_time, a.id LIMIT $2`
	ownOver = ownLots + `a.status <> 'OPEN' AND a.outcome = $5 AND (a.closed_at, a.id) < ($3, $4)
		ORDER BY a.closed_at DESC, a.id DESC LIMIT $2`
)

// OwnLots lists a seller's lots in a phase: running ones by their end and
// scheduled ones by their start, the next first; those that are over by when
// that was, the latest first.
func (s *Store) OwnLots(ctx context.Context, q OwnQuery) ([]OwnLot, error) {
	after, statement, more := OwnMark{}, ownRunning, []any{}
	switch q.Phase {
	case auction.Running, auction.Confirming:
	case auction.Scheduled:
		statement = ownScheduled
	default:
		after, statement, more = OwnMark{Micros: LastMicros, ID: math.MaxInt64}, ownOver, []any{string(q.Phase)}
	}
	if q.After != nil {
		after = *q.After
	}
	lots, err := collect(ctx, s, scanOwnLot, statement, append([]any{q.SellerID, q.Limit, time.UnixMicro(after.Micros), after.ID}, more...)...)
	return lots, fault("list a seller's lots", err)
}

func scanOwnLot(row pgx.CollectableRow) (OwnLot, error) {
	var l OwnLot
	err := row.Scan(append(auctionFields(&l.Auction), &l.WinnerAlias)...)
	return l, err
}

// MostCounted is up to where OwnCounts counts.
const MostCounted = 1000

// OwnCounts counts a seller's lots in each phase, up to MostCounted.
func (s *Store) OwnCounts(ctx context.Context, sellerID int64) (map[auction.Phase]int, error) {
	type counted struct {
		Phase auction.Phase
		N     int
	}
	counts, err := collect(ctx, s, pgx.RowToStructByPos[counted], `
		SELECT 'running', count(*) FROM (SELECT FROM auction
			WHERE seller_id = $1 AND status = 'OPEN' AND start_time <= (SELECT clock_timestamp()) LIMIT $2) o
		UNION ALL
		SELECT 'scheduled', count(*) FROM (SELECT FROM auction
			WHERE seller_id = $1 AND status = 'OPEN' AND start_time > (SELECT clock_timestamp()) LIMIT $2) o
		UNION ALL
		SELECT kind, (SELECT count(*) FROM (SELECT FROM auction
			WHERE seller_id = $1 AND status <> 'OPEN' AND outcome = kind LIMIT $2) o)
		FROM unnest('{sold,unsold,withdrawn}'::text[]) AS kind`, sellerID, MostCounted)
	byPhase := map[auction.Phase]int{}
	for _, c := range counts {
		byPhase[c.Phase] = c.N
	}
	return byPhase, fault("count a seller's lots", err)
}
