// Package house is the house that is measured: one that it starts, or one that
// runs already. It makes the people and the lots.
//
// It imports store/auction, and cmd/bench's own.
package house

import (
	"errors"
	"fmt"
	"time"

	"rostrum/cmd/bench/wire"
	"rostrum/store/auction"
)

// House is a house at work. Its methods are for one goroutine.
type House struct {
	URLs      []string // of its instances, such as http://127.0.0.1:4711
	Currency  auction.Currency
	SoftClose time.Duration
	Seller    Person // lists, and reads the events: an admin too
	Bidders   []Person

	started *started   // nil: it ran already
	reader  *wire.Conn // of Get; nil: none yet
}

// Person is somebody with an API token.
type Person struct {
	ID    int64 // 0 where it is not known yet
	Token string
}

// At is a house that runs already.
func At(url string, seller Person, bidders []Person, currency auction.Currency, softClose time.Duration) *House {
	return &House{URLs: []string{url}, Currency: currency, SoftClose: softClose, Seller: seller, Bidders: bidders}
}

// Started says that bench started the house, so that its database, its
// processes' times and new people are at hand.
func (h *House) Started() bool { return h.started != nil }

// Stop ends the house if bench started it, and removes its data.
func (h *House) Stop() error {
	if h.reader != nil {
		h.reader.Close()
	}
	if h.started == nil {
		return nil
	}
	return h.started.stop()
}

// errNotStarted is what cannot be done in somebody else's house.
var errNotStarted = errors.New("that takes a house that bench starts itself: leave --url out")

// People sees to it that there are n bidders with tokens.
func (h *House) People(n int) error {
	if len(h.Bidders) >= n {
		h.Bidders = h.Bidders[:n]
		return nil
	}
	if h.started == nil {
		return fmt.Errorf("%d bidders are asked for, and there are tokens of %d", n, len(h.Bidders))
	}
	made, err := h.started.importPeople("bidder", n-len(h.Bidders), false)
	h.Bidders = append(h.Bidders, made...)
	return err
}
