package store

import (
	"sync"
	"time"

	"rostrum/store/auction"
)

const (
	floorsLast = 400 * time.Millisecond
	floorsMany = 4096 // so many lots are known before the stale ones are dropped
)

// floors are the latest known floors of the lots that are bid on. They decide
// nothing: they only tell which offers are likely to be too low, and may
// therefore be looked at before the judge has to.
type floors struct {
	last time.Duration // how long one is worth knowing

	mu    sync.Mutex
	known map[int64]known
	swept time.Time
}

type known struct {
	version int64
	floor   auction.Money
	at      time.Time
}

func newFloors() *floors { return &floors{last: floorsLast, known: map[int64]known{}} }

// learn takes in a committed state. States may come late: an older one is not
// news.
func (f *floors) learn(s auction.State) {
	now := time.Now()
	f.mu.Lock()
	defer f.mu.Unlock()
	if k, found := f.known[s.AuctionID]; found && k.version > s.Version {
		return
	}
	f.known[s.AuctionID] = known{s.Version, s.MinimumBid, now}
	if len(f.known) > floorsMany && now.Sub(f.swept) > f.last {
		f.swept = now
		for id, k := range f.known {
			if now.Sub(k.at) > f.last {
				delete(f.known, id)
			}
		}
	}
}

// over says whether the floor is known to lie over the offer.
func (f *floors) over(o auction.Offer) bool {
	f.mu.Lock()
	k, found := f.known[o.AuctionID]
	f.mu.Unlock()
	return found && time.Since(k.at) < f.last && o.Amount.Cmp(k.floor) < 0
}
