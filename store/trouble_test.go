package store_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/store/storetest"
)

// kill ends the backends of the house that wait for a lock.
func (s *scene) kill(t *testing.T) {
	t.Helper()
	s.Exec(`SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) pid`, s.waiters(t))
}

// A client dies while its bid waits: its backend knows nothing of that and
// still judges. The same bid again finds what became of it.
func TestAClientThatDiesWhileItsBidWaitsLeavesOneBid(t *testing.T) {
	t.Parallel()
	s := setup(t)
	offer := s.Offer(s.lot, s.ann, "1010")
	h := s.hold(t, aLock)
	conn, err := pgx.Connect(t.Context(), s.URL)
	ok(t, err)
	conn.PgConn().Frontend().SendQuery(&pgproto3.Query{String: fmt.Sprintf(
		`SELECT judge_bids(%d, ARRAY[%d]::bigint[], ARRAY[1010]::numeric[], ARRAY['%s']::uuid[])`, offer.AuctionID, offer.BidderID, offer.RequestID)})
	ok(t, conn.PgConn().Frontend().Flush())
	s.waiting(t, 1)
	ok(t, conn.PgConn().Conn().Close()) // as when its process is killed: PostgreSQL is not asked to cancel anything
	again := placing(t.Context(), s.Store, offer)
	s.waiting(t, 2)
	h.run("ROLLBACK")
	expect(t, again, auction.Replayed)
	if log := s.log(t); len(log) != 1 {
		t.Errorf("%d bids", len(log))
	}
}

func TestACallerWhoGoesAwayDoesNotUndoTheirBid(t *testing.T) {
	t.Parallel()
	s := setup(t)
	offer := s.Offer(s.lot, s.ann, "1010")
	h := s.hold(t, aLock)
	ctx, leave := context.WithCancel(t.Context())
	first := placing(ctx, s.Store, offer)
	s.waiting(t, 1)
	leave()
	again := placing(t.Context(), s.Store, offer)
	gathered(t, s.Store, 2)
	h.run("ROLLBACK")
	expect(t, first, auction.Accepted)
	expect(t, again, auction.Replayed)
	if log := s.log(t); len(log) != 1 {
		t.Errorf("%d bids", len(log))
	}
	expect(t, placing(ctx, s.Store, offer), auction.Replayed) // gone before it came
}

func TestABidWhoseBackendIsKilledIsJudgedAgain(t *testing.T) {
	t.Parallel()
	s := setup(t)
	offer := s.Offer(s.lot, s.ann, "1010")
	h := s.hold(t, aLock)
	bid := placing(t.Context(), s.Store, offer)
	var killed []int32
	storetest.Eventually(t, func() string { // it waits in turns, and between two of them not at all
		if killed = s.waiters(t); len(killed) != 1 || !value[bool](t, s.House, `SELECT pg_terminate_backend($1)`, killed[0]) {
			return "no bid waits"
		}
		return ""
	})
	storetest.Eventually(t, func() string {
		if w := s.waiters(t); len(w) != 1 || w[0] == killed[0] {
			return "it is not judged again"
		}
		return ""
	})
	h.run("ROLLBACK")
	expect(t, bid, auction.Accepted)
	if log := s.log(t); len(log) != 1 {
		t.Errorf("%d bids", len(log))
	}
}

func TestABidWhoseBackendIsKilledTwiceIsUnavailableAndMayBeSentAgain(t *testing.T) {
	t.Parallel()
	s := setup(t)
	offer := s.Offer(s.lot, s.ann, "1010")
	h := s.hold(t, aLock)
	bid := placing(t.Context(), s.Store, offer)
	var a answer
	storetest.Eventually(t, func() string {
		s.kill(t)
		select {
		case a = <-bid:
			return ""
		default:
			return "it is judged again and again"
		}
	})
	if !errors.Is(a.err, auction.ErrUnavailable) {
		t.Errorf("%q, %v", a.Verdict, a.err)
	}
	h.run("ROLLBACK")
	s.place(t, offer, auction.Accepted)
}

// A restart of PostgreSQL leaves a pool full of dead connections: the second
// try must not be spent on another one of them.
func TestABidIsJudgedAgainOnANewConnection(t *testing.T) {
	t.Parallel()
	s := setup(t)
	lots := []auction.Auction{s.lot}
	for range 7 {
		lots = append(lots, s.Lot(s.seller, time.Hour))
	}
	h := s.hold(t, `SELECT FROM auction FOR UPDATE`)
	var bids []<-chan answer
	for _, lot := range lots {
		bids = append(bids, placing(t.Context(), s.Store, s.Offer(lot, s.ann, "1")))
	}
	s.waiting(t, 8)
	h.run("ROLLBACK")
	for _, bid := range bids {
		expect(t, bid, auction.TooLow)
	}
	s.Exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'rostrum'`)
	s.bid(t, s.ann, "1010", auction.Accepted)
}

// A held lot costs its bidders a short wait and a clear answer.
func TestABidThatWaitsTooLongIsUnavailable(t *testing.T) {
	t.Parallel()
	s := setup(t)
	offer := s.Offer(s.lot, s.ann, "1010")
	h := s.hold(t, aLock)
	if a := receive(t, placing(t.Context(), s.Store, offer)); !errors.Is(a.err, auction.ErrUnavailable) {
		t.Errorf("%q, %v", a.Verdict, a.err)
	}
	h.run("ROLLBACK")
	s.place(t, offer, auction.Accepted)
}

// The answer to a commit is lost on its way: the bid is there, nobody was told.
// Judging again finds it, and the news of it goes out.
func TestALostAnswerIsFoundAndTold(t *testing.T) {
	t.Parallel()
	s := setup(t)
	line := newLine(t, s.URL)
	far, err := store.Open(t.Context(), store.Options{URL: line.url, SoftClose: storetest.SoftClose})
	ok(t, err)
	t.Cleanup(far.Close)
	w := watch(far.Feed, s.lot.ID)
	o, err := far.PlaceBid(t.Context(), s.Offer(s.lot, s.ben, "1")) // the statement is prepared
	if err != nil || o.Verdict != auction.TooLow {
		t.Fatalf("%q, %v", o.Verdict, err)
	}

	offer := s.Offer(s.lot, s.ann, "1010")
	line.cut.Store(true)
	o, err = far.PlaceBid(t.Context(), offer)
	if err != nil || o.Verdict != auction.Replayed || line.cut.Load() {
		t.Fatalf("%q, %v; cut: %v", o.Verdict, err, !line.cut.Load())
	}
	if log := s.log(t); len(log) != 1 || log[0].ID != o.Bid.ID {
		t.Errorf("told %+v, the log is %+v", o.Bid, log)
	}
	if v := w.newest(s.lot.ID); v != 2 {
		t.Errorf("the watchers know version %d", v)
	}
}

// line is a connection to PostgreSQL through a place where it can be cut.
type line struct {
	url string
	cut atomic.Bool // the next answer is lost, and the connection with it
}

func newLine(t *testing.T, address string) *line {
	t.Helper()
	config, err := pgx.ParseConfig(address)
	ok(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	ok(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	l := &line{url: (&url.URL{Scheme: "postgresql", User: url.UserPassword(config.User, config.Password),
		Host: listener.Addr().String(), Path: "/" + config.Database, RawQuery: "sslmode=disable"}).String()}
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
			go func() {
				_, _ = io.Copy(far, near)
				_ = far.Close()
			}()
			go l.answer(near, far)
		}
	}()
	return l
}

func (l *line) answer(near, far net.Conn) {
	defer func() {
		_ = near.Close()
		_ = far.Close()
	}()
	buffer := make([]byte, 64<<10)
	for {
		n, err := far.Read(buffer)
		if err != nil || l.cut.CompareAndSwap(true, false) {
			return
		}
		if _, err := near.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// A batch that takes too long is undone as a whole, and all of it may be sent
// again.
func TestABatchThatTakesTooLongIsUnavailableAndMayBeSentAgain(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.Exec(`CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$`)
	s.Exec(`CREATE TRIGGER dawdle BEFORE INSERT ON bid FOR EACH ROW WHEN (NEW.amount = 1666) EXECUTE FUNCTION dawdle()`)
	h := s.hold(t, aLock)
	var offers []auction.Offer
	var answers []<-chan answer
	for i, amount := range []string{"1010", "1666", "2000"} {
		offers = append(offers, s.Offer(s.lot, s.ann, amount))
		answers = append(answers, placing(t.Context(), s.Store, offers[i]))
		gathered(t, s.Store, i+1)
	}
	h.run("ROLLBACK")
	expect(t, answers[0], auction.Accepted) // it left alone
	for _, a := range answers[1:] {
		if got := receive(t, a); !errors.Is(got.err, auction.ErrUnavailable) {
			t.Errorf("%q, %v", got.Verdict, got.err)
		}
	}
	s.Exec(`DROP TRIGGER dawdle ON bid`)
	for i, want := range []auction.Verdict{auction.Replayed, auction.Accepted, auction.Accepted} {
		s.place(t, offers[i], want)
	}
	if log := s.log(t); len(log) != 3 {
		t.Errorf("%d bids", len(log))
	}
}
