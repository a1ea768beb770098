package store

import (
	"context"
	"time"

	"rostrum/store/auction"
)

// What the tests beside the code look at behind its doors.
var (
	Notices     = notices
	Heard       = heard
	PricesQuery = prices
)

// Judge has several offers judged in one call, as PlaceBid does with one.
func (s *Store) Judge(auctionID int64, offers []auction.Offer) ([]auction.Outcome, error) {
	return s.judge(auctionID, offers)
}

// RememberFloors keeps known floors for longer than a slow test takes. It must
// be called before the first bid.
func (s *Store) RememberFloors() { s.Feed.floors.last = time.Hour }

// HoldersOf are the ids of who holds these tokens, looked for in one statement;
// 0 for nobody.
func (s *Store) HoldersOf(tokens ...string) ([]int64, error) {
	hashes := make([]tokenHash, len(tokens))
	for i, token := range tokens {
		hashes[i] = hashOf(token)
	}
	found, err := s.findHolders(0, hashes)
	ids := make([]int64, len(found))
	for i, h := range found {
		if h != nil {
			ids[i] = h.person.ID
		}
	}
	return ids, err
}

// Lane is a lane as tests use one.
type Lane[O, A any] struct{ *lane[O, A] }

// NewLane makes one.
func NewLane[O, A any](queue int, answer func(lotID int64, offers []O) ([]A, error)) Lane[O, A] {
	return Lane[O, A]{newLane(queue, answer)}
}

// Place, Load and Close are the lane's.
func (l Lane[O, A]) Place(lotID int64, offer O) (A, error) { return l.place(lotID, offer) }
func (l Lane[O, A]) Load() (offers, lots int)              { return l.load() }
func (l Lane[O, A]) Close()                                { l.close() }

// Refuse has several offers looked at in one call without the lot's row, as
// PlaceBid does with what is likely to be too low.
func (s *Store) Refuse(auctionID int64, offers []auction.Offer) ([]*auction.Outcome, error) {
	return s.refuse(auctionID, offers)
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

// RememberHolders keeps whose token it is for longer than a slow test takes. It
// must be called before the first look-up.
func (s *Store) RememberHolders() { s.holders.kept = time.Hour }

// TokenHash and Holder are what holders ask for and find.
type (
	TokenHash = tokenHash
	Holder    = holder
)

// MostHolders is how many are remembered.
const MostHolders = mostHolders

// Holders are holders as tests use them.
type Holders struct{ *holders }

// NewHolders makes some that are found by find.
func NewHolders(find func([]TokenHash) ([]*Holder, error)) Holders {
	return Holders{newHolders(func(_ int64, tokens []tokenHash) ([]*holder, error) { return find(tokens) })}
}

// Of, Changed and Known are the holders'.
func (h Holders) Of(ctx context.Context, token TokenHash) (*Holder, error) { return h.of(ctx, token) }
func (h Holders) Changed()                                                 { h.changed() }
func (h Holders) Known() int                                               { return len(h.known) }

// RefuseFromCache puts in the place of the early refusal what must not be: one
// that believes the floors that are known here.
func (s *Store) RefuseFromCache() {
	s.refusing = newLane(defaultLaneQueue, func(lotID int64, offers []auction.Offer) ([]*auction.Outcome, error) {
		s.Feed.floors.mu.Lock()
		known := s.Feed.floors.known[lotID]
		s.Feed.floors.mu.Unlock()
		outcomes := make([]*auction.Outcome, len(offers))
		for i := range offers {
			outcomes[i] = &auction.Outcome{Verdict: auction.TooLow, Auction: auction.Auction{ID: lotID, Version: known.version}}
		}
		return outcomes, nil
	})
}
