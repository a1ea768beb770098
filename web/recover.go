package web

import (
	"log/slog"
	"net/http"
	"runtime/debug"
)

// described are the headers that told of the answer that never came; they are not those of fail's.
var described = []string{"Content-Length", "Content-Encoding", "Content-Type", "Etag", "Last-Modified", "Cache-Control", "Location"}

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
				case v == any(http.ErrAbortHandler): // net/http too takes only this very value
					panic(v)
				default:
					log.ErrorContext(r.Context(), "a handler panicked", "method", r.Method, "path", r.URL.Path,
						"panic", v, "stack", string(debug.Stack()))
					if rec.status != 0 {
						panic(http.ErrAbortHandler)
					}
					for _, name := range described {
						rec.Header().Del(name)
					}
					fail(rec, r)
				}
			}()
			next.ServeHTTP(rec, r)
		})
	}
}
