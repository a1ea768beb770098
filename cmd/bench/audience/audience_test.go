package audience

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"
)

const head200 = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

// doorman is a house whose answer is head, and then what is said.
type doorman struct {
	t     *testing.T
	url   string
	conns chan net.Conn
}

func newDoorman(t *testing.T, head string) *doorman {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	d := &doorman{t: t, url: "http://" + listener.Addr().String(), conns: make(chan net.Conn, 100)}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { conn.Close() })
			fmt.Fprint(conn, head)
			d.conns <- conn
		}
	}()
	return d
}

// frame is a chunk with one frame.
func frame(version int, made time.Time) string {
	event := fmt.Sprintf("event: price\nid: %d\ndata: {\"version\":%d,\"serverTime\":\"%s\"}\n\n", version, version, made.Format(time.RFC3339Nano))
	return fmt.Sprintf("%x\r\n%s\r\n", len(event), event)
}

// until waits until what the crowd saw, all in all, holds.
func until(t *testing.T, a *Audience, all *Seen, holds func(Seen) bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !holds(*all); time.Sleep(time.Millisecond) {
		seen := a.Take()
		all.Ages = append(all.Ages, seen.Ages...)
		all.Frames = append(all.Frames, make([]int, len(seen.Frames)-len(all.Frames))...)
		for i, n := range seen.Frames {
			all.Frames[i] += n
		}
		all.Bytes, all.Again, all.Broken, all.Dropped = all.Bytes+seen.Bytes, all.Again+seen.Again, all.Broken+seen.Broken, seen.Dropped
		if time.Now().After(deadline) {
			t.Fatalf("it saw only %+v", *all)
		}
	}
}

func TestFramesAreCountedWholeHoweverTheyCome(t *testing.T) {
	t.Parallel()
	d := newDoorman(t, head200)
	a, err := Open(Options{URL: d.url, Path: "/auctions/1/events", Streams: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	conn := <-d.conns
	var seen Seen
	said := int64(0)
	made := time.Now().Add(-time.Second)
	halves := frame(2, made)
	for _, part := range []string{
		frame(1, made), halves[:60], halves[60:], frame(3, made) + frame(4, made), "8\r\n: beat\n\n\r\n",
		frame(4, made), // again
		"9\r\nid: 5\n\n\r\n",
	} {
		fmt.Fprint(conn, part)
		said += int64(len(part))
		until(t, a, &seen, func(s Seen) bool { return s.Bytes == said }) // each part comes by itself
	}
	conn.Close()
	until(t, a, &seen, func(s Seen) bool { return s.Dropped == 1 })
	if len(seen.Ages) != 5 || seen.Frames[0] != 5 || seen.Again != 1 || seen.Broken != 1 {
		t.Errorf("%+v", seen)
	}
	for _, age := range seen.Ages {
		if age < time.Second {
			t.Errorf("an age of %v for a frame that was a second old", age)
		}
	}
}

func TestOnlyThoseWhoReadAreCounted(t *testing.T) {
	t.Parallel()
	d := newDoorman(t, head200)
	a, err := Open(Options{URL: d.url, Path: "/auctions/1/events", Streams: 5, Stalled: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for range 5 {
		fmt.Fprint(<-d.conns, frame(1, time.Now()))
	}
	var seen Seen
	until(t, a, &seen, func(s Seen) bool { return len(s.Ages) >= 3 })
	if fmt.Sprint(seen.Frames) != "[1 1 1]" || seen.Dropped != 0 {
		t.Errorf("%+v", seen)
	}
}

func TestAHouseThatOpensNoStreamIsToldOf(t *testing.T) {
	t.Parallel()
	d := newDoorman(t, "HTTP/1.1 503 Service Unavailable\r\n\r\n")
	if _, err := Open(Options{URL: d.url, Path: "/auctions/1/events", Streams: 3}); err == nil || !strings.Contains(err.Error(), "503 Service Unavailable") {
		t.Errorf("got %v", err)
	}
}
