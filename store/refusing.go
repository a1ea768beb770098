package store

import (
	"context"
	"time"

	"rostrum/store/auction"
)

// lookPatience is how long an early look may take: past it the judge has time.
const lookPatience = 500 * time.Millisecond

// refuse looks at offers that are likely to be too low without holding up the
// lot, all in one statement. It answers "too low" and, where the row says so,
// "ended", at the version that it reads; every other verdict is the judge's,
// and the answer is then nil. Offers join before the statement begins, so no
// answer is older than what was acknowledged before they came.
func (s *Store) refuse(lotID int64, offers []auction.Offer) ([]*auction.Outcome, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lookPatience)
	defer cancel()
	bidders, amounts, requests, _ := columns(offers)
	rows, _ := s.pool.Query(ctx, `
		SELECT `+auctionColumns+`, r.looked_at, r.verdicts
		FROM refuse_bids($1, $2, $3::text[]::numeric[], $4) AS r, LATERAL (SELECT (r.lot).*) AS a`,
		lotID, bidders, amounts, requests)
	var verdicts []*auction.Verdict
	a, err := readAuction(rows, &verdicts)
	if err != nil {
		return nil, fault("look at bids", err)
	}
	s.Feed.floors.learn(a.State())
	outcomes := make([]*auction.Outcome, len(offers))
	for i, verdict := range verdicts {
		if verdict != nil {
			outcomes[i] = &auction.Outcome{Verdict: *verdict, Auction: a}
		}
	}
	return outcomes, nil
}
