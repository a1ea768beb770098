package history

import (
	"sync"
	"time"

	"rostrum/store/auction"
)

// Recorder keeps the answers of many clients, who share its clock. Its methods
// may be called from many goroutines.
type Recorder struct {
	began time.Time

	mu      sync.Mutex
	answers map[int64][]Answer // by lot
}

// NewRecorder makes one whose clock begins now.
func NewRecorder() *Recorder {
	return &Recorder{began: time.Now(), answers: map[int64][]Answer{}}
}

// Now is the instant on the clock that all clients share.
func (r *Recorder) Now() time.Duration { return time.Since(r.began) }

// Add keeps an answer about a lot.
func (r *Recorder) Add(lotID int64, a Answer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answers[lotID] = append(r.answers[lotID], a)
}

// Bid asks for an offer to be judged and keeps the answer. An error is an
// unknown answer: one that says for certain that nothing was judged must not
// come through here.
func (r *Recorder) Bid(client int, offer auction.Offer, place func(auction.Offer) (auction.Outcome, error)) (auction.Outcome, error) {
	a := Answer{Kind: Bid, Client: client, Offer: offer, Call: r.Now()}
	outcome, err := place(offer)
	a.Return = r.Now()
	if err == nil {
		a.Verdict, a.Bid, a.Told = outcome.Verdict, outcome.Bid, outcome.Auction.State()
	}
	r.Add(offer.AuctionID, a)
	return outcome, err
}

// Answers are those about a lot so far.
func (r *Recorder) Answers(lotID int64) []Answer {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Answer(nil), r.answers[lotID]...)
}
