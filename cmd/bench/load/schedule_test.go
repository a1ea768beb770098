package load

import (
	"context"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestInAnOpenLoopLatencyCountsFromTheDueTimeAlsoWhileTheHouseIsSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSchedule(10, 500*time.Millisecond)
		var dues, latencies []time.Duration
		queued := 0
		s.Work(t.Context(), func(due, free time.Duration) {
			shot := Shot{Due: due, Free: free, Sent: s.Now()}
			time.Sleep(300 * time.Millisecond) // the house
			shot.Return = s.Now()
			dues, latencies = append(dues, shot.Due/time.Millisecond), append(latencies, shot.Latency()/time.Millisecond)
			if shot.Queued() {
				queued++
			}
			if shot.Late() != 0 {
				t.Errorf("bench was late by %s, though only the house was slow", shot.Late())
			}
		})
		if want := []time.Duration{0, 100, 200, 300, 400}; !reflect.DeepEqual(dues, want) {
			t.Errorf("due at %d ms, want %d", dues, want)
		}
		if want := []time.Duration{300, 500, 700, 900, 1100}; !reflect.DeepEqual(latencies, want) {
			t.Errorf("latencies %d ms, want %d", latencies, want)
		}
		if queued != 4 {
			t.Errorf("%d were due while nobody was free, want 4", queued)
		}
	})
}

func TestWorkersShareTheArrivals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSchedule(1000, time.Second)
		var mu sync.Mutex
		seen := map[time.Duration]int{}
		var wait sync.WaitGroup
		for range 50 {
			wait.Go(func() {
				s.Work(t.Context(), func(due, free time.Duration) {
					if s.Now() != due {
						t.Errorf("due at %s, sent at %s", due, s.Now())
					}
					time.Sleep(20 * time.Millisecond)
					mu.Lock()
					defer mu.Unlock()
					seen[due]++
				})
			})
		}
		wait.Wait()
		if len(seen) != 1000 {
			t.Errorf("%d instants, want 1000", len(seen))
		}
		for due, n := range seen {
			if n != 1 {
				t.Errorf("%d requests were due at %s", n, due)
			}
		}
	})
}

func TestWithoutARateTheNextRequestFollowsTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSchedule(0, time.Second)
		n := 0
		s.Work(t.Context(), func(due, free time.Duration) {
			if due != s.Now() || free != due {
				t.Errorf("due at %s, free at %s, now %s", due, free, s.Now())
			}
			n++
			time.Sleep(300 * time.Millisecond)
		})
		if n != 4 {
			t.Errorf("%d requests, want 4", n)
		}
	})
}

func TestWhoeverWaitsLeavesWhenTheContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer cancel()
		s := NewSchedule(1, time.Hour)
		n := 0
		s.Work(ctx, func(due, free time.Duration) { n++ })
		if n != 3 || s.Now() != 2500*time.Millisecond {
			t.Errorf("%d requests until %s, want 3 until 2.5s", n, s.Now())
		}
	})
}
