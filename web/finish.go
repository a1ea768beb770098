package web

import (
	"context"
	"net/http"
	"time"
)

// Finish gives a request the time d, whether its visitor seems to be there or not. net/http takes a
// client that has stopped sending (half-closed, or slower than ReadTimeout) for one that went away and
// cancels the request's context, but it may well be waiting for the answer: of a bid, say, that was
// accepted. A database that does not answer at all becomes an error after d. Not for streams.
func Finish(d time.Duration) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), d)
			defer cancel()
			next.ServeHTTP(w, r.WithContext(ctx))
		})
	}
}
