package web

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

const pace = 150 * time.Millisecond

// viewer is a stream that notes what it was sent, and when, as "key/version@milliseconds" since it came.
type viewer struct {
	sub   *Subscription[string]
	slow  time.Duration // how long each send takes
	log   []string
	begun bool // a frame that was offered
	end   error
	done  chan struct{}
}

// watch lets a viewer follow the keys; inside a synctest bubble only. What is offered to one that is not
// slow is sent, now and then only begun, now and then refused: it must not matter.
func watch(ctx context.Context, h *Hub[string], first []*Frame[string], slow time.Duration, keys ...int64) *viewer {
	v := &viewer{sub: h.Subscribe("", keys...), slow: slow, done: make(chan struct{})}
	came := time.Now()
	note := func(what string) {
		if v.begun {
			what += " in the middle"
		}
		v.log = append(v.log, fmt.Sprintf("%s@%d", what, time.Since(came).Milliseconds()))
	}
	send := func(f *Frame[string]) error {
		note(fmt.Sprintf("%d/%d", f.Key, f.Version))
		time.Sleep(v.slow)
		return nil
	}
	offer := func(f *Frame[string]) Offered {
		offered := Offered(rand.IntN(3))
		if v.slow > 0 {
			offered = Refused
		}
		if offered != Refused {
			note(fmt.Sprintf("%d/%d", f.Key, f.Version))
		}
		v.begun = offered == Begun
		return offered
	}
	rest := func() error {
		if !v.begun {
			note("rest of nothing")
		}
		v.begun = false
		return nil
	}
	go func() {
		defer close(v.done)
		defer v.sub.Close()
		v.end = v.sub.Follow(ctx, first, 15*time.Second,
			Sink[string]{Send: send, Beat: func() error { note("beat"); return nil }, Offer: offer, Rest: rest})
	}()
	return v
}

// Viewers who came at different moments see the same few frames: else each of them would have one drawn.
func TestARushIsFewFramesForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := NewHub[string](pace)
		ctx, cancel := context.WithCancel(t.Context())
		var viewers []*viewer
		frames := map[string]bool{}
		for version := range int64(3000) { // a change each millisecond
			if version%30 == 0 {
				viewers = append(viewers, watch(ctx, h, nil, 0, 1))
			}
			h.Publish(1, version+1, "")
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Second)
		cancel()
		for _, v := range viewers {
			<-v.done
			for _, line := range v.log {
				frame, _, _ := strings.Cut(line, "@")
				frames[frame] = true
			}
		}
		if want := 1 + 3000/150; len(frames) > want+1 {
			t.Errorf("%d frames in three seconds, want %d", len(frames), want)
		}
	})
}

// Whatever comes when: versions rise, no interval is under the pace, the last state arrives.
func TestEveryStreamKeepsTheRulesInARush(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			h := NewHub[string](pace)
			ctx, cancel := context.WithCancel(t.Context())
			var viewers []*viewer
			version := int64(0)
			for range 400 {
				switch random.IntN(8) {
				case 0:
					first := []*Frame[string]{NewFrame(1, version, "")}
					if version == 0 {
						first = nil
					}
					viewers = append(viewers, watch(ctx, h, first, time.Duration(random.IntN(3)*random.IntN(300))*time.Millisecond, 1))
				case 1:
					h.Publish(1, max(0, version-random.Int64N(3)), "")
				default:
					version++
					h.Publish(1, version, "")
				}
				time.Sleep(time.Duration(random.IntN(200)*random.IntN(2)) * time.Millisecond)
			}
			version++
			h.Publish(1, version, "")
			time.Sleep(2 * time.Second)
			cancel()
			for i, v := range viewers {
				<-v.done
				v.check(t, fmt.Sprintf("seed %d, viewer %d", seed, i), version)
			}
			if s := h.Stats(); s.Streams != 0 || s.Keys != 0 {
				t.Errorf("afterwards: %+v", s)
			}
		})
	}
}

func (v *viewer) check(t *testing.T, who string, last int64) {
	t.Helper()
	var before, beforeAt int64 = 0, -1 << 40
	for _, line := range v.log {
		var key, version, at int64
		if _, err := fmt.Sscanf(line, "%d/%d@%d", &key, &version, &at); err != nil {
			t.Fatalf("%s: %v", who, err)
		}
		if version <= before {
			t.Errorf("%s: version %d after %d", who, version, before)
		}
		if gap := at - beforeAt; gap < (pace + v.slow).Milliseconds() {
			t.Errorf("%s: %d ms between %d and %d, reading takes %v", who, gap, before, version, v.slow)
		}
		before, beforeAt = version, at
	}
	if v.begun {
		t.Errorf("%s: the last frame was not finished", who)
	}
	if before != last {
		t.Errorf("%s: ends with %d, want %d: %v", who, before, last, v.log)
	}
}

func TestManyStreamsShareOneFrameAndSeeTheLastState(t *testing.T) {
	h := NewHub[int64](time.Millisecond)
	var mu sync.Mutex
	frames := map[int64]*Frame[int64]{}
	encoded := map[int64]int{}
	const last = 500
	var wg sync.WaitGroup
	for range 1000 {
		sub := h.Subscribe("", 1)
		wg.Go(func() {
			defer sub.Close()
			seen := errors.New("seen")
			err := sub.Follow(t.Context(), nil, time.Hour, Sink[int64]{Send: func(f *Frame[int64]) error {
				_, err := f.Bytes("html", func(v int64) ([]byte, error) {
					mu.Lock()
					defer mu.Unlock()
					encoded[v]++
					return nil, nil
				})
				mu.Lock()
				defer mu.Unlock()
				if known := frames[f.Version]; known != nil && known != f {
					t.Error("two frames of one version")
				}
				frames[f.Version] = f
				if f.Value == last {
					return seen
				}
				return err
			}})
			if err != seen {
				t.Errorf("ended with %v", err)
			}
		})
	}
	for _, version := range rand.Perm(last) {
		go h.Publish(1, int64(version)+1, int64(version)+1)
	}
	wg.Wait()
	for version, n := range encoded {
		if n != 1 {
			t.Errorf("version %d was encoded %d times", version, n)
		}
	}
	if s := h.Stats(); s.Streams != 0 || s.Keys != 0 {
		t.Errorf("afterwards: %+v", s)
	}
}

func TestAKeyGoesWithItsLastSubscriber(t *testing.T) {
	h := NewHub[string](pace)
	a, b := h.Subscribe("", 1, 2), h.Subscribe("", 2, 3)
	keys := func() (keys []int64) {
		for key := range h.Watched() {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		return keys
	}
	for _, step := range []struct {
		close   func()
		streams int
		want    []int64
	}{
		{func() {}, 2, []int64{1, 2, 3}}, {a.Close, 1, []int64{2, 3}}, {a.Close, 1, []int64{2, 3}}, {b.Close, 0, nil},
	} {
		step.close()
		if got := keys(); !slices.Equal(got, step.want) {
			t.Errorf("keys %v, want %v", got, step.want)
		}
		if s := h.Stats(); s.Streams != step.streams || s.Keys != len(step.want) {
			t.Errorf("%+v, want %d streams, %d keys", s, step.streams, len(step.want))
		}
	}
}

func TestAKeyThatNobodyWatchesCostsNothing(t *testing.T) {
	h := NewHub[string](pace)
	h.Subscribe("", 1).Close()
	version := int64(0)
	if n := testing.AllocsPerRun(100, func() { version++; h.Publish(1, version, "") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if got := h.Watched(); len(got) != 0 {
		t.Errorf("watched: %v", got)
	}
}

// What is measured is the whole way of one frame to all streams of its key.
func BenchmarkFanOut(b *testing.B) {
	for _, streams := range []int{1, 100, 10_000} {
		b.Run(fmt.Sprint(streams, " streams"), func(b *testing.B) {
			h := NewHub[int](time.Nanosecond)
			var came, ended sync.WaitGroup
			for range streams {
				s := h.Subscribe("", 1)
				ended.Go(func() {
					ctx, cancel := context.WithCancel(context.Background())
					defer cancel()
					_ = s.Follow(ctx, nil, time.Minute, Sink[int]{
						Send:  func(*Frame[int]) error { came.Done(); return nil },
						Offer: func(*Frame[int]) Offered { came.Done(); return Sent },
					})
				})
			}
			version := int64(0)
			for b.Loop() {
				version++
				came.Add(streams)
				h.Publish(1, version, 0)
				came.Wait()
			}
			h.Close()
			ended.Wait()
		})
	}
}
