package store_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/store/storetest"
)

// watcher is what the hub is for a feed: it knows the newest state of each
// auction that is watched, and here also all that it was told.
type watcher struct {
	mu    sync.Mutex
	known map[int64]int64
	told  []auction.State
}

func watch(f *store.Feed, ids ...int64) *watcher {
	w := &watcher{known: map[int64]int64{}}
	for _, id := range ids {
		w.known[id] = 0
	}
	f.Watch(func(s auction.State) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.told = append(w.told, s)
		if known, watched := w.known[s.AuctionID]; watched {
			w.known[s.AuctionID] = max(known, s.Version)
		}
	}, func() map[int64]int64 {
		w.mu.Lock()
		defer w.mu.Unlock()
		watched := map[int64]int64{}
		for id, version := range w.known {
			watched[id] = version
		}
		return watched
	})
	return w
}

func (w *watcher) newest(id int64) int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.known[id]
}

func (w *watcher) all() []auction.State {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.told)
}

// knows waits until the watcher knows a version.
func (w *watcher) knows(t *testing.T, id, version int64) {
	t.Helper()
	storetest.Eventually(t, func() string {
		if v := w.newest(id); v != version {
			return fmt.Sprintf("version %d is known, not %d", v, version)
		}
		return ""
	})
}

// run runs a worker of a feed until the test ends, and returns what it reports.
func run(t *testing.T, work func(context.Context, func(error))) <-chan error {
	t.Helper()
	reports := make(chan error, 100)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		work(ctx, func(err error) { reports <- err })
	}()
	t.Cleanup(func() {
		stop()
		<-done
	})
	return reports
}

// listening waits until n connections listen, and returns their backends.
func (s *scene) listening(t *testing.T, n int) (pids []int32) {
	t.Helper()
	storetest.Eventually(t, func() string {
		pids = value[[]int32](t, s.House, `SELECT coalesce(array_agg(pid), '{}') FROM pg_stat_activity
			WHERE datname = current_database() AND query LIKE 'LISTEN%' AND state = 'idle'`)
		if len(pids) != n {
			return fmt.Sprintf("%d connections listen, not %d", len(pids), n)
		}
		return ""
	})
	return pids
}

func TestAnInstanceTellsItsOwnWatchersAtOnce(t *testing.T) {
	t.Parallel()
	s := setup(t)
	w := watch(s.Feed, s.lot.ID)
	s.bid(t, s.ann, "1", auction.TooLow)
	o := s.bid(t, s.ann, "1010", auction.Accepted)
	told := w.all()
	if len(told) != 1 || told[0].Version != 2 || !told[0].LedBy(s.ann.ID) || told[0] != o.Auction.State() {
		t.Errorf("told %+v", told)
	}
}

// One instance has no poll and the other tells by notices only.
func TestANoticeReachesAnotherInstance(t *testing.T) {
	t.Parallel()
	s := setup(t)
	unwatched := s.Lot(s.seller, time.Hour)
	far := s.Instance()
	w := watch(far.Feed, s.lot.ID)
	run(t, far.Feed.Listen)
	run(t, s.Feed.Notify)
	s.listening(t, 1)

	for i := range 3 {
		o := s.bid(t, s.ann, fmt.Sprint(1010+10*i), auction.Accepted)
		s.place(t, s.Offer(unwatched, s.ann, fmt.Sprint(1010+10*i)), auction.Accepted)
		w.knows(t, s.lot.ID, o.Auction.Version)
	}
	told := w.all()
	last := told[len(told)-1]
	if !last.LedBy(s.ann.ID) || s.Currency.Text(last.CurrentPrice) != "1030.00" || s.Currency.Text(last.MinimumBid) != "1040.00" ||
		last.BidCount != 3 || last.Status != auction.Open || !last.EndTime.Equal(s.lot.EndTime) || last.Now.IsZero() {
		t.Errorf("told %+v", last)
	}
	versions := map[int64]int{}
	for _, state := range told {
		if versions[state.Version]++; state.AuctionID != s.lot.ID || versions[state.Version] > 1 {
			t.Errorf("read without need: %+v", state)
		}
	}
}

// The same without notices: what they lost is found by the poll.
func TestAPollFindsWhatNoticesLost(t *testing.T) {
	t.Parallel()
	s := setup(t)
	second, unwatched := s.Lot(s.seller, time.Hour), s.Lot(s.seller, time.Hour)
	far := s.Instance()
	w := watch(far.Feed, s.lot.ID, second.ID)
	run(t, far.Feed.Poll)
	w.knows(t, second.ID, 1)
	s.bid(t, s.ann, "1010", auction.Accepted)
	s.place(t, s.Offer(unwatched, s.ann, "1010"), auction.Accepted)
	w.knows(t, s.lot.ID, 2)
	s.place(t, s.Offer(second, s.ann, "1010"), auction.Accepted)
	w.knows(t, second.ID, 2)
	told := map[[2]int64]int{}
	for _, state := range w.all() {
		told[[2]int64{state.AuctionID, state.Version}]++
	}
	want := map[[2]int64]int{{s.lot.ID, 1}: 1, {s.lot.ID, 2}: 1, {second.ID, 1}: 1, {second.ID, 2}: 1}
	if !maps.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
}

func TestAnInstanceWhoseListeningConnectionDiesHearsAgain(t *testing.T) {
	t.Parallel()
	s := setup(t)
	far := s.Instance()
	w := watch(far.Feed, s.lot.ID)
	reports := run(t, far.Feed.Listen)
	run(t, s.Feed.Notify)
	for i := range 2 {
		killed := s.listening(t, 1)
		s.Exec(`SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) pid`, killed)
		if err := receive(t, reports); err == nil || !strings.Contains(err.Error(), "listen to other instances") {
			t.Errorf("reported %v", err)
		}
		storetest.Eventually(t, func() string {
			if pids := s.listening(t, 1); pids[0] == killed[0] {
				return "the dead still listens"
			}
			return ""
		})
		o := s.bid(t, s.ann, fmt.Sprint(1010+10*i), auction.Accepted)
		w.knows(t, s.lot.ID, o.Auction.Version)
	}
}

// With the listening connection dead at the moment of the change, the poll
// brings it.
func TestAChangeWhileNobodyListensIsNotLost(t *testing.T) {
	t.Parallel()
	s := setup(t)
	far := s.Instance()
	w := watch(far.Feed, s.lot.ID)
	run(t, far.Feed.Listen)
	run(t, far.Feed.Poll)
	run(t, s.Feed.Notify)
	s.Exec(`SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) pid`, s.listening(t, 1))
	o := s.bid(t, s.ann, "1010", auction.Accepted)
	w.knows(t, s.lot.ID, o.Auction.Version)
}

// Closings of more lots than fit into one notice reach the other instance.
func TestACrowdOfChangesGoesOutInChunks(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.Exec(`ALTER TABLE auction ALTER id RESTART WITH 1000000000000000000`) // 19 digits: 1,000 of them are 20,000 bytes
	ids := s.due(t, 1000)
	far := s.Instance()
	w := watch(far.Feed, ids...)
	run(t, far.Feed.Listen)
	reports := run(t, s.Feed.Notify)
	s.listening(t, 1)
	closer := s.NewCloser(func(time.Duration) {})
	for range 2 {
		if n, err := closer.Once(t.Context()); n != 500 || err != nil {
			t.Fatalf("closed %d, %v", n, err)
		}
	}
	storetest.Eventually(t, func() string {
		missing := 0
		for _, id := range ids {
			if w.newest(id) != 2 {
				missing++
			}
		}
		if missing > 0 {
			return fmt.Sprintf("%d closings did not come", missing)
		}
		return ""
	})
	for _, state := range w.all() {
		if state.Status != auction.Closed {
			t.Fatalf("%+v", state)
		}
	}
	select {
	case err := <-reports:
		t.Error(err)
	default:
	}
}

func TestNoticesAreShorterThanPostgresTakes(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 2, 394, 395, 396, 5000} {
		var ids []int64
		for i := range n {
			ids = append(ids, 1<<62+int64(i))
		}
		var back []int64
		for _, notice := range store.Notices(ids) {
			if len(notice) >= 8000 || notice == "" {
				t.Errorf("%d ids: a notice of %d bytes", n, len(notice))
			}
			for id := range store.Heard(notice) {
				back = append(back, id)
			}
		}
		slices.Sort(back)
		if !slices.Equal(back, ids) {
			t.Errorf("of %d ids %d came back", n, len(back))
		}
	}
	if heard := store.Heard("12 x  7 99999999999999999999 -3"); len(heard) != 3 || !heard[12] || !heard[7] {
		t.Errorf("heard %v", heard)
	}
}

// B12: what one instance acknowledged, no later answer of another is behind.
func TestNoAnswerIsOlderThanWhatWasAcknowledgedElsewhere(t *testing.T) {
	t.Parallel()
	s := setup(t)
	instances := []*store.Store{s.Store, s.Instance(), s.Instance()}
	cat := s.Person(false)
	s.suspend(t, cat, true)
	offer := s.Offer(s.lot, s.ann, "1010")
	s.place(t, offer, auction.Accepted)
	for i := range 15 {
		acknowledged, err := instances[i%3].PlaceBid(t.Context(), s.Offer(s.lot, s.ben, fmt.Sprint(1020+10*i)))
		if err != nil || acknowledged.Verdict != auction.Accepted {
			t.Fatalf("%q, %v", acknowledged.Verdict, err)
		}
		for want, o := range map[auction.Verdict]auction.Offer{
			auction.TooLow: s.Offer(s.lot, s.ann, "1010"), auction.Replayed: offer,
			auction.Suspended: s.Offer(s.lot, cat, "9000"), auction.OwnAuction: s.Offer(s.lot, s.seller, "9000"),
		} {
			answer, err := instances[(i+1)%3].PlaceBid(t.Context(), o)
			if err != nil || answer.Verdict != want || answer.Auction.Version != acknowledged.Auction.Version ||
				answer.Auction.MinimumBid().Cmp(acknowledged.Auction.MinimumBid()) != 0 {
				t.Fatalf("acknowledged version %d, then %q with version %d, %v", acknowledged.Auction.Version, answer.Verdict, answer.Auction.Version, err)
			}
		}
	}
}

func TestTheStatesOfAuctionsAreRead(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.bid(t, s.ann, "1010", auction.Accepted)
	other := s.Lot(s.seller, time.Hour)
	states, err := s.States(t.Context(), []int64{other.ID, s.lot.ID, 1 << 40})
	ok(t, err)
	slices.SortFunc(states, func(a, b auction.State) int { return int(a.AuctionID - b.AuctionID) })
	if len(states) != 2 || states[0].Version != 2 || states[0].AuctionID != s.lot.ID || states[1].Version != 1 || states[1].LeaderID != nil {
		t.Errorf("%+v", states)
	}
}
