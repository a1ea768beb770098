package store

import (
	"context"

	"rostrum/store/auction"
)

// What the tests beside the code look at behind its doors.
var (
	Notices     = notices
	Heard       = heard
	PricesQuery = prices
)

// Judge has several offers judged in one call, as PlaceBid does with one.
func (s *Store) Judge(ctx context.Context, auctionID int64, offers []auction.Offer) ([]auction.Outcome, error) {
	return s.judge(ctx, auctionID, offers)
}

// OccupyHasher takes all places for hashing until the returned function is called.
func (s *Store) OccupyHasher() (release func()) {
	for range cap(s.hasher) {
		s.hasher <- struct{}{}
	}
	return func() {
		for range cap(s.hasher) {
			<-s.hasher
		}
	}
}
