package web

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// loose are the connections of streams that were taken from net/http, which knows no more of them: a stop
// must wait for them, and cut off what does not end.
type loose struct {
	log     *slog.Logger
	running *atomic.Int64

	mu    sync.Mutex
	conns map[net.Conn]struct{}
}

type looseKey struct{}

// know is the server's BaseContext: it lets a stream find who waits for it.
func (l *loose) know(net.Listener) context.Context {
	return context.WithValue(context.Background(), looseKey{}, l)
}

// takeable tells whether a stream's connection may be taken: where it serves this request alone, whose
// answer is in chunks.
func takeable(r *http.Request) bool {
	return r.Context().Value(looseKey{}) != nil && r.ProtoMajor == 1 && r.ProtoMinor >= 1 && r.Method != http.MethodHead
}

// take takes the connection from net/http and runs write beside it, or does nothing and returns false.
func (s *Stream) take(r *http.Request, write func(context.Context)) bool {
	if !takeable(r) {
		return false
	}
	conn, _, err := s.rc.Hijack()
	if err != nil {
		return false
	}
	s.w, s.rc = nil, nil // they hold what is to be freed
	s.wire = newWire(conn)
	l := r.Context().Value(looseKey{}).(*loose)
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context())) // which ends with the handler
	if deadline, ok := r.Context().Deadline(); ok {
		cancel()
		ctx, cancel = context.WithDeadline(context.WithoutCancel(r.Context()), deadline)
	}
	l.add(conn)
	go s.wire.listen(cancel)
	go func() {
		defer l.remove(conn)
		defer cancel()
		defer s.wire.close()
		defer func() {
			if v := recover(); v != nil {
				s.wire.failed = true
				l.log.ErrorContext(ctx, "a stream panicked", "panic", v, "stack", string(debug.Stack()))
			}
		}()
		write(ctx)
	}()
	return true
}

func (l *loose) add(conn net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conns[conn] = struct{}{}
	l.running.Add(1)
}

func (l *loose) remove(conn net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.conns, conn)
	l.running.Add(-1)
}

// close cuts them all off.
func (l *loose) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for conn := range l.conns {
		_ = conn.Close()
	}
}
