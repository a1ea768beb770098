package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"rostrum/store/auction"
)

// judgeTimeout bounds one bid with everything it may wait for, a connection and
// a second try included.
const judgeTimeout = 10 * time.Second

// PlaceBid has an offer judged and returns once the verdict is durable. An
// unknown lot is ErrNotFound. After ErrUnavailable nobody knows whether the
// bid was accepted, and the same offer may be sent again safely.
//
// A caller who goes away does not undo a bid under way.
func (s *Store) PlaceBid(ctx context.Context, offer auction.Offer) (auction.Outcome, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), judgeTimeout)
	defer cancel()
	began := time.Now()
	outcomes, err := s.judge(ctx, offer.AuctionID, []auction.Offer{offer})
	again := lost(err) && ctx.Err() == nil
	if again {
		// The old backend may still commit, so looking for the bid settles
		// nothing. Judging again waits for the row's lock, then finds the bid
		// or judges the offer. A restart of PostgreSQL kills all connections:
		// the second try must not be spent on another dead one.
		s.judges.Reset()
		outcomes, err = s.judge(ctx, offer.AuctionID, []auction.Offer{offer})
	}
	if err != nil {
		return auction.Outcome{}, fault("judge a bid", err)
	}
	outcome := outcomes[0]
	s.judged(outcome.Verdict, time.Since(began))
	if outcome.Verdict == auction.Accepted || again { // what the lost answer told is found as a replay
		s.Feed.tell(outcome.Auction.State())
	}
	return outcome, nil
}

// judge has offers on one lot judged in their order, in one statement and one
// commit, and returns an outcome for each. All of them tell the state that
// stood when the last was judged. No offer is known to be accepted unless the
// error is nil: rows can arrive and the commit still fail.
func (s *Store) judge(ctx context.Context, auctionID int64, offers []auction.Offer) ([]auction.Outcome, error) {
	bidders, amounts, requests, asks := columns(offers)
	var a auction.Auction
	var v verdicts
	rows, err := s.judges.Query(ctx, `
		SELECT `+auctionColumns+`, j.judged_at, j.verdicts, j.bid_ids, j.bid_versions, j.bid_times
		FROM judge_offers($1, $2, $3, $4, $5) AS j, LATERAL (SELECT (j.lot).*) AS a`,
		auctionID, bidders, amounts, requests, asks)
	if err != nil {
		return nil, err
	}
	_, err = pgx.CollectExactlyOneRow(rows, func(row pgx.CollectableRow) (struct{}, error) {
		return struct{}{}, row.Scan(append(auctionFields(&a), &v.verdicts, &v.ids, &v.versions, &v.times)...)
	})
	if err != nil {
		return nil, err
	}
	return v.outcomes(offers, a), nil
}

// columns turns offers into the parallel arrays that judge_offers takes.
func columns(offers []auction.Offer) (bidders []int64, amounts []auction.Money, requests [][16]byte, asks []bool) {
	for _, o := range offers {
		bidders = append(bidders, o.BidderID)
		amounts = append(amounts, o.Amount)
		requests = append(requests, o.RequestID)
		asks = append(asks, o.AskLeader)
	}
	return bidders, amounts, requests, asks
}

// verdicts are the parallel arrays that judge_offers returns.
type verdicts struct {
	verdicts      []auction.Verdict
	ids, versions []*int64
	times         []*time.Time
}

func (v verdicts) outcomes(offers []auction.Offer, a auction.Auction) []auction.Outcome {
	outcomes := make([]auction.Outcome, len(offers))
	for i, offer := range offers {
		outcomes[i] = auction.Outcome{Verdict: v.verdicts[i], Auction: a}
		if v.ids[i] != nil {
			outcomes[i].Bid = auction.Bid{ID: *v.ids[i], AuctionID: a.ID, Version: *v.versions[i], BidderID: offer.BidderID,
				Amount: offer.Amount, RequestID: offer.RequestID, CreatedAt: *v.times[i]}
		}
	}
	return outcomes
}

// Bids reads the log of an auction, newest first: at most limit bids with
// versions below before, math.MaxInt64 to begin with the newest. ErrNotFound
// where there is no such auction.
func (s *Store) Bids(ctx context.Context, auctionID, before int64, limit int) ([]auction.Bid, error) {
	rows, _ := s.pool.Query(ctx, `
		SELECT b.id, b.auction_id, b.version, b.bidder_id, p.alias, b.amount, b.created_at
		FROM bid b JOIN account p ON p.id = b.bidder_id
		WHERE b.auction_id = $1 AND b.version < $2
		ORDER BY b.version DESC LIMIT $3`, auctionID, before, limit)
	bids, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (auction.Bid, error) {
		var b auction.Bid
		err := row.Scan(&b.ID, &b.AuctionID, &b.Version, &b.BidderID, &b.Alias, &b.Amount, &b.CreatedAt)
		return b, err
	})
	if err == nil && len(bids) == 0 {
		_, err = s.Auction(ctx, auctionID)
		return nil, err
	}
	return bids, fault("read the log of bids", err)
}
