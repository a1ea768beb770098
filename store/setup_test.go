package store_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/store/storetest"
)

// PostgreSQL tells when each bid was really committed.
func TestMain(m *testing.M) { os.Exit(storetest.Main(m, "track_commit_timestamp = on")) }

// scene is a house with one lot of an hour, from 1000 in steps of 10.
type scene struct {
	*storetest.House
	seller, ann, ben auction.Person
	lot              auction.Auction
}

func setup(t *testing.T) *scene {
	t.Helper()
	h := storetest.Open(t)
	s := &scene{House: h, seller: h.Person(true), ann: h.Person(false), ben: h.Person(false)}
	s.lot = h.Lot(s.seller, time.Hour)
	return s
}

// bid places a fresh bid on the scene's lot and expects the verdict.
func (s *scene) bid(t *testing.T, who auction.Person, amount string, want auction.Verdict) auction.Outcome {
	t.Helper()
	return s.place(t, s.Offer(s.lot, who, amount), want)
}

func (s *scene) place(t *testing.T, offer auction.Offer, want auction.Verdict) auction.Outcome {
	t.Helper()
	o, err := s.PlaceBid(t.Context(), offer)
	if err != nil || o.Verdict != want {
		t.Fatalf("%s of %d: %q, %v; want %q", s.Currency.Text(offer.Amount), offer.BidderID, o.Verdict, err, want)
	}
	return o
}

func (s *scene) suspend(t *testing.T, who auction.Person, suspended bool) {
	t.Helper()
	_, err := s.SetPerson(t.Context(), who.Email, store.Change{Suspended: &suspended})
	ok(t, err)
}

// endIn moves the scene's lot so that it ends after d, which may be past.
func (s *scene) endIn(t *testing.T, d time.Duration) {
	t.Helper()
	s.Exec(`UPDATE auction SET start_time = clock_timestamp() - interval '1 day', end_time = clock_timestamp() + $2::interval
		WHERE id = $1`, s.lot.ID, d)
	s.lot = s.now(t)
}

// now is the scene's lot as it stands.
func (s *scene) now(t *testing.T) auction.Auction {
	t.Helper()
	a, err := s.Auction(t.Context(), s.lot.ID)
	ok(t, err)
	return a
}

// log is the whole log of the scene's lot, the first bid first.
func (s *scene) log(t *testing.T) []auction.Bid {
	t.Helper()
	rows, err := s.SQL.Query(t.Context(), `SELECT id, version, bidder_id, amount, request_id, created_at FROM bid
		WHERE auction_id = $1 ORDER BY version`, s.lot.ID)
	ok(t, err)
	log, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (auction.Bid, error) {
		b := auction.Bid{AuctionID: s.lot.ID}
		err := row.Scan(&b.ID, &b.Version, &b.BidderID, &b.Amount, (*[16]byte)(&b.RequestID), &b.CreatedAt)
		return b, err
	})
	ok(t, err)
	return log
}

// answer is what PlaceBid returned.
type answer struct {
	auction.Outcome
	err error
}

// placing has a bid placed in the background.
func placing(ctx context.Context, s *store.Store, offer auction.Offer) <-chan answer {
	answers := make(chan answer, 1)
	go func() {
		o, err := s.PlaceBid(ctx, offer)
		answers <- answer{o, err}
	}()
	return answers
}

// expect waits for the answer to a bid and checks its verdict.
func expect(t *testing.T, answers <-chan answer, want auction.Verdict) auction.Outcome {
	t.Helper()
	a := receive(t, answers)
	if a.err != nil || a.Verdict != want {
		t.Fatalf("the verdict is %q, %v; want %q", a.Verdict, a.err, want)
	}
	return a.Outcome
}

func receive[T any](t *testing.T, values <-chan T) T {
	t.Helper()
	select {
	case v := <-values:
		return v
	case <-time.After(30 * time.Second):
		t.Fatal("no answer in half a minute")
		panic("unreachable")
	}
}

// holder is a client with a connection of its own and a transaction under way.
type holder struct {
	t    *testing.T
	conn *pgx.Conn
}

// hold begins a transaction and runs statements in it, parted by
// semicolons; LOT stands for the lot.
func (s *scene) hold(t *testing.T, statements string) *holder {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.URL)
	ok(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	h := &holder{t, conn}
	h.run("BEGIN")
	for statement := range strings.SplitSeq(statements, ";") {
		h.run(strings.ReplaceAll(statement, "LOT", fmt.Sprint(s.lot.ID)))
	}
	return h
}

func (h *holder) run(statement string) {
	h.t.Helper()
	if _, err := h.conn.Exec(h.t.Context(), statement); err != nil {
		h.t.Fatalf("%s: %v", statement, err)
	}
}

// waiting waits until n backends of the house, or more, wait for a lock.
func (s *scene) waiting(t *testing.T, n int) {
	t.Helper()
	storetest.Eventually(t, func() string {
		if found := len(s.waiters(t)); found < n {
			return fmt.Sprintf("%d backends wait for a lock, not %d", found, n)
		}
		return ""
	})
}

// gathered waits until n offers wait in the lane of an instance.
func gathered(t *testing.T, s *store.Store, n int) {
	t.Helper()
	storetest.Eventually(t, func() string {
		if found := s.Waiting(); found != n {
			return fmt.Sprintf("%d offers wait, not %d", found, n)
		}
		return ""
	})
}

// waiters are the backends of the house that wait for a lock.
func (s *scene) waiters(t *testing.T) []int32 {
	t.Helper()
	return value[[]int32](t, s.House, `SELECT coalesce(array_agg(pid), '{}') FROM pg_stat_activity
		WHERE datname = current_database() AND wait_event_type = 'Lock'`)
}

// waitingFor waits until somebody waits for what the holder holds.
func (s *scene) waitingFor(t *testing.T, h *holder) {
	t.Helper()
	storetest.Eventually(t, func() string {
		if s.count(t, `SELECT count(*) FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))`, h.conn.PgConn().PID()) == 0 {
			return "nobody waits for the holder"
		}
		return ""
	})
}

// waitingBefore says whether somebody waits for what the holder holds before
// an instant has come.
func (s *scene) waitingBefore(t *testing.T, h *holder, instant time.Time) (before bool) {
	t.Helper()
	storetest.Eventually(t, func() string {
		waits := value[bool](t, s.House, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid)))`, h.conn.PgConn().PID())
		if before = s.clock(t).Before(instant); before && !waits {
			return "nobody waits for the holder"
		}
		return ""
	})
	return before
}

// passed waits until the database's clock is at an instant.
func (s *scene) passed(t *testing.T, instant time.Time) {
	t.Helper()
	storetest.Eventually(t, func() string {
		if now := s.clock(t); now.Before(instant) {
			return fmt.Sprintf("it is %v, not yet %v", now, instant)
		}
		return ""
	})
}

func (s *scene) clock(t *testing.T) time.Time {
	t.Helper()
	return value[time.Time](t, s.House, `SELECT clock_timestamp()`)
}

// count reads one number.
func (s *scene) count(t *testing.T, query string, arguments ...any) int {
	t.Helper()
	return value[int](t, s.House, query, arguments...)
}

// value reads one value behind the store's back.
func value[T any](t *testing.T, h *storetest.House, query string, arguments ...any) T {
	t.Helper()
	var v T
	ok(t, h.SQL.QueryRow(t.Context(), query, arguments...).Scan(&v))
	return v
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
