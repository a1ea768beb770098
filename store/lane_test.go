package store_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"rostrum/store"
	"rostrum/store/auction"
)

// desk answers the offers of a lane once it is let, each with its double. An
// offer of 13 makes the database fail, one of 503 is told that it is out of reach.
type desk struct {
	lane    store.Lane[int, int]
	goAhead chan struct{}

	mu      sync.Mutex
	batches map[int64][][]int // what was asked together, by lot
	answers map[int]string
	wg      sync.WaitGroup
}

var errPoison = errors.New("poison")

func newDesk(queue int) *desk {
	d := &desk{goAhead: make(chan struct{}), batches: map[int64][][]int{}, answers: map[int]string{}}
	d.lane = store.NewLane(queue, func(lotID int64, offers []int) ([]int, error) {
		<-d.goAhead
		d.mu.Lock()
		d.batches[lotID] = append(d.batches[lotID], slices.Clone(offers))
		d.mu.Unlock()
		answers := make([]int, len(offers))
		for i, o := range offers {
			answers[i] = 2 * o
		}
		switch {
		case slices.Contains(offers, 13):
			return nil, errPoison
		case slices.Contains(offers, 99):
			panic("99")
		case slices.Contains(offers, 503):
			return nil, auction.ErrUnavailable
		}
		return answers, nil
	})
	return d
}

// place sends offers one after the other and waits until all are in the lane
// or answered.
func (d *desk) place(lotID int64, offers ...int) {
	for _, o := range offers {
		d.wg.Go(func() {
			answer, err := d.lane.Place(lotID, o)
			d.mu.Lock()
			defer d.mu.Unlock()
			switch {
			case errors.Is(err, auction.ErrUnavailable):
				d.answers[o] = "unavailable"
			case err != nil:
				d.answers[o] = err.Error()
			default:
				d.answers[o] = fmt.Sprint(answer)
			}
		})
		synctest.Wait()
	}
}

// open lets everything through and waits until all is answered.
func (d *desk) open() {
	close(d.goAhead)
	d.wg.Wait()
	synctest.Wait()
}

func (d *desk) expect(t *testing.T, lotID int64, batches string, answers map[int]string) {
	t.Helper()
	if got := fmt.Sprint(d.batches[lotID]); got != batches {
		t.Errorf("lot %d was asked %s, want %s", lotID, got, batches)
	}
	for offer, want := range answers {
		if got := d.answers[offer]; got != want {
			t.Errorf("%d was answered %q, want %q", offer, got, want)
		}
	}
	if offers, lots := d.lane.Load(); offers != 0 || lots != 0 {
		t.Errorf("%d offers on %d lots are left behind", offers, lots)
	}
}

func TestWhatComesWhileABatchIsUnderWayIsTheNextOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(100)
		d.place(7, 1, 2, 3, 4)
		d.goAhead <- struct{}{} // the first leaves alone
		synctest.Wait()
		d.place(7, 5, 6)
		d.open()
		d.place(7, 8)
		d.expect(t, 7, "[[1] [2 3 4] [5 6] [8]]", map[int]string{1: "2", 2: "4", 3: "6", 4: "8", 5: "10", 6: "12", 8: "16"})
	})
}

func TestLotsDoNotWaitForOneAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(100)
		d.place(1, 1, 2)
		d.place(2, 3)
		if offers, lots := d.lane.Load(); offers != 3 || lots != 2 {
			t.Errorf("%d offers wait on %d lots", offers, lots)
		}
		d.goAhead <- struct{}{}
		d.goAhead <- struct{}{} // both lots were asked before either was answered
		d.open()
		d.expect(t, 1, "[[1] [2]]", map[int]string{1: "2", 2: "4"})
		d.expect(t, 2, "[[3]]", map[int]string{3: "6"})
	})
}

func TestAFullLaneRefusesAtOnceAndKeepsRoomForOtherLots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(6)
		d.place(1, 1)          // under way
		d.place(1, 2, 3, 4, 5) // three more, half of the queue, are as many as may gather for one lot
		d.place(2, 6, 7, 8)
		d.mu.Lock()
		if got := fmt.Sprint(d.answers); got != "map[5:unavailable 8:unavailable]" {
			t.Errorf("answered at once: %s", got)
		}
		d.mu.Unlock()
		d.open()
		d.place(1, 9)
		d.expect(t, 1, "[[1] [2 3 4] [9]]", map[int]string{4: "8", 9: "18"})
		d.expect(t, 2, "[[6] [7]]", map[int]string{7: "14"})
	})
}

func TestAnOfferThatMakesTheDatabaseFailFailsAlone(t *testing.T) {
	for _, c := range []struct {
		offers  []int
		batches string
		answers map[int]string
	}{
		{[]int{1, 2, 13, 4, 5}, "[[1] [2 13 4 5] [2 13] [2] [13] [4 5]]", map[int]string{2: "4", 13: "poison", 4: "8", 5: "10"}},
		{[]int{13}, "[[13]]", map[int]string{13: "poison"}},
		{[]int{1, 2, 99, 4}, "[[1] [2 99 4]]", map[int]string{1: "2", 2: "unavailable", 99: "unavailable", 4: "unavailable"}}, // a panic
		{[]int{1, 2, 503, 4}, "[[1] [2 503 4]]", map[int]string{1: "2", 2: "unavailable", 503: "unavailable", 4: "unavailable"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := newDesk(100)
			d.place(1, c.offers...)
			d.open()
			d.expect(t, 1, c.batches, c.answers)
		})
	}
}

// What gathered behind a batch that could not be answered is not kept waiting
// for tries of its own.
func TestWhatIsOutOfReachIsOutOfReachForAllThatWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(100)
		d.place(1, 1, 503)
		d.goAhead <- struct{}{}
		synctest.Wait()
		d.place(1, 2, 3)
		d.place(2, 4)
		d.open()
		d.place(1, 5)
		d.expect(t, 1, "[[1] [503] [5]]", map[int]string{1: "2", 503: "unavailable", 2: "unavailable", 3: "unavailable", 5: "10"})
		d.expect(t, 2, "[[4]]", map[int]string{4: "8"})
	})
}

func TestABatchHasABound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(10_000)
		for i := range 2_501 {
			d.wg.Go(func() { _, _ = d.lane.Place(1, 1000+i) })
		}
		synctest.Wait()
		d.open()
		var sizes []int
		for _, batch := range d.batches[1] {
			sizes = append(sizes, len(batch))
		}
		if got := fmt.Sprint(sizes); got != "[1 1000 1000 500]" {
			t.Errorf("batches of %s", got)
		}
	})
}

func TestAClosingLaneRefusesAndAnswersWhatItHas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(100)
		d.place(1, 1, 2)
		closed := make(chan struct{})
		go func() {
			d.lane.Close()
			close(closed)
		}()
		synctest.Wait()
		d.place(1, 3)
		d.place(2, 4)
		select {
		case <-closed:
			t.Error("it closed while offers waited")
		default:
		}
		d.open()
		<-closed
		d.expect(t, 1, "[[1] [2]]", map[int]string{1: "2", 2: "4", 3: "unavailable", 4: "unavailable"})
	})
}
