package web

import (
	"log/slog"
	"net/http"
	"time"
)

// statusLeft stands in the log for a visitor who left before there was an answer; it is nginx's number.
const statusLeft = 499

// Log writes one line for each request when its handler returns: over HTTP/1.1 a stream has then only begun. The query is left out:
// searches are the visitor's own. A 5xx is an error, a refusal at the door (401, 403) info, all else
// debug: in a rush thousands of bids a second are answered, and a log that nobody reads must not slow them.
func Log(log *slog.Logger) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			rec, began := record(w), time.Now()
			aborted := true // stays so when the handler panics
			defer func() {
				status := rec.status
				switch {
				case status != 0:
				case r.Context().Err() != nil:
					status = statusLeft
				case aborted:
					status = http.StatusInternalServerError
				default:
					status = http.StatusOK
				}
				if !log.Enabled(r.Context(), level(status)) {
					return
				}
				log.LogAttrs(r.Context(), level(status), "request",
					slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.Int("status", status),
					slog.Int64("bytes", rec.bytes), slog.Duration("duration", time.Since(began)),
					slog.Any("address", Address(r)))
			}()
			next.ServeHTTP(rec, r)
			aborted = false
		})
	}
}

func level(status int) slog.Level {
	switch {
	case status >= 500:
		return slog.LevelError
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return slog.LevelInfo
	}
	return slog.LevelDebug
}
