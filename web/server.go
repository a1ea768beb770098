package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// grace is how long a stop waits for requests under way; the whole house has ten seconds.
const grace = 5 * time.Second

// Serve answers requests until ctx ends; then it calls ending, which must end the streams (Shutdown
// would wait for them for ever), lets the requests under way finish, and returns nil. What is not over
// after five seconds is cut off. Streams free themselves of the timeouts here.
//
// HTTP/2 is spoken in the clear as well, for proxies that prefer it; WebSockets come by HTTP/1.1.
func Serve(ctx context.Context, listener net.Listener, h http.Handler, log *slog.Logger, ending func()) error {
	var running atomic.Int64
	ahead := &unused{conns: map[net.Conn]struct{}{}}
	streams := &loose{log: log, running: &running, conns: map[net.Conn]struct{}{}}
	server := &http.Server{
		DisableGeneralOptionsHandler: true, // our own answers carry the headers
		Handler:                      count(&running, h),
		ReadHeaderTimeout:            5 * time.Second,
		ReadTimeout:                  30 * time.Second,
		WriteTimeout:                 45 * time.Second, // longer than ReadTimeout: who sent too slowly is still told so
		IdleTimeout:                  2 * time.Minute,
		MaxHeaderBytes:               64 << 10,
		ErrorLog:                     slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		ConnState:                    ahead.track,
		BaseContext:                  streams.know,
		Protocols:                    new(http.Protocols),
	}
	server.RegisterOnShutdown(ahead.close) // called when the listener is closed
	server.Protocols.SetHTTP1(true)
	server.Protocols.SetUnencryptedHTTP2(true)

	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		ending()
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
	}
	ending()
	return stop(server, streams, log)
}

// stop ends the server within grace.
func stop(server *http.Server, streams *loose, log *slog.Logger) error {
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	err := server.Shutdown(ctx)
	if err == nil {
		err = handled(ctx, streams.running)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		log.Warn("requests were cut off by the stop", "requests", streams.running.Load())
		streams.close()
		err = server.Close()
	}
	if err != nil {
		return fmt.Errorf("stopping the server: %w", err)
	}
	return nil
}

// handled waits until no handler runs: Shutdown does not know of streams and WebSockets, whose
// last words are still being said. Like Shutdown it looks again and again.
func handled(ctx context.Context, running *atomic.Int64) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for running.Load() > 0 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
	return nil
}

func count(running *atomic.Int64, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		running.Add(1)
		defer running.Add(-1)
		h.ServeHTTP(w, r)
	})
}
