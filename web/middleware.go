package web

import "net/http"

// Chain puts middleware around a handler; the first is the outermost. The house's order is
// ClientAddress, Log, Recover, SecurityHeaders, SameOrigin, LimitBody: the log knows the address, and
// tells what Recover answered.
func Chain(h http.Handler, around ...func(http.Handler) http.Handler) http.Handler {
	for i := len(around) - 1; i >= 0; i-- {
		h = around[i](h)
	}
	return h
}

// LimitBody lets at most n bytes of a request's body be read; reading on gives *http.MaxBytesError.
func LimitBody(n int64) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Body != nil {
				r.Body = http.MaxBytesReader(w, r.Body, n)
			}
			next.ServeHTTP(w, r)
		})
	}
}

// recorder remembers what was answered. It has no Flush, Hijack or deadlines of its own: who wants them
// (http.ResponseController, websocket.Accept) finds the connection through Unwrap.
type recorder struct {
	http.ResponseWriter
	status int // 0: nothing answered yet
	bytes  int64
}

// record returns w's recorder, a new one if there is none around it yet.
func record(w http.ResponseWriter) *recorder {
	if rec, ok := w.(*recorder); ok {
		return rec
	}
	return &recorder{ResponseWriter: w}
}

func (rec *recorder) WriteHeader(status int) {
	// 1xx are no answers yet, save 101, which is the last word of HTTP on its connection.
	if rec.status == 0 && (status >= 200 || status == http.StatusSwitchingProtocols) {
		rec.status = status
	}
	rec.ResponseWriter.WriteHeader(status)
}

func (rec *recorder) Write(p []byte) (int, error) {
	if rec.status == 0 {
		rec.status = http.StatusOK
	}
	n, err := rec.ResponseWriter.Write(p)
	rec.bytes += int64(n)
	return n, err
}

func (rec *recorder) Unwrap() http.ResponseWriter { return rec.ResponseWriter }
