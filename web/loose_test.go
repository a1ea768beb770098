package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// running is a handler whose streams are written by write.
func running(t *testing.T, write func(context.Context, *Stream)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s, err := OpenStream(w, r)
		if err != nil {
			t.Error(err)
			return
		}
		s.Run(r, func(ctx context.Context) { write(ctx, s) })
	}
}

func TestAStreamEndsWholeWhenItsWriterDoes(t *testing.T) {
	for name, http2 := range map[string]bool{"http1": false, "http2": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := running(t, func(_ context.Context, s *Stream) { _ = s.Write(Chunk(Event("closed", "", nil))) })
				serving(t, h, func() {}, func(network *pipes, stop func()) {
					client := network.client(http2)
					for range 3 {
						answer, err := client.Get("http://house.example/")
						if err != nil {
							t.Fatal(err)
						}
						body, err := io.ReadAll(answer.Body)
						if string(body) != "event: closed\ndata: \n\n" || err != nil {
							t.Errorf("got %q, %v", body, err)
						}
					}
					client.CloseIdleConnections()
					stop()
				})
			})
		})
	}
}

func TestAStreamThatDoesNotEndIsCutOffInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan struct{})
		h := running(t, func(ctx context.Context, _ *Stream) { <-ctx.Done(); close(ended) }) // nobody ends it
		took := serving(t, h, func() {}, func(network *pipes, stop func()) {
			answer, err := network.client(false).Get("http://house.example/")
			if err != nil {
				t.Fatal(err)
			}
			stop()
			if _, err := io.ReadAll(answer.Body); err == nil {
				t.Error("it ended as if it were whole")
			}
			<-ended
		})
		if took > grace {
			t.Errorf("the stop took %v", took)
		}
	})
}

func TestAStreamsContextEndsWithItsVisitorAndAtItsDeadline(t *testing.T) {
	for name, test := range map[string]struct {
		leaves bool
		want   error
	}{"the visitor": {true, context.Canceled}, "the deadline": {false, context.DeadlineExceeded}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ended := make(chan error, 1)
				h := running(t, func(ctx context.Context, _ *Stream) { <-ctx.Done(); ended <- ctx.Err() })
				within := func(w http.ResponseWriter, r *http.Request) {
					ctx, cancel := context.WithTimeout(r.Context(), time.Minute)
					defer cancel() // long before the stream's end
					h(w, r.WithContext(ctx))
				}
				serving(t, within, func() {}, func(network *pipes, stop func()) {
					answer, err := network.client(false).Get("http://house.example/")
					if err != nil {
						t.Fatal(err)
					}
					synctest.Wait() // until it runs
					if test.leaves {
						answer.Body.Close()
					}
					if err := <-ended; !errors.Is(err, test.want) {
						t.Errorf("ended with %v", err)
					}
					answer.Body.Close()
					stop()
				})
			})
		})
	}
}

func TestAPanicInAStreamEndsThatStreamAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := running(t, func(context.Context, *Stream) { panic("the encoder") })
		serving(t, h, func() {}, func(network *pipes, stop func()) {
			for range 2 {
				answer, err := network.client(false).Get("http://house.example/")
				if err != nil {
					t.Fatal(err)
				}
				if _, err := io.ReadAll(answer.Body); err == nil {
					t.Error("the stream ended as if it were whole")
				}
			}
			stop()
		})
	})
}
