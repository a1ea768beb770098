package web

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

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

// A panic on a belt would end the program; the stream's own goroutine has somebody around it.
func TestWhatPanicsWhenOfferedIsSentByTheStreamItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := NewHub[string](pace)
		ctx, cancel := context.WithCancel(t.Context())
		s := h.Subscribe("", 1)
		var sent []int64
		ended := make(chan error, 1)
		go func() {
			ended <- s.Follow(ctx, nil, 0, Sink[string]{
				Send:  func(f *Frame[string]) error { sent = append(sent, f.Version); return nil },
				Offer: func(*Frame[string]) Offered { panic("the encoder") },
			})
		}()
		for version := range int64(3) {
			time.Sleep(time.Second)
			h.Publish(1, version+1, "")
		}
		time.Sleep(time.Second)
		cancel()
		if err := <-ended; err != context.Canceled {
			t.Errorf("ended with %v", err)
		}
		s.Close()
		if !slices.Equal(sent, []int64{1, 2, 3}) {
			t.Errorf("sent: %v", sent)
		}
	})
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
				s := h.Subscribe("", 1)
				if test.first {
					test.end(h, s, cancel)
				}
				ended := make(chan error, 1)
				sent := 0
				go func() {
					ended <- s.Follow(ctx, []*Frame[string]{NewFrame(1, 1, "")}, 15*time.Second, Sink[string]{
						Send: func(f *Frame[string]) error {
							if sent++; f.Version > 1 {
								return test.send
							}
							return nil
						},
						Beat: func() error { return test.beat },
					})
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
	s := h.Subscribe("", 1)
	defer s.Close()
	h.Publish(1, 1, "")
	err := s.Follow(t.Context(), nil, time.Hour, Sink[string]{
		Send: func(*Frame[string]) error { t.Error("a frame"); return nil },
	})
	if err != ErrEnded {
		t.Errorf("ended with %v", err)
	}
}
