package store_test

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
)

// due makes n lots that are over by a second to an hour, a third of them with a leader.
func (s *scene) due(t *testing.T, n int) []int64 {
	t.Helper()
	return value[[]int64](t, s.House, `
		WITH made AS (
			INSERT INTO auction (seller_id, title, starting_price, min_increment, current_price, leader_id, bid_count, version, start_time, end_time, soft_close)
			SELECT $1, 'Lot ' || n, 100, 1, CASE WHEN n % 3 = 0 THEN 105.5 ELSE 100 END, CASE WHEN n % 3 = 0 THEN $2::bigint END, CASE WHEN n % 3 = 0 THEN 1 ELSE 0 END, 1,
				now() - interval '1 day', now() - interval '1 second' - interval '1 hour' * random(), '2 s'
			FROM generate_series(1, $3::int) n
			RETURNING id)
		SELECT array_agg(id ORDER BY id) FROM made`, s.seller.ID, s.ann.ID, n)
}

// closer is one that counts nothing.
func closer(s *store.Store) *store.Closer { return s.NewCloser(func(time.Duration) {}) }

// closedOnce lists what is wrong with the closing of lots.
const closedOnce = `
	SELECT coalesce(array_agg(format('%s: status %s, version %s, %s results, %s events', a.id, a.status, a.version, r.n, e.n)), '{}')
	FROM auction a,
		LATERAL (SELECT count(*) AS n FROM result WHERE auction_id = a.id AND winner_id IS NOT DISTINCT FROM a.leader_id
			AND (outcome = 'sold') = (a.leader_id IS NOT NULL) AND bid_count = a.bid_count AND closed_at = a.closed_at) r,
		LATERAL (SELECT count(*) AS n FROM outbox WHERE topic = 'auction-closed' AND aggregate_id = a.id AND sequence = a.version) e
	WHERE a.id = ANY ($1) AND (a.status <> 'CLOSED' OR a.version <> 2 OR r.n <> 1 OR e.n <> 1)`

func TestTwoClosersCloseEachLotOnce(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.due(t, 1000)
	type drained struct {
		total int
		err   error
	}
	done := make(chan drained, 2)
	for _, instance := range []*store.Store{s.Store, s.Instance()} {
		go func() {
			var d drained
			for {
				n, err := closer(instance).Once(t.Context())
				d.total += n
				if err != nil || n == 0 {
					d.err = err
					done <- d
					return
				}
			}
		}()
	}
	one, two := receive(t, done), receive(t, done)
	if one.total+two.total != 1000 || one.err != nil || two.err != nil {
		t.Errorf("%+v and %+v", one, two)
	}
	if wrong := value[[]string](t, s.House, closedOnce, ids); len(wrong) > 0 {
		t.Errorf("%d lots, first %s", len(wrong), wrong[0])
	}
	if n := s.count(t, `SELECT count(*) FROM outbox`); n != 1000 {
		t.Errorf("%d events", n)
	}
	if a := s.now(t); a.Status != auction.Open || a.Version != 1 {
		t.Errorf("the lot that goes on: %+v", a)
	}
}

func TestMoreThanABatchIsDrained(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.due(t, 1205)
	closed := 0
	c := s.NewCloser(func(late time.Duration) {
		closed++
		if late < time.Second || late > 2*time.Hour {
			t.Errorf("closed %v after its end", late)
		}
	})
	for _, want := range []int{500, 500, 205, 0} {
		if n, err := c.Once(t.Context()); n != want || err != nil {
			t.Errorf("closed %d, %v; want %d", n, err, want)
		}
	}
	if wrong := value[[]string](t, s.House, closedOnce, ids); closed != 1205 || len(wrong) > 0 {
		t.Errorf("told of %d; wrong: %v", closed, wrong)
	}
}

func TestTheLongestOverdueIsClosedFirst(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.due(t, 600)
	if n, err := closer(s.Store).Once(t.Context()); n != 500 || err != nil {
		t.Fatalf("closed %d, %v", n, err)
	}
	if n := s.count(t, `SELECT count(*) FROM auction o, auction c WHERE o.status = 'OPEN' AND c.status = 'CLOSED' AND o.end_time < c.end_time`); n != 0 {
		t.Error("a later end came first")
	}
}

// A bid holds the lot while the closer runs, over its end.
func TestALotThatABidHoldsIsClosedByWhatThatBidCommits(t *testing.T) {
	t.Parallel()
	const extends, extendsNot = `'1 hour'`, `'0'`
	for _, c := range []struct {
		name, softClose, release string
		closed                   int
		winner                   string
	}{
		{"the bid extends the lot", extends, "COMMIT", 0, ""},
		{"the bid came too early for that", extendsNot, "COMMIT", 1, "ben"},
		{"the bid is rolled back", extends, "ROLLBACK", 1, "ann"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			w := watch(s.Feed, s.lot.ID)
			s.bid(t, s.ann, "1010", auction.Accepted)
			s.Exec(`UPDATE auction SET soft_close = ` + c.softClose)
			var h *holder
			for patience := 200 * time.Millisecond; ; patience *= 2 {
				s.endIn(t, patience)
				h = s.hold(t, fmt.Sprintf(`SELECT judge_bids(LOT, ARRAY[%d]::bigint[], ARRAY[1500]::numeric[], ARRAY[gen_random_uuid()])`, s.ben.ID))
				if s.clock(t).Before(s.lot.EndTime) {
					break
				}
				h.run("ROLLBACK")
			}
			s.passed(t, s.lot.EndTime)

			type once struct {
				n   int
				err error
			}
			answers := make(chan once, 1)
			closing := func() {
				n, err := closer(s.Store).Once(t.Context())
				answers <- once{n, err}
			}
			if s.clock(t).Before(s.lot.EndTime.Add(300 * time.Millisecond)) { // else the machine is too slow to show it
				go closing()
				if o := receive(t, answers); o.n != 0 || o.err != nil {
					t.Errorf("a lot that is held closed %d, %v", o.n, o.err)
				}
			}
			s.passed(t, s.lot.EndTime.Add(510*time.Millisecond))
			go closing()
			s.waitingFor(t, h)
			h.run(c.release)
			o := receive(t, answers)
			if o.n == 0 && o.err == nil && c.closed == 1 { // it may have waited for too long, on a slow machine
				go closing()
				o = receive(t, answers)
			}
			if o.n != c.closed || o.err != nil {
				t.Fatalf("closed %d, %v; want %d", o.n, o.err, c.closed)
			}

			a := s.now(t)
			r, err := s.Result(t.Context(), s.lot.ID)
			if c.closed == 0 {
				if !errors.Is(err, auction.ErrStillOpen) || a.Status != auction.Open || !a.State().LedBy(s.ben.ID) || a.EndTime.Before(s.lot.EndTime.Add(30*time.Minute)) {
					t.Errorf("extended: %+v, %v", a, err)
				}
				return
			}
			winner := map[string]auction.Person{"ann": s.ann, "ben": s.ben}[c.winner]
			if err != nil || a.Status != auction.Closed || r.Winner == nil || r.Winner.ID != winner.ID || r.WinnerAlias != winner.Alias ||
				r.Winner.Email != winner.Email || r.Seller.ID != s.seller.ID || r.SellerAlias != s.seller.Alias {
				t.Errorf("%+v, %v", r, err)
			}
			if told := w.all(); told[len(told)-1].Status != auction.Closed || told[len(told)-1].Version != a.Version {
				t.Errorf("the watchers were told %+v", told[len(told)-1])
			}
		})
	}
}

// One lot that hangs costs the others no more than a moment.
func TestALotThatIsHeldForLongDoesNotHoldUpTheOthers(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.endIn(t, -time.Second)
	h := s.hold(t, aLock)
	ids := s.due(t, 3)
	for range 3 {
		if n, err := closer(s.Store).Once(t.Context()); err != nil {
			t.Fatalf("closed %d, %v", n, err)
		}
	}
	if wrong := value[[]string](t, s.House, closedOnce, ids); len(wrong) > 0 {
		t.Errorf("%v", wrong)
	}
	h.run("ROLLBACK")
	if n, err := closer(s.Store).Once(t.Context()); n != 1 || err != nil {
		t.Errorf("closed %d, %v", n, err)
	}
}

// The end is read again under the lock: whatever was picked, only what is over
// by then is closed.
func TestOnlyWhatIsOverUnderTheLockIsClosed(t *testing.T) {
	t.Parallel()
	s := setup(t)
	running, over := s.lot.ID, s.due(t, 1)[0]
	n := s.count(t, `SELECT count(*) FROM close_locked(ARRAY[$1, $2]::bigint[])`, running, over)
	again := s.count(t, `SELECT count(*) FROM close_locked(ARRAY[$1, $2, NULL]::bigint[])`, running, over)
	alone := s.count(t, `SELECT count(*) FROM close_one($1)`, running)
	if a := s.now(t); n != 1 || again != 0 || alone != 0 || a.Status != auction.Open {
		t.Errorf("closed %d, then %d and %d; %+v", n, again, alone, a)
	}
}

func TestAnInstantAfterItsEndALotIsClosedAndNotBefore(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.endIn(t, 300*time.Millisecond)
	for {
		n, err := closer(s.Store).Once(t.Context())
		ok(t, err)
		if n == 1 {
			break
		}
		if s.clock(t).After(s.lot.EndTime.Add(20 * time.Second)) {
			t.Fatal("it is not closed")
		}
	}
	if a := s.now(t); a.ClosedAt == nil || a.ClosedAt.Before(a.EndTime) || !a.EndTime.Equal(s.lot.EndTime) || a.Version != 2 {
		t.Errorf("%+v", a)
	}
	s.bid(t, s.ann, "1010", auction.Ended)
}

// What the event of a closing tells, in dollars and in yen.
func TestTheEventOfAClosing(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for _, c := range []struct{ name, house, bid, price string }{
		{"sold in dollars", `UPDATE house SET currency = 'USD', digits = 2`, "1010.5", `"1010.50"`},
		{"sold in yen", `UPDATE house SET currency = 'JPY', digits = 0`, "1010", `"1010"`},
		{"unsold", `UPDATE house SET currency = 'USD', digits = 2`, "", `null`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.Exec(c.house)
			s.lot = s.Lot(s.seller, time.Hour)
			winner, bids := "null", 0
			if c.bid != "" {
				s.bid(t, s.ann, c.bid, auction.Accepted)
				winner, bids = fmt.Sprint(s.ann.ID), 1
			}
			s.endIn(t, -time.Millisecond)
			if n, err := closer(s.Store).Once(t.Context()); n != 1 || err != nil {
				t.Fatalf("closed %d, %v", n, err)
			}
			a := s.now(t)
			events, err := s.EventsOf(t.Context(), s.lot.ID, math.MaxInt64, 1)
			ok(t, err)
			const form = "2006-01-02T15:04:05.000000Z"
			want := fmt.Sprintf(`{"auctionId": %d, "sellerId": %d, "winnerId": %s, "price": %s, "bidCount": %d, "endTime": %q, "closedAt": %q}`,
				s.lot.ID, s.seller.ID, winner, c.price, bids, a.EndTime.UTC().Format(form), a.ClosedAt.UTC().Format(form))
			if e := events[0]; !sameJSON(t, e.Payload, []byte(want)) || e.Topic != auction.TopicClosed || e.AggregateID != s.lot.ID ||
				e.Sequence != a.Version || !e.CreatedAt.Equal(*a.ClosedAt) {
				t.Errorf("%+v with %s, want %s", e, e.Payload, want)
			}
			r, err := s.Result(t.Context(), s.lot.ID)
			if err != nil || (r.Winner == nil) != (c.bid == "") || r.WinnerAlias != map[bool]string{true: "", false: s.ann.Alias}[c.bid == ""] {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
}

func TestAResultIsThereOnceALotIsClosedOrWithdrawn(t *testing.T) {
	t.Parallel()
	s := setup(t)
	if _, err := s.Result(t.Context(), 1<<40); !errors.Is(err, auction.ErrNotFound) {
		t.Errorf("no such lot: %v", err)
	}
	s.endIn(t, -time.Second)
	if _, err := s.Result(t.Context(), s.lot.ID); !errors.Is(err, auction.ErrStillOpen) {
		t.Errorf("between the end and the closing nobody has won: %v", err)
	}
	s.Exec(`UPDATE auction SET status = 'WITHDRAWN', closed_at = clock_timestamp()`)
	if n, err := closer(s.Store).Once(t.Context()); n != 0 || err != nil {
		t.Errorf("closed %d, %v", n, err)
	}
	if r, err := s.Result(t.Context(), s.lot.ID); err != nil || r.Winner != nil || r.Auction.Status != auction.Withdrawn {
		t.Errorf("withdrawn: %+v, %v", r, err)
	}
}

func TestTheCloserSleepsUntilTheNextEnd(t *testing.T) {
	t.Parallel()
	s := setup(t)
	c := closer(s.Store)
	next := func(least, most time.Duration) {
		t.Helper()
		if wait, err := c.NextEnd(t.Context(), time.Minute); err != nil || wait < least || wait > most {
			t.Errorf("%v, %v; want %v to %v", wait, err, least, most)
		}
	}
	next(time.Minute, time.Minute) // the lot of an hour
	s.endIn(t, 50*time.Second)
	next(time.Second, 50*time.Second)
	s.lot = s.Lot(s.seller, time.Hour)
	s.endIn(t, -time.Hour)
	next(time.Millisecond, 100*time.Millisecond) // somebody holds it: trying again at once would spin
	s.Exec(`UPDATE auction SET status = 'WITHDRAWN', closed_at = clock_timestamp()`)
	next(time.Minute, time.Minute)
}
