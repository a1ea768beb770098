package web

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// rider follows key 1 and counts what it is sent; where offering takes long, the bytes of its form do.
func rider(ctx context.Context, h *Hub[string], form string, offering time.Duration) (heard func() []string, done <-chan struct{}) {
	var mu sync.Mutex
	var log []string
	came := time.Now()
	send := func(f *Frame[string]) error {
		mu.Lock()
		defer mu.Unlock()
		log = append(log, fmt.Sprintf("%d@%d", f.Version, time.Since(came).Milliseconds()))
		return nil
	}
	s, ended := h.Subscribe(form, 1), make(chan struct{})
	go func() {
		defer close(ended)
		defer s.Close()
		_ = s.Follow(ctx, nil, 0, Sink[string]{Send: send, Offer: func(f *Frame[string]) Offered {
			time.Sleep(offering)
			_ = send(f)
			return Sent
		}})
	}()
	return func() []string { mu.Lock(); defer mu.Unlock(); return log }, ended
}

func TestACrowdRidesOnSeveralBeltsAndAllOfItHears(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	synctest.Test(t, func(t *testing.T) {
		h := NewHub[string](pace)
		ctx, cancel := context.WithCancel(t.Context())
		var heard []func() []string
		var done []<-chan struct{}
		for range 2*fewest + 500 {
			one, ended := rider(ctx, h, "", 0)
			heard, done = append(heard, one), append(done, ended)
		}
		synctest.Wait()
		h.Publish(1, 1, "")
		h.Publish(1, 2, "") // takes the first one's place or comes after it
		time.Sleep(time.Second)
		if n := len(h.topics[1].belts); n != 3 {
			t.Errorf("%d belts", n)
		}
		for i, one := range heard {
			if log := one(); len(log) == 0 || log[len(log)-1] != "2@0" && log[len(log)-1] != "2@150" {
				t.Fatalf("stream %d heard %v", i, log)
			}
		}
		if got, most := h.Stats().Frames, uint64(2*len(heard)); got > most {
			t.Errorf("%d frames, at most %d", got, most)
		}
		cancel()
		for _, ended := range done {
			<-ended
		}
		if s := h.Stats(); s.Streams != 0 || s.Keys != 0 {
			t.Errorf("afterwards: %+v", s)
		}
	})
}

// Else the time that it takes would be added to the pace.
func TestBytesThatTakeTimeAreMadeBeforeTheyAreDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := NewHub[string](pace)
		ctx, cancel := context.WithCancel(t.Context())
		var sent []int64 // when, in milliseconds
		came := time.Now()
		encode := func(string) ([]byte, error) { time.Sleep(100 * time.Millisecond); return nil, nil }
		send := func(f *Frame[string]) error {
			_, err := f.Bytes("", encode)
			sent = append(sent, time.Since(came).Milliseconds())
			return err
		}
		s, ended := h.Subscribe("", 1), make(chan error, 1)
		go func() {
			ended <- s.Follow(ctx, nil, 0, Sink[string]{
				Send:    send,
				Offer:   func(f *Frame[string]) Offered { _ = send(f); return Sent },
				Prepare: func(f *Frame[string]) { _, _ = f.Bytes("", encode) },
			})
		}()
		for version := range int64(150) {
			synctest.Wait()
			h.Publish(1, version+1, "")
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(time.Second)
		cancel()
		if err := <-ended; err != context.Canceled {
			t.Errorf("ended with %v", err)
		}
		s.Close()
		if got := fmt.Sprint(sent); got != "[100 250 400 550 700 850 1000 1150 1300 1450 1600]" {
			t.Errorf("sent at %s", got)
		}
	})
}

func TestAFormThatTakesLongToMakeDelaysNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := NewHub[string](pace)
		ctx, cancel := context.WithCancel(t.Context())
		slow, slowDone := rider(ctx, h, "lot", 10*time.Second)
		quick, quickDone := rider(ctx, h, "json", 0)
		for version := range int64(5) {
			time.Sleep(time.Second)
			h.Publish(1, version+1, "")
		}
		time.Sleep(time.Minute)
		if got := fmt.Sprint(quick()); got != "[1@1000 2@2000 3@3000 4@4000 5@5000]" {
			t.Errorf("the quick form came as %s", got)
		}
		if got := fmt.Sprint(slow()); got != "[1@11000 5@21150]" {
			t.Errorf("the slow form came as %s", got)
		}
		cancel()
		<-slowDone
		<-quickDone
	})
}
