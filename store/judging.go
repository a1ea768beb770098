package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"rostrum/store/auction"
)

const (
	// judgePatience is how long one try waits for an answer, a connection
	// included. A connection that died without a word is given up after it.
	judgePatience = 4 * time.Second

	// A batch waits heldPatience for its lot's row and then queues anew for a
	// connection, for lotPatience in all: lots that somebody holds take turns,
	// so that they delay no other.
	heldPatience = 250 * time.Millisecond
	lotPatience  = 3 * time.Second
)

// forJudging adjusts the lane's connections. One is not tried before its use:
// where it turns out dead the batch is judged again.
func forJudging(config *pgxpool.Config) {
	settings := config.ConnConfig.RuntimeParams
	settings["lock_timeout"] = fmt.Sprint(heldPatience.Milliseconds())
	settings["statement_timeout"] = fmt.Sprint((judgePatience - time.Second).Milliseconds())
	config.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return false }
}

// judge has offers on one lot judged in their order, and returns an outcome
// for each once it is durable.
func (s *Store) judge(lotID int64, offers []auction.Offer) ([]auction.Outcome, error) {
	began := time.Now()
	again := false
	for {
		outcomes, err := s.judgeOnce(lotID, offers)
		switch {
		case err == nil:
			s.news(outcomes, again)
			if again {
				unsettle(outcomes)
			}
			return outcomes, nil
		case held(err) && time.Since(began) < lotPatience:
		case lost(err) && !again:
			// The old backend may still commit, so looking for the bids settles
			// nothing. Judging again waits for the row's lock, then finds the
			// bids or judges the offers. A restart of PostgreSQL kills all
			// connections: the second try must not be spent on another dead one.
			s.judges.Reset()
			again = true
		default:
			return nil, fault("judge bids", err)
		}
	}
}

// unsettled is the verdict of an offer whose first try may yet come to the
// database, only delayed, and be accepted there.
const unsettled auction.Verdict = ""

// unsettle takes back the refusals that another moment may undo: a first try
// that comes late would be judged in that moment. What is too low, or over,
// stays so.
func unsettle(outcomes []auction.Outcome) {
	for i := range outcomes {
		switch outcomes[i].Verdict {
		case auction.NotStarted, auction.Suspended, auction.Leading:
			outcomes[i].Verdict = unsettled
		}
	}
}

// news spreads the state after a batch. What a lost answer told is found as
// replays, which are news then.
func (s *Store) news(outcomes []auction.Outcome, again bool) {
	for _, o := range outcomes {
		if again || o.Verdict == auction.Accepted {
			s.Feed.tell(o.Auction.State())
			return
		}
	}
	s.Feed.floors.learn(outcomes[0].Auction.State())
}

// judgeOnce is one statement and one commit. All outcomes tell the state that
// stood when the last offer was judged. No offer is known to be accepted unless
// the error is nil: rows can arrive and the commit still fail.
func (s *Store) judgeOnce(lotID int64, offers []auction.Offer) ([]auction.Outcome, error) {
	ctx, cancel := context.WithTimeout(context.Background(), judgePatience)
	defer cancel()
	conn, err := s.judges.Acquire(ctx)
	if err != nil && ctx.Err() != nil { // nothing was sent, and no connection is to blame
		return nil, fmt.Errorf("wait for a connection: %w", auction.ErrUnavailable)
	}
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	bidders, amounts, requests, asks := columns(offers)
	rows, _ := conn.Query(ctx, `
		SELECT `+auctionColumns+`, j.judged_at, j.verdicts, j.bid_ids, j.bid_versions, j.bid_times
		FROM judge_bids($1, $2, $3::text[]::numeric[], $4, $5) AS j, LATERAL (SELECT (j.lot).*) AS a`,
		lotID, bidders, amounts, requests, asks)
	var v verdicts
	a, err := readAuction(rows, &v.verdicts, &v.ids, &v.versions, &v.times)
	if err != nil {
		return nil, err
	}
	return v.outcomes(offers, a), nil
}

// held says whether somebody else held the lot's row for the whole wait.
func held(err error) bool {
	var answer *pgconn.PgError
	return errors.As(err, &answer) && answer.Code == "55P03" // lock_not_available
}

// columns turns offers into the parallel arrays that judge_bids takes.
// Amounts go as texts, which are quicker made than binary numerics.
func columns(offers []auction.Offer) (bidders []int64, amounts []string, requests [][16]byte, asks []bool) {
	for _, o := range offers {
		bidders = append(bidders, o.BidderID)
		amounts = append(amounts, o.Amount.String())
		requests = append(requests, o.RequestID)
		asks = append(asks, o.AskLeader)
	}
	return bidders, amounts, requests, asks
}

// verdicts are the parallel arrays that judge_bids returns.
type verdicts struct {
	verdicts      []auction.Verdict
	ids, versions []pgtype.Int8
	times         []pgtype.Timestamptz
}

func (v verdicts) outcomes(offers []auction.Offer, a auction.Auction) []auction.Outcome {
	outcomes := make([]auction.Outcome, len(offers))
	for i, offer := range offers {
		outcomes[i] = auction.Outcome{Verdict: v.verdicts[i], Auction: a}
		if v.ids[i].Valid {
			outcomes[i].Bid = auction.Bid{ID: v.ids[i].Int64, AuctionID: a.ID, Version: v.versions[i].Int64, BidderID: offer.BidderID,
				Amount: offer.Amount, RequestID: offer.RequestID, CreatedAt: v.times[i].Time}
		}
	}
	return outcomes
}
