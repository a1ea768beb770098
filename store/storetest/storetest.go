// Package storetest gives each test a house of its own on real PostgreSQL: a
// migrated database, cloned from a template that is migrated once a process.
// It may import `store`, `store/auction`, `store/embedded` and `migrations`.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"rostrum/migrations"
	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/store/embedded"
)

// SoftClose is the soft close of the houses here.
const SoftClose = 2 * time.Second

// server is the process's PostgreSQL, set by Main before any test runs.
var server struct { //nolint:gochecknoglobals // one PostgreSQL for all tests of a package
	url      string
	template string
	count    atomic.Int64
}

// Main runs the tests of a package between the start and the stop of
// PostgreSQL and returns the exit status: `func TestMain(m *testing.M) {
// os.Exit(storetest.Main(m)) }`. The server is a private one in a temporary
// folder, or the one that ROSTRUM_TEST_DATABASE_URL names. Settings are what the
// private one runs with beside its own, as ALTER SYSTEM SET writes them.
func Main(m *testing.M, settings ...string) int {
	ctx := context.Background()
	stop, err := start(ctx, settings)
	if err != nil {
		fmt.Fprintln(os.Stderr, "These tests need PostgreSQL:", err)
		return 1
	}
	defer stop()
	return m.Run()
}

// start brings PostgreSQL up with the template in it, and says how to end both.
func start(ctx context.Context, settings []string) (func(), error) {
	stop := func() {}
	server.url = os.Getenv("ROSTRUM_TEST_DATABASE_URL")
	if server.url == "" {
		folder, err := os.MkdirTemp("", "rostrum-test-")
		if err != nil {
			return nil, err
		}
		cluster, err := private(ctx, filepath.Join(folder, "data"), settings)
		if err != nil {
			os.RemoveAll(folder)
			return nil, err
		}
		server.url = cluster.URL()
		stop = func() {
			cluster.Close()
			os.RemoveAll(folder)
		}
	}
	server.template = fmt.Sprintf("rostrum_template_%d", os.Getpid())
	if err := execute(ctx, `CREATE DATABASE `+server.template); err != nil {
		stop()
		return nil, err
	}
	end := func() {
		if err := execute(ctx, `DROP DATABASE IF EXISTS `+server.template+` WITH (FORCE)`); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		stop()
	}
	if _, err := store.Migrate(ctx, database(server.template), migrations.Files); err != nil {
		end()
		return nil, err
	}
	return end, nil
}

// private starts a cluster of its own. Some settings count from a start on, so
// it is started once more where there are any.
func private(ctx context.Context, folder string, settings []string) (*embedded.Cluster, error) {
	cluster, err := embedded.Open(ctx, embedded.Options{Dir: folder})
	if err != nil || len(settings) == 0 {
		return cluster, err
	}
	server.url = cluster.URL()
	for _, setting := range settings {
		err = errors.Join(err, execute(ctx, `ALTER SYSTEM SET `+setting))
	}
	if err = errors.Join(err, cluster.Close()); err != nil {
		return nil, err
	}
	return embedded.Open(ctx, embedded.Options{Dir: folder})
}

// URL is the address of a fresh migrated database, dropped when the test ends.
func URL(t testing.TB) string {
	t.Helper()
	if server.url == "" {
		t.Fatal("the package's TestMain does not call storetest.Main")
	}
	name := fmt.Sprintf("rostrum_test_%d_%d", os.Getpid(), server.count.Add(1))
	ok(t, execute(t.Context(), `CREATE DATABASE `+name+` TEMPLATE `+server.template))
	t.Cleanup(func() {
		if err := execute(context.Background(), `DROP DATABASE IF EXISTS `+name+` WITH (FORCE)`); err != nil {
			t.Error(err)
		}
	})
	return database(name)
}

// execute runs a statement on the server's own database.
func execute(ctx context.Context, statement string) error {
	conn, err := pgx.Connect(ctx, server.url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}

// database is the address of another database of the same server.
func database(name string) string {
	address, err := url.Parse(server.url)
	if err != nil {
		panic(fmt.Sprintf("the test server's address is no URI: %v", err))
	}
	address.Path = "/" + name
	return address.String()
}

// House is a house with its own database.
type House struct {
	*store.Store
	URL      string
	SQL      *pgxpool.Pool // for what a test does behind the store's back
	Currency auction.Currency
	t        testing.TB
	people   atomic.Int64
}

// Open opens a house that trades in dollars, with SoftClose.
func Open(t testing.TB) *House {
	t.Helper()
	h := &House{URL: URL(t), t: t}
	h.Store = h.Instance()
	var err error
	h.Currency, err = auction.NewCurrency("USD")
	ok(t, err)
	ok(t, h.Settle(t.Context(), h.Currency))
	h.SQL, err = pgxpool.New(t.Context(), h.URL)
	ok(t, err)
	t.Cleanup(h.SQL.Close)
	return h
}

// Instance opens the same database once more, as another instance would.
func (h *House) Instance() *store.Store {
	h.t.Helper()
	s, err := store.Open(h.t.Context(), store.Options{URL: h.URL, SoftClose: SoftClose})
	ok(h.t, err)
	h.t.Cleanup(s.Close)
	return s
}

// Person makes an account; seller says whether it may list lots.
func (h *House) Person(seller bool) auction.Person {
	h.t.Helper()
	n := h.people.Add(1)
	p, err := h.AddPerson(h.t.Context(), auction.Person{
		Email: fmt.Sprintf("person%d@example.com", n), Name: fmt.Sprintf("Person %d", n), Seller: seller}, "")
	ok(h.t, err)
	return p
}

// People makes n accounts that may only bid.
func (h *House) People(n int) []auction.Person {
	h.t.Helper()
	list := make([]store.Entry, n)
	for i := range list {
		k := h.people.Add(1)
		list[i] = store.Entry{Email: fmt.Sprintf("person%d@example.com", k), Name: fmt.Sprintf("Person %d", k)}
	}
	people, err := h.Import(h.t.Context(), list)
	ok(h.t, err)
	return people
}

// Lot lists a lot of the seller's that starts at 1000 with increment 10 and
// ends after d.
func (h *House) Lot(seller auction.Person, d time.Duration) auction.Auction {
	h.t.Helper()
	a, err := h.List(h.t.Context(), auction.Listing{SellerID: seller.ID, Title: "Antique watch",
		StartingPrice: h.Money("1000"), MinIncrement: h.Money("10"), EndTime: h.Now().Add(d)})
	ok(h.t, err)
	return a
}

// Offer is an offer with a fresh id.
func (h *House) Offer(a auction.Auction, who auction.Person, amount string) auction.Offer {
	h.t.Helper()
	return auction.Offer{AuctionID: a.ID, BidderID: who.ID, Amount: h.Money(amount), RequestID: auction.NewRequestID()}
}

// Money reads an amount.
func (h *House) Money(text string) auction.Money {
	h.t.Helper()
	m, err := h.Currency.Parse(text)
	ok(h.t, err)
	return m
}

// Exec runs a statement behind the store's back.
func (h *House) Exec(statement string, arguments ...any) {
	h.t.Helper()
	_, err := h.SQL.Exec(h.t.Context(), statement, arguments...)
	ok(h.t, err)
}

// Eventually waits until condition says "", and fails with what it says last.
func Eventually(t testing.TB, condition func() string) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		why := condition()
		if why == "" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(why)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
