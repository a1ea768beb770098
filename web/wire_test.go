package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"
)

// crowd is a server whose streams follow key 1 of a hub, on real connections.
type crowd struct {
	t    *testing.T
	hub  *Hub[string]
	base string
}

func newCrowd(t *testing.T) *crowd {
	c := &crowd{t: t, hub: NewHub[string](time.Millisecond)}
	c.base = start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sub := c.hub.Subscribe("", 1)
		s, err := OpenStream(w, r)
		if err != nil {
			t.Error(err)
			return
		}
		chunk := func(f *Frame[string]) []byte {
			data, _ := f.Bytes("", func(text string) ([]byte, error) {
				return Chunk(Event("", fmt.Sprint(f.Version), []byte(text))), nil
			})
			return data
		}
		s.Run(r, func(ctx context.Context) {
			defer sub.Close()
			_ = sub.Follow(ctx, nil, 15*time.Second, Sink[string]{
				Send:  func(f *Frame[string]) error { return s.Write(chunk(f)) },
				Beat:  s.Beat,
				Offer: func(f *Frame[string]) Offered { return s.Offer(chunk(f)) },
				Rest:  s.Rest,
			})
		})
	}))
	t.Cleanup(c.hub.Close) // before the server's stop, which waits for streams
	return c
}

// dial asks for a stream and reads nothing.
func (c *crowd) dial(proto string) net.Conn {
	c.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.base, "http://"))
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { conn.Close() })
	fmt.Fprintf(conn, "GET / %s\r\nHost: house.example\r\n\r\n", proto)
	return conn
}

// reader reads a stream's versions; what is no whole event with the text of its version ends the test.
func (c *crowd) reader(conn net.Conn) <-chan int64 {
	versions := make(chan int64, 1000)
	go func() {
		defer close(versions)
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			return
		}
		for event := range events(answer.Body) {
			var version int64
			_, _ = fmt.Sscanf(event, "id: %d", &version)
			if event+"\n\n" != string(Event("", fmt.Sprint(version), []byte(text(version)))) {
				c.t.Errorf("no whole event: %.60q, %d bytes", event, len(event))
			}
			versions <- version
		}
	}()
	return versions
}

// text is a frame of 300 kB, in lines.
func text(version int64) string { return strings.Repeat(fmt.Sprintf("%099d\n", version), 3000) }

func (c *crowd) publish(version int64) { c.hub.Publish(1, version, text(version)) }

// until waits for a condition.
func (c *crowd) until(what string, holds func() bool) {
	c.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			c.t.Fatalf("waited in vain: %s", what)
		}
	}
}

func (c *crowd) next(versions <-chan int64, want int64) {
	c.t.Helper()
	select {
	case got := <-versions:
		if got != want {
			c.t.Fatalf("got version %d, want %d", got, want)
		}
	case <-time.After(patience - 2*time.Second): // else it could have waited until somebody was cut off
		c.t.Fatalf("version %d did not come", want)
	}
}

func TestWhoNeverReadsDelaysNobodyAndLeavesNothing(t *testing.T) {
	c := newCrowd(t)
	var quick []<-chan int64
	for range 3 {
		quick = append(quick, c.reader(c.dial("HTTP/1.1")))
	}
	c.until("the readers are there", func() bool { return c.hub.Stats().Streams == 3 })
	version := int64(0)
	round := func() {
		version++
		c.publish(version)
		for _, versions := range quick {
			c.next(versions, version) // each of them, each version: none may be left out
		}
	}
	round()
	base := runtime.NumGoroutine()
	var stalled []net.Conn
	for range 3 {
		conn := c.dial("HTTP/1.1")
		if err := conn.(*net.TCPConn).SetReadBuffer(64 << 10); err != nil {
			t.Fatal(err)
		}
		stalled = append(stalled, conn)
	}
	c.until("who never reads is there", func() bool { return c.hub.Stats().Streams == 6 })
	for range 40 {
		round()
	}
	// One that the reader's side of the connection takes, one in the house's side, one that was begun.
	if sent := c.hub.Stats().Frames; sent > 41*3+3*3 {
		t.Errorf("%d frames were sent: the house keeps too much for who never reads", sent)
	}
	for _, conn := range stalled {
		conn.Close()
	}
	c.until("their streams end", func() bool { return c.hub.Stats().Streams == 3 })
	c.until("their goroutines end", func() bool { return runtime.NumGoroutine() <= base })
	round()
}

// A reader who stops and goes on gets whole events, rising, and the last one: also the event in whose
// middle the connection was full.
func TestWhoReadsOnAfterAWhileMissesOnlyWhatIsOld(t *testing.T) {
	c := newCrowd(t)
	conn := c.dial("HTTP/1.1")
	quick := c.reader(c.dial("HTTP/1.1"))
	c.until("both are there", func() bool { return c.hub.Stats().Streams == 2 })
	const last = 40
	for version := range int64(last) {
		c.publish(version + 1)
		c.next(quick, version+1)
	}
	var before int64
	seen := 0
	for versions := c.reader(conn); before < last; seen++ {
		select {
		case got := <-versions:
			if got <= before {
				t.Fatalf("version %d after %d", got, before)
			}
			before = got
		case <-time.After(30 * time.Second):
			t.Fatalf("nothing came after %d", before)
		}
	}
	if seen == last {
		t.Error("nothing was left out: the connection was never full")
	}
}

func TestAStreamOverHTTP10HasNoChunks(t *testing.T) {
	c := newCrowd(t)
	conn := c.dial("HTTP/1.0")
	c.until("the reader is there", func() bool { return c.hub.Stats().Streams == 1 })
	versions := c.reader(conn)
	for version := range int64(3) {
		c.publish(version + 1)
		c.next(versions, version+1)
	}
}

// What a stream was cut in the middle of is not taken for whole, nor what follows on the connection.
func TestAStreamThatEndsInTheMiddleOfAnEventIsCut(t *testing.T) {
	base := start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s, err := OpenStream(w, r)
		if err != nil {
			t.Error(err)
			return
		}
		s.Run(r, func(context.Context) {
			chunk := Chunk(Event("", "1", []byte(text(1))))
			for s.Offer(chunk) == Sent {
			}
		})
	}))
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		r, _ := http.NewRequestWithContext(ctx, "GET", base, nil)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, answer.Body); err == nil || ctx.Err() != nil {
			t.Errorf("the answer ended with %v", err)
		}
		answer.Body.Close()
		cancel()
	}
}
