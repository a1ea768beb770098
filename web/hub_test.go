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
	sub  *Subscription[string]
	slow time.Duration // how long each send takes
	log  []string
	end  error
	done chan struct{}
}

// watch lets a viewer follow the keys; inside a synctest bubble only.
func watch(ctx context.Context, h *Hub[string], first []*Frame[string], slow time.Duration, keys ...int64) *viewer {
	v := &viewer{sub: h.Subscribe(keys...), slow: slow, done: make(chan struct{})}
	came := time.Now()
	note := func(what string) { v.log = append(v.log, fmt.Sprintf("%s@%d", what, time.Since(came).Milliseconds())) }
	go func() {
		defer close(v.done)
		defer v.sub.Close()
		v.end = v.sub.Follow(ctx, first, 15*time.Second, func(f *Frame[string]) error {
			note(fmt.Sprintf("%d/%d", f.Key, f.Version))
			time.Sleep(v.slow)
			return nil
		}, func() error { note("beat"); return nil })
	}()
	return v
}

func TestAStreamIsSentTheNewestAtItsPace(t *testing.T) {
	type news struct {
		at      int64 // ms after the viewer came
		version int64
	}
	tests := []struct {
		name  string
		first []int64
		slow  time.Duration
		news  []news
		want  string
	}{
		{name: "the present state comes at once", first: []int64{3}, want: "1/3@0"},
		{name: "after a quiet spell news goes out at once",
			first: []int64{1}, news: []news{{1000, 2}, {2000, 3}}, want: "1/1@0 1/2@1000 1/3@2000"},
		{name: "in a rush the newest wins, at the pace",
			first: []int64{1}, news: []news{{1000, 2}, {1010, 3}, {1050, 4}, {1149, 5}, {1200, 6}},
			want: "1/1@0 1/2@1000 1/5@1150 1/6@1300"},
		{name: "news soon after the present state waits", first: []int64{1}, news: []news{{40, 2}}, want: "1/1@0 1/2@150"},
		{name: "news exactly at the pace is sent", news: []news{{0, 1}, {150, 2}, {300, 3}}, want: "1/1@0 1/2@150 1/3@300"},
		{name: "without a present state the first news is it", news: []news{{500, 9}}, want: "1/9@500"},
		{name: "what the present state held is not sent again",
			first: []int64{5}, news: []news{{1000, 4}, {2000, 5}, {3000, 6}}, want: "1/5@0 1/6@3000"},
		{name: "an old version that comes late is dropped",
			first: []int64{1}, news: []news{{1000, 5}, {1300, 4}, {1301, 5}, {1600, 6}}, want: "1/1@0 1/5@1000 1/6@1600"},
		{name: "an old version does not replace one that waits",
			first: []int64{1}, news: []news{{1000, 2}, {1010, 4}, {1020, 3}}, want: "1/1@0 1/2@1000 1/4@1150"},
		{name: "a poll's echo of the present state does not hold up the next change",
			first: []int64{1}, news: []news{{990, 1}, {1000, 2}, {1010, 3}}, want: "1/1@0 1/2@1000 1/3@1150"},
		{name: "of a key twice in the present state one is sent", first: []int64{2, 3}, want: "1/2@0"},
		{name: "a slow reader skips, and its pace counts from when it has read", slow: time.Second,
			first: []int64{1}, news: []news{{100, 2}, {400, 3}, {900, 4}, {1100, 5}, {1900, 6}},
			want: "1/1@0 1/5@1150 1/6@2300"},
		{name: "silence is broken by a beat, counted from the last word",
			first: []int64{1}, news: []news{{20000, 2}, {50001, 3}},
			want: "1/1@0 beat@15000 1/2@20000 beat@35000 beat@50000 1/3@50001"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := NewHub[string](pace)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				var first []*Frame[string]
				for _, version := range test.first {
					first = append(first, NewFrame(1, version, ""))
				}
				came := time.Now()
				v := watch(ctx, h, first, test.slow, 1)
				for _, n := range test.news {
					synctest.Wait()
					time.Sleep(time.Until(came.Add(time.Duration(n.at) * time.Millisecond)))
					h.Publish(1, n.version, "")
				}
				time.Sleep(5 * time.Second)
				cancel()
				<-v.done
				if got := strings.Join(v.log, " "); got != test.want {
					t.Errorf("\n got %s\nwant %s", got, test.want)
				}
				if sent := uint64(strings.Count(test.want, "/")); h.Stats().Frames != sent {
					t.Errorf("%d frames counted, %d sent", h.Stats().Frames, sent)
				}
				if v.end != context.Canceled {
					t.Errorf("ended with %v", v.end)
				}
			})
		})
	}
}

func TestASlowReaderCostsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := NewHub[string](pace)
		ctx, cancel := context.WithCancel(t.Context())
		slow, quick := watch(ctx, h, nil, time.Hour, 1), watch(ctx, h, nil, 0, 1)
		for version := range int64(10) {
			time.Sleep(time.Second)
			h.Publish(1, version+1, "")
		}
		synctest.Wait()
		cancel()
		<-quick.done
		<-slow.done
		if len(quick.log) != 10 || quick.log[9] != "1/10@10000" {
			t.Errorf("the quick one got %v", quick.log)
		}
		if len(slow.log) != 1 {
			t.Errorf("the slow one got %v", slow.log)
		}
	})
}

func TestKeysHaveTheirOwnPaceOnOneStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := NewHub[string](pace)
		ctx, cancel := context.WithCancel(t.Context())
		first := []*Frame[string]{NewFrame(1, 1, ""), NewFrame(2, 1, ""), NewFrame(8, 1, "")}
		v := watch(ctx, h, first, 0, 1, 2, 2, 1)
		other := watch(ctx, h, nil, 0, 3)
		time.Sleep(time.Second)
		for version := range int64(3) {
			h.Publish(1, version+2, "")
			h.Publish(2, version+2, "")
			h.Publish(9, version+2, "")
			synctest.Wait()
		}
		time.Sleep(time.Second)
		if got := h.Watched(); fmt.Sprint(got) != "map[1:4 2:4 3:0]" {
			t.Errorf("watched: %v", got)
		}
		cancel()
		<-v.done
		<-other.done
		want := "1/1@0 2/1@0 8/1@0 1/2@1000 1/4@1150 2/2@1000 2/4@1150"
		slices.Sort(v.log[min(3, len(v.log)):]) // of two keys at one instant either may come first
		if got := strings.Join(v.log, " "); got != want {
			t.Errorf("\n got %s\nwant %s", got, want)
		}
		if len(other.log) != 0 {
			t.Errorf("who watches another key heard %v", other.log)
		}
	})
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
		sub := h.Subscribe(1)
		wg.Go(func() {
			defer sub.Close()
			seen := errors.New("seen")
			err := sub.Follow(t.Context(), nil, time.Hour, func(f *Frame[int64]) error {
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
			}, nil)
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

func TestAStreamEndsForItsReason(t *testing.T) {
	mine := errors.New("mine")
	tests := []struct {
		name  string
		first bool // end before Follow begins
		end   func(h *Hub[string], s *Subscription[string], cancel func())
		send  error
		beat  error
		want  error
	}{
		{name: "the context", end: func(_ *Hub[string], _ *Subscription[string], cancel func()) { cancel() }, want: context.Canceled},
		{name: "the hub", end: func(h *Hub[string], _ *Subscription[string], _ func()) { h.Close(); h.Close() }, want: ErrEnded},
		{name: "the subscription", end: func(_ *Hub[string], s *Subscription[string], _ func()) { s.Close(); s.Close() }, want: ErrEnded},
		{name: "a hub that ended before", first: true, end: func(h *Hub[string], _ *Subscription[string], _ func()) { h.Close() }, want: ErrEnded},
		{name: "a context that ended before", first: true, end: func(_ *Hub[string], _ *Subscription[string], cancel func()) { cancel() }, want: context.Canceled},
		{name: "its send", end: func(h *Hub[string], _ *Subscription[string], _ func()) { h.Publish(1, 2, "") }, send: mine, want: mine},
		{name: "its beat", end: func(*Hub[string], *Subscription[string], func()) { time.Sleep(time.Minute) }, beat: mine, want: mine},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := NewHub[string](pace)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				s := h.Subscribe(1)
				if test.first {
					test.end(h, s, cancel)
				}
				ended := make(chan error, 1)
				sent := 0
				go func() {
					ended <- s.Follow(ctx, []*Frame[string]{NewFrame(1, 1, "")}, 15*time.Second,
						func(f *Frame[string]) error {
							if sent++; f.Version > 1 {
								return test.send
							}
							return nil
						}, func() error { return test.beat })
				}()
				synctest.Wait()
				if !test.first {
					test.end(h, s, cancel)
				}
				if err := <-ended; err != test.want {
					t.Errorf("ended with %v, want %v", err, test.want)
				}
				if test.first && sent > 0 {
					t.Errorf("%d frames on a stream that was over", sent)
				}
				s.Close()
				if s := h.Stats(); s.Streams != 0 || s.Keys != 0 {
					t.Errorf("afterwards: %+v", s)
				}
			})
		})
	}
}

func TestAfterCloseASubscriptionIsOver(t *testing.T) {
	h := NewHub[string](pace)
	h.Close()
	s := h.Subscribe(1)
	defer s.Close()
	h.Publish(1, 1, "")
	err := s.Follow(t.Context(), nil, time.Hour, func(*Frame[string]) error { t.Error("a frame"); return nil }, nil)
	if err != ErrEnded {
		t.Errorf("ended with %v", err)
	}
}

func TestAKeyGoesWithItsLastSubscriber(t *testing.T) {
	h := NewHub[string](pace)
	a, b := h.Subscribe(1, 2), h.Subscribe(2, 3)
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
	h.Subscribe(1).Close()
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
				s := h.Subscribe(1)
				ended.Go(func() {
					ctx, cancel := context.WithCancel(context.Background())
					defer cancel()
					s.Follow(ctx, nil, time.Minute, func(*Frame[int]) error { came.Done(); return nil }, nil)
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
