package store_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/store/storetest"
)

func TestTheCurrencyIsSettledAtTheFirstStart(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := open(t, url)
	codes := []string{"USD", "JPY"}
	answers := make(chan error, 2*len(codes))
	for i := range cap(answers) {
		go func() {
			c, err := auction.NewCurrency(codes[i%2])
			if err == nil {
				err = s.Settle(t.Context(), c)
			}
			answers <- err
		}()
	}
	refused := 0
	for range cap(answers) {
		if err := receive(t, answers); err != nil {
			refused++
			if !strings.Contains(err.Error(), "currency of this house is") || strings.Contains(err.Error(), "\n") {
				t.Error(err)
			}
		}
	}
	if refused != 2 {
		t.Errorf("%d of 4 were refused", refused)
	}
}

func open(t *testing.T, url string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{URL: url})
	ok(t, err)
	t.Cleanup(s.Close)
	return s
}

// A database that may lose what it acknowledged is refused, whoever set it so.
func TestADatabaseThatMayLoseBidsIsRefused(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	for _, statement := range []string{
		`ALTER DATABASE NAME SET synchronous_commit = off`,
		`ALTER ROLE CURRENT_USER IN DATABASE NAME SET synchronous_commit = off`,
	} {
		statement = strings.ReplaceAll(statement, "NAME", value[string](t, h, `SELECT current_database()`))
		h.Exec(statement)
		refused(t, h.URL, "synchronous_commit is off")
		h.Exec(strings.ReplaceAll(statement, "= off", "= local"))
		open(t, h.URL)
		h.Exec(strings.ReplaceAll(statement, "= off", "= on"))
	}
	refused(t, h.URL+"&options=-c%20synchronous_commit%3Doff", "synchronous_commit is off")
	open(t, h.URL)
}

func refused(t *testing.T, url, why string) {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{URL: url})
	if err == nil {
		s.Close()
	}
	if err == nil || !strings.Contains(err.Error(), why) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v; want %q", err, why)
	}
}

// fsync belongs to a whole PostgreSQL, so the database only says that it is off.
func TestADatabaseWithoutFsyncIsRefused(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	h.Exec(`CREATE SCHEMA fake`)
	h.Exec(`CREATE FUNCTION fake.current_setting(name text) RETURNS text LANGUAGE sql
		RETURN CASE name WHEN 'fsync' THEN 'off' ELSE pg_catalog.current_setting(name) END`)
	h.Exec(`ALTER DATABASE ` + value[string](t, h, `SELECT current_database()`) + ` SET search_path = fake, pg_catalog, public`)
	refused(t, h.URL, "fsync is off")
}

func TestAnAddressWithoutADatabaseIsToldInOneLine(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	for _, c := range []struct {
		address     string
		unavailable bool
	}{
		{"postgresql://[", false},
		{"postgresql://secret:secret@localhost:notaport/db", false},
		{"postgresql://secret:secret@127.0.0.1:1/db?connect_timeout=5", true},
		{strings.Replace(url, "/rostrum_test", "/no_such_database", 1), false},
	} {
		s, err := store.Open(t.Context(), store.Options{URL: c.address})
		if err == nil {
			s.Close()
			t.Fatalf("%s was opened", c.address)
		}
		_, migrated := store.Migrate(t.Context(), c.address, nil)
		for _, err := range []error{err, migrated} {
			if err == nil || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "secret:") || errors.Is(err, auction.ErrUnavailable) != c.unavailable {
				t.Errorf("%s: %v", c.address, err)
			}
		}
	}
}

func TestAHouseSaysWhetherItsDatabaseIsThere(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ok(t, s.Ready(t.Context()))
	if used, most := s.Connections(); used != 0 || most != 20 {
		t.Errorf("%d of %d connections", used, most)
	}
	h := s.hold(t, aLock)
	bid := placing(t.Context(), s.Store, s.Offer(s.lot, s.ann, "1010"))
	s.waiting(t, 1)
	if used, _ := s.Connections(); used != 1 {
		t.Errorf("%d connections are used by one bid", used)
	}
	h.run("ROLLBACK")
	expect(t, bid, auction.Accepted)

	ctx, leave := context.WithCancel(t.Context())
	leave()
	if err := s.Ready(ctx); err == nil {
		t.Error("ready, though nobody waits for the answer")
	}
	name := value[string](t, s.House, `SELECT current_database()`)
	s.SQL.Close()
	admin, err := pgx.Connect(t.Context(), strings.Replace(s.URL, name, "postgres", 1))
	ok(t, err)
	defer func() { _ = admin.Close(context.Background()) }()
	_, err = admin.Exec(t.Context(), `DROP DATABASE `+name+` WITH (FORCE)`)
	ok(t, err)
	if err := s.Ready(t.Context()); err == nil {
		t.Error("ready without a database")
	}
}

func TestTheHousesClockIsTheDatabases(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for range 3 {
		before := s.clock(t)
		now := s.Now()
		after := s.clock(t)
		if now.Before(before.Add(-time.Second)) || now.After(after.Add(time.Second)) {
			t.Errorf("%v, between %v and %v", now, before, after)
		}
	}
}

// Whatever isolation the database's owner set, bids are judged at the one that
// they need.
func TestBidsAreJudgedWhateverTheDatabasesOwnIsolation(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	var name string
	ok(t, h.SQL.QueryRow(t.Context(), `SELECT current_database()`).Scan(&name))
	h.Exec(`ALTER DATABASE ` + name + ` SET default_transaction_isolation = 'serializable'`)
	s := h.Instance()
	lot := h.Lot(h.Person(true), time.Hour)
	o, err := s.PlaceBid(t.Context(), h.Offer(lot, h.Person(false), "1010"))
	if err != nil || o.Verdict != auction.Accepted {
		t.Errorf("%s, %v", o.Verdict, err)
	}
}

// A restored backup can be older than the program that still runs.
func TestAHouseWhoseSchemaWentBackIsNotReady(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	ok(t, h.Ready(t.Context()))
	h.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99991231235959, true)`)
	ok(t, h.Ready(t.Context()))
	h.Exec(`DELETE FROM goose_db_version WHERE version_id IN (SELECT version_id FROM goose_db_version ORDER BY version_id DESC LIMIT 2)`)
	if err := h.Ready(t.Context()); !errors.Is(err, auction.ErrUnavailable) {
		t.Errorf("%v", err)
	}
}
