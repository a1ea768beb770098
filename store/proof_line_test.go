package store_test

import (
	"context"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/rs/zerolog"
)

// badLine is a way to PostgreSQL through toxiproxy, which can lose what is said
// either way, delay it, or cut all connections.
type badLine struct {
	url   string
	proxy *toxiproxy.Proxy
	t     *testing.T
	mu    sync.Mutex // one trouble at a time
}

func newBadLine(t *testing.T, address string) *badLine {
	t.Helper()
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	proxy := toxiproxy.NewProxy(server, t.Name(), "127.0.0.1:0", bridge(t, address))
	ok(t, proxy.Start())
	t.Cleanup(proxy.Stop)
	config, err := pgx.ParseConfig(address)
	ok(t, err)
	return &badLine{t: t, proxy: proxy, url: (&url.URL{Scheme: "postgresql", User: url.UserPassword(config.User, config.Password),
		Host: proxy.Listen, Path: "/" + config.Database, RawQuery: "sslmode=disable"}).String()}
}

// bridge lets TCP, which is all that toxiproxy speaks, reach PostgreSQL's socket.
func bridge(t *testing.T, address string) (tcp string) {
	t.Helper()
	config, err := pgx.ParseConfig(address)
	ok(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	ok(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	network, server := pgconn.NetworkAddress(config.Host, config.Port)
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.DialTimeout(network, server, 5*time.Second)
			if err != nil {
				_ = near.Close()
				continue
			}
			for _, way := range [][2]net.Conn{{near, far}, {far, near}} {
				go func() {
					_, _ = io.Copy(way[0], way[1])
					_ = way[0].Close()
					_ = way[1].Close()
				}()
			}
		}
	}()
	return listener.Addr().String()
}

// toxic puts a toxic on the line for a while.
func (l *badLine) toxic(ctx context.Context, toxic string, d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	added, err := l.proxy.Toxics.AddToxicJson(strings.NewReader(toxic))
	if err != nil {
		l.t.Error(err)
		return
	}
	pause(ctx, d)
	if err := l.proxy.Toxics.RemoveToxic(context.Background(), added.Name); err != nil {
		l.t.Error(err)
	}
}

// cut ends all connections and takes no new ones for a while.
func (l *badLine) cut(ctx context.Context, d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.proxy.Stop()
	pause(ctx, d)
	if err := l.proxy.Start(); err != nil {
		l.t.Error(err)
	}
}
