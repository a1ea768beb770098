package handlers

import (
	"net/http"
	"strconv"
	"time"

	"rostrum/web"
)

// limits are how often somebody may ask for something that costs the house or
// others something.
type limits struct {
	bids      *web.Limit // by person
	listings  *web.Limit // by person
	visits    *web.Limit // signing in and registering, by address
	passwords *web.Limit // signing in, by account
	guesses   *web.Limit // signing in, by account and address together
}

func newLimits(bidRate int) limits {
	return limits{
		bids:      web.NewLimit(bidRate, time.Second),
		listings:  web.NewLimit(600, time.Minute),
		visits:    web.NewLimit(60, time.Minute),
		passwords: web.NewLimit(60, 5*time.Minute),
		guesses:   web.NewLimit(10, 5*time.Minute), // one address cannot use up an account's tries and lock its owner out
	}
}

// pass counts a call against a limit and refuses it where the limit is reached.
func pass(r *http.Request, limit *web.Limit, key string) error {
	if retryAfter, ok := limit.Allow(r, key); !ok {
		return limited(retryAfter)
	}
	return nil
}

func byPerson(id int64) string { return strconv.FormatInt(id, 10) }
