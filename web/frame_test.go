package web

import (
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestAFrameIsEncodedOnceForEachForm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := NewFrame(7, 3, 42)
		var encoded atomic.Int32
		encode := func(v int) ([]byte, error) {
			encoded.Add(1)
			time.Sleep(time.Second) // all the others come meanwhile
			return []byte(strconv.Itoa(v)), nil
		}
		var wg sync.WaitGroup
		for i := range 200 {
			wg.Go(func() {
				data, err := f.Bytes([]string{"html", "json"}[i%2], encode)
				if string(data) != "42" || err != nil {
					t.Errorf("got %q, %v", data, err)
				}
			})
		}
		wg.Wait()
		if n := encoded.Load(); n != 2 {
			t.Errorf("encoded %d times for 2 forms", n)
		}
	})
}

func TestAFailedEncodingIsTriedAgainByTheNextCaller(t *testing.T) {
	broken := errors.New("broken")
	good := func(int) ([]byte, error) { return []byte("good"), nil }
	for name, bad := range map[string]func(int) ([]byte, error){
		"an error": func(int) ([]byte, error) { return nil, broken },
		"a panic":  func(int) ([]byte, error) { panic("broken") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := NewFrame(1, 1, 0)
				begun := make(chan struct{})
				go func() {
					defer func() { _ = recover() }()
					_, _ = f.Bytes("html", func(v int) ([]byte, error) {
						close(begun)
						time.Sleep(time.Second)
						return bad(v)
					})
				}()
				<-begun
				if _, err := f.Bytes("html", good); err == nil {
					t.Error("who waited for the failure was told nothing of it")
				}
				if data, err := f.Bytes("html", good); string(data) != "good" || err != nil {
					t.Errorf("the next caller got %q, %v", data, err)
				}
			})
		})
	}
}
