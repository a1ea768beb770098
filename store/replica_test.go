package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"rostrum/migrations"
	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/store/embedded"
	"rostrum/store/storetest"
)

// pair is a house on a PostgreSQL of its own, with a hot standby of it.
type pair struct {
	*store.Store
	primary, standby *embedded.Cluster
	seller           auction.Person
}

func newPair(t *testing.T) *pair {
	t.Helper()
	p := &pair{}
	first, second := t.TempDir(), t.TempDir()
	p.primary = openCluster(t, first)
	_, err := store.Migrate(t.Context(), p.primary.URL(), migrations.Files)
	ok(t, err)
	ok(t, p.primary.Close()) // at rest, its files may be copied
	ok(t, os.CopyFS(second, os.DirFS(first)))
	p.primary = openCluster(t, first)
	follow(t, second, p.primary.URL())
	p.standby = openCluster(t, second)

	p.Store, err = store.Open(t.Context(), store.Options{URL: p.primary.URL(), ReadURL: p.standby.URL(), SoftClose: storetest.SoftClose})
	ok(t, err)
	t.Cleanup(p.Close)
	dollars, err := auction.NewCurrency("USD")
	ok(t, err)
	ok(t, p.Settle(t.Context(), dollars))
	p.seller, err = p.AddPerson(t.Context(), auction.Person{Email: "sue@example.com", Name: "Sue", Seller: true}, "")
	ok(t, err)
	return p
}

func openCluster(t *testing.T, dir string) *embedded.Cluster {
	t.Helper()
	c, err := embedded.Open(t.Context(), embedded.Options{Dir: dir})
	ok(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// follow makes the copy of a cluster its hot standby.
func follow(t *testing.T, dir, url string) {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join(dir, "postgresql-*", "data"))
	if err != nil || len(folders) != 1 {
		t.Fatal("no cluster was copied", folders, err)
	}
	ok(t, os.Chmod(folders[0], 0o700)) // which the copy has forgotten
	ok(t, os.WriteFile(filepath.Join(folders[0], "standby.signal"), nil, 0o600))
	conf, err := os.OpenFile(filepath.Join(folders[0], "postgresql.auto.conf"), os.O_APPEND|os.O_WRONLY, 0o600)
	ok(t, err)
	_, err = fmt.Fprintf(conf, "primary_conninfo = '%s'\n", strings.ReplaceAll(url, "'", "''"))
	ok(t, err)
	ok(t, conf.Close())
}

func (p *pair) list(t *testing.T, title string) {
	t.Helper()
	dollars, err := auction.NewCurrency("USD")
	ok(t, err)
	ten, err := dollars.Parse("10")
	ok(t, err)
	_, err = p.List(t.Context(), auction.Listing{SellerID: p.seller.ID, Title: title, StartingPrice: ten, MinIncrement: ten, EndTime: p.Now().Add(time.Hour)})
	ok(t, err)
}

// lots counts the open lots, old says whether the answer may be.
func (p *pair) lots(t *testing.T, old bool) int {
	t.Helper()
	ctx := t.Context()
	if old {
		ctx = store.MayLag(ctx)
	}
	page, err := p.Auctions(ctx, store.Query{Limit: 10})
	lots := page.Lots
	ok(t, err)
	return len(lots)
}

// caughtUp waits until the replica is in use and has come as far as now.
func (p *pair) caughtUp(t *testing.T) {
	t.Helper()
	storetest.Eventually(t, func() string {
		ok(t, p.Replica.Check(t.Context()))
		if mayLag, now := p.lots(t, true), p.lots(t, false); mayLag != now || !p.Replica.InUse() {
			return fmt.Sprintf("the replica has %d lots of %d, in use: %v", mayLag, now, p.Replica.InUse())
		}
		return ""
	})
}

func (p *pair) onStandby(t *testing.T, statement string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), p.standby.URL())
	ok(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), statement)
	ok(t, err)
}

func TestAReplicaIsReadWhileItKeepsUp(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	if p.Replica.InUse() {
		t.Fatal("the replica is in use before anybody looked at it")
	}
	p.list(t, "One")
	p.caughtUp(t)

	p.onStandby(t, `SELECT pg_wal_replay_pause()`)
	p.list(t, "Two")
	if got := p.lots(t, false); got != 2 {
		t.Errorf("who must see what they just did sees %d lots of 2", got)
	}
	if got := p.lots(t, true); p.Replica.InUse() && got != 1 {
		t.Errorf("%d lots came from the replica, which knows of 1", got)
	}
	storetest.Eventually(t, func() string { // no more than MostLag later
		ok(t, p.Replica.Check(t.Context()))
		if p.Replica.InUse() {
			return "a replica that lags is still in use"
		}
		return ""
	})
	if got := p.lots(t, true); got != 2 {
		t.Errorf("%d lots without the replica, not 2", got)
	}

	p.onStandby(t, `SELECT pg_wal_replay_resume()`)
	p.caughtUp(t)
}

func TestAReplicaThatIsGoneCostsNobodyAnAnswer(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.list(t, "One")
	p.caughtUp(t)
	ok(t, p.standby.Close())
	if got := p.lots(t, true); got != 1 {
		t.Errorf("%d lots, not 1", got)
	}
	if p.Replica.InUse() {
		t.Error("a replica that is gone is still in use")
	}
	if p.Replica.Check(t.Context()) == nil {
		t.Error("nobody is told that the replica is gone")
	}
}

func TestAPrimaryIsNoReplica(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	s, err := store.Open(t.Context(), store.Options{URL: h.URL, ReadURL: h.URL, SoftClose: storetest.SoftClose})
	ok(t, err)
	defer s.Close()
	if err := s.Replica.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "no hot standby") {
		t.Errorf("it is taken for one: %v", err)
	}
}
