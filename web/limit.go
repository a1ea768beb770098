package web

import (
	"fmt"
	"math"
	"net/http"
	"sync"
	"time"

	"github.com/go-chi/httprate"
)

// Limit lets each key through n times per period, in a sliding window: the calls of the present fixed
// window, plus those of the one before by the share of it that the period still covers.
type Limit struct {
	n       int
	per     time.Duration
	mu      sync.Mutex
	rate    *httprate.RateLimiter
	counter httprate.LimitCounter
}

// NewLimit returns a limit of n calls (at least 1) per period. The counter is given explicitly because
// httprate then lays its windows on whole periods of UTC, and only so can wait look into them.
func NewLimit(n int, per time.Duration) *Limit {
	if n < 1 || per <= 0 {
		panic(fmt.Sprintf("web: a limit of %d per %v", n, per))
	}
	counter := httprate.NewLocalLimitCounter(per)
	return &Limit{n: n, per: per, counter: counter, rate: httprate.NewRateLimiter(n, per,
		httprate.WithLimitCounter(counter),
		httprate.WithResponseHeaders(httprate.ResponseHeaders{}), // none: OnLimit then leaves the writer alone
		// The library's own handler answers 428 with the error's text.
		httprate.WithErrorHandler(func(http.ResponseWriter, *http.Request, error) {}),
	)}
}

// Allow counts a call and lets it through, or says after how many whole seconds (1 at least, about two
// periods at most) one more call by this key is surely let through, if none was in between. Refused calls do not
// count. The key "" is not limited.
func (l *Limit) Allow(r *http.Request, key string) (retryAfter time.Duration, ok bool) {
	if key == "" || !l.limited(r, key) {
		return 0, true
	}
	now := time.Now().UTC()
	window := now.Truncate(l.per)
	current, previous, err := l.counter.Get(key, window, window.Add(-l.per))
	if err != nil {
		return wholeSeconds(2 * l.per), false
	}
	return wholeSeconds(l.wait(current, previous, now.Sub(window))), false
}

// limited asks httprate, one call at a time. It reads the clock before it takes its own lock: of two
// calls at the turn of a window the earlier could come second, and its counter would forget everybody.
func (l *Limit) limited(r *http.Request, key string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rate.OnLimit(nil, r, key)
}

// wait is how long a key must wait with so many calls in the present window, which is d old, and in the
// one before. httprate lets a call through when round(rate)+1 <= n, that is when rate < n-1/2, and rate
// is current + previous*(per-d)/per. With room in the present window the one before must fade; without,
// the present one must end and then fade in its turn.
func (l *Limit) wait(current, previous int, d time.Duration) time.Duration {
	ahead := -d // from now to the beginning of the window in which there will be room
	fading, kept := previous, current
	if current >= l.n {
		ahead += l.per
		fading, kept = current, 0
	}
	room := float64(l.n) - 0.5 - float64(kept)
	share := max(0, 1-room/float64(fading)) // the part of the window that must have passed
	return ahead + time.Duration(share*float64(l.per)) + time.Millisecond
}

// wholeSeconds rounds up to what Retry-After can say.
func wholeSeconds(d time.Duration) time.Duration {
	return time.Duration(math.Ceil(max(1, d.Seconds()))) * time.Second
}
