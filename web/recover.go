package web

import (
	"log/slog"
	"net/http"
	"runtime/debug"
)

// Recover makes a panic a logged error with its stack, answered by fail (a 500). When the answer had
// begun, the connection is cut instead, so that nobody takes the half for the whole.
// http.ErrAbortHandler, which asks for just that, passes through.
func Recover(log *slog.Logger, fail http.HandlerFunc) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			rec := record(w)
			defer func() {
				switch v := recover(); {
				case v == nil:
				case v == http.ErrAbortHandler:
					panic(v)
				default:
					log.ErrorContext(r.Context(), "a handler panicked", "method", r.Method, "path", r.URL.Path,
						"panic", v, "stack", string(debug.Stack()))
					if rec.status != 0 {
						panic(http.ErrAbortHandler)
					}
					clear(rec.Header()) // what the handler had prepared is not fail's
					fail(rec, r)
				}
			}()
			next.ServeHTTP(rec, r)
		})
	}
}
