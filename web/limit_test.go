package web

import (
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestALimitLetsThroughAndSaysWhen(t *testing.T) {
	for _, test := range []struct {
		n   int
		per time.Duration
	}{{1, time.Second}, {5, time.Second}, {100, time.Second}, {3, 10 * time.Second}, {10, 15 * time.Minute}, {7, 100 * time.Millisecond}} {
		t.Run(fmt.Sprint(test.n, " per ", test.per), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				random := rand.New(rand.NewPCG(1, uint64(test.n)))
				l := NewLimit(test.n, test.per)
				r := httptest.NewRequest("POST", "/", nil)
				refused := 0
				for i := range 300 {
					time.Sleep(time.Duration(random.Int64N(int64(3 * test.per))))
					for range random.IntN(2 * test.n) { // a rush from time to time
						l.Allow(r, "a")
						time.Sleep(time.Duration(random.Int64N(int64(test.per) / int64(test.n))))
					}
					wait, ok := l.Allow(r, "a")
					if ok {
						continue
					}
					refused++
					if wait < time.Second || wait%time.Second != 0 || wait > 2*test.per+time.Second {
						t.Fatalf("round %d: retry after %v", i, wait)
					}
					if _, ok := l.Allow(r, "b"+fmt.Sprint(i)); !ok {
						t.Fatal("another key was refused")
					}
					time.Sleep(wait)
					if again, ok := l.Allow(r, "a"); !ok {
						t.Fatalf("round %d: refused after waiting %v; now %v", i, wait, again)
					}
				}
				if refused == 0 {
					t.Error("nothing was refused")
				}
			})
		})
	}
}

// At that very instant the rate would be exactly one half, which httprate rounds up.
func TestAWaitThatIsExactlyWholeSecondsIsEnough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLimit(1, 10*time.Second)
		r := httptest.NewRequest("POST", "/", nil)
		time.Sleep(time.Until(time.Now().Truncate(10 * time.Second).Add(10 * time.Second)))
		l.Allow(r, "a")
		wait, _ := l.Allow(r, "a")
		time.Sleep(wait)
		if _, ok := l.Allow(r, "a"); !ok || wait != 16*time.Second {
			t.Errorf("after %v: %v", wait, ok)
		}
	})
}

// The wait is not longer than it must be: half a second less, and one would be refused.
func TestAWaitIsNotLongerThanNeeded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := httptest.NewRequest("POST", "/", nil)
		for offset := time.Duration(0); offset < time.Minute; offset += 7 * time.Second {
			l := NewLimit(10, time.Minute)
			time.Sleep(time.Until(time.Now().Truncate(time.Minute).Add(time.Minute + offset)))
			for range 10 {
				l.Allow(r, "a")
			}
			wait, ok := l.Allow(r, "a")
			if ok {
				t.Fatal("an eleventh")
			}
			time.Sleep(wait - time.Second - time.Millisecond)
			if _, ok := l.Allow(r, "a"); ok {
				t.Errorf("at %v into the window: told to wait %v, which is a second too long", offset, wait)
			}
		}
	})
}

func TestOfManyAtOnceTheLimitIsLetThrough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLimit(5, time.Second)
		r := httptest.NewRequest("POST", "/", nil)
		var through atomic.Int32
		var wg sync.WaitGroup
		for range 200 {
			wg.Go(func() {
				if _, ok := l.Allow(r, "a"); ok {
					through.Add(1)
				}
			})
		}
		wg.Wait()
		if through.Load() != 5 {
			t.Errorf("%d of 200 were let through", through.Load())
		}
		for range 50 {
			if _, ok := l.Allow(r, ""); !ok {
				t.Fatal("the key that is not limited was")
			}
		}
	})
}
