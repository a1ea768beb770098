// Package audience is a crowd that watches one lot: thousands of event streams
// read by one goroutine, since what reading costs is taken from the house on
// the same machine.
//
// It imports nothing of ours.
package audience

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"sync"
	"time"
)

// Options say who watches what.
type Options struct {
	URL     string // of the house
	Path    string // of the stream
	Streams int    // all of them
	Stalled int    // how many of those never read
	HTML    bool   // they ask as a page does
}

// Audience is a crowd that watches. Its streams are open when Open returns.
type Audience struct {
	streams []stream
	poll    int // the epoll that tells whose stream has something
	stop    chan struct{}
	done    chan struct{}

	mu   sync.Mutex
	seen Seen
}

// stream is one that is read.
type stream struct {
	fd      int
	rest    []byte // of a frame that came by halves; the next read goes on
	version int64  // of the last frame
}

// Seen is what the crowd saw since it was last asked.
type Seen struct {
	Ages    []time.Duration // of each frame when it was read, by the time in it
	Frames  []int           // of each stream that reads
	Bytes   int64
	Dropped int // streams that ended
	Again   int // frames whose version was not above the one before
	Broken  int // events that are none
}

// patience is how long the house may take to open a stream.
const patience = 30 * time.Second

// Open opens the streams, some at a time.
func Open(o Options) (*Audience, error) {
	u, err := url.Parse(o.URL)
	if err != nil {
		return nil, err
	}
	to, err := net.ResolveTCPAddr("tcp", u.Host)
	if err != nil {
		return nil, err
	}
	accept := "text/event-stream"
	if o.HTML {
		accept = "text/html, text/event-stream"
	}
	ask := fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\nAccept: %s\r\n\r\n", o.Path, u.Host, accept)
	poll, err := newPoll()
	if err != nil {
		return nil, err
	}
	a := &Audience{streams: make([]stream, o.Streams), poll: poll, stop: make(chan struct{}), done: make(chan struct{})}
	for i := range a.streams {
		a.streams[i].fd = -1
	}
	if err := a.open(to, ask, o.Stalled); err != nil {
		a.closeAll()
		return nil, err
	}
	a.streams = append(a.streams[o.Stalled:], a.streams[:o.Stalled]...) // those who read come first
	for i := range a.streams[:o.Streams-o.Stalled] {
		if err := watch(poll, a.streams[i].fd, i); err != nil {
			a.closeAll()
			return nil, err
		}
	}
	a.seen.Frames = make([]int, o.Streams-o.Stalled)
	go a.read()
	return a, nil
}

// open opens all streams; the first ones stall.
func (a *Audience) open(to *net.TCPAddr, ask string, stalled int) error {
	var wait sync.WaitGroup
	errs := make([]error, 64)
	for door := range errs {
		wait.Go(func() {
			for i := door; i < len(a.streams) && errs[door] == nil; i += len(errs) {
				a.streams[i].fd, errs[door] = dial(to, i, ask, i < stalled)
			}
		})
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("open %d streams (each is an open file of bench and of the house; see ulimit -Hn): %w", len(a.streams), errs[firstOf(errs)])
	}
	return nil
}

func firstOf(errs []error) int {
	for i, err := range errs {
		if err != nil {
			return i
		}
	}
	return 0
}

// read reads whatever comes until Close.
func (a *Audience) read() {
	defer close(a.done)
	buffer := make([]byte, 256<<10)
	ready := make([]int, 0, 1024)
	var clock clock
	for {
		select {
		case <-a.stop:
			return
		default:
		}
		ready = wait(a.poll, ready[:0], 50*time.Millisecond)
		a.mu.Lock()
		for _, i := range ready {
			a.hear(i, buffer, &clock)
		}
		a.mu.Unlock()
	}
}

// hear reads what a stream has: mostly one frame, whole, in its chunk.
func (a *Audience) hear(i int, buffer []byte, clock *clock) {
	s := &a.streams[i]
	n, ended := receive(s.fd, buffer)
	if ended {
		forget(a.poll, s.fd)
		a.seen.Dropped++
	}
	if n <= 0 {
		return
	}
	now := time.Now()
	a.seen.Bytes += int64(n)
	text := buffer[:n]
	if len(s.rest) > 0 {
		s.rest = append(s.rest, text...)
		text = s.rest
	}
	if !bytes.HasSuffix(text, []byte("\n\n\r\n")) && !bytes.HasSuffix(text, []byte("0\r\n\r\n")) {
		s.rest = append(s.rest[:0], text...)
		return
	}
	for len(text) > 0 {
		var event []byte
		event, text, _ = bytes.Cut(text, []byte("\n\n"))
		if _, after, found := bytes.Cut(event, []byte("id: ")); found {
			a.frame(i, after, now, clock)
		}
	}
	s.rest = s.rest[:0]
}

// frame notes a frame, which begins at its id.
func (a *Audience) frame(i int, text []byte, now time.Time, clock *clock) {
	s := &a.streams[i]
	id, data, _ := bytes.Cut(text, []byte("\n"))
	version, err := strconv.ParseInt(string(id), 10, 64)
	made, known := clock.read(data)
	if err != nil || !known {
		a.seen.Broken++
		return
	}
	if version <= s.version {
		a.seen.Again++
	}
	s.version = version
	a.seen.Frames[i]++
	a.seen.Ages = append(a.seen.Ages, now.Sub(made))
}

// clock reads the server's time in a frame. Thousands carry the same one.
type clock struct {
	text string
	time time.Time
}

func (c *clock) read(data []byte) (time.Time, bool) {
	_, text, found := bytes.Cut(data, []byte(`"serverTime":"`))
	if !found {
		_, text, found = bytes.Cut(data, []byte(`data-now="`))
	}
	text, _, whole := bytes.Cut(text, []byte(`"`))
	if !found || !whole {
		return time.Time{}, false
	}
	if string(text) != c.text {
		at, err := time.Parse(time.RFC3339Nano, string(text))
		if err != nil {
			return time.Time{}, false
		}
		c.text, c.time = string(text), at
	}
	return c.time, true
}

// Take tells what was seen since the last time.
func (a *Audience) Take() Seen {
	a.mu.Lock()
	defer a.mu.Unlock()
	seen := a.seen
	a.seen = Seen{Frames: make([]int, len(seen.Frames)), Ages: make([]time.Duration, 0, len(seen.Ages)), Dropped: seen.Dropped}
	return seen
}

// Close ends the streams.
func (a *Audience) Close() {
	close(a.stop)
	<-a.done
	a.closeAll()
}

func (a *Audience) closeAll() {
	for _, s := range a.streams {
		if s.fd >= 0 {
			closeFile(s.fd)
		}
	}
	closeFile(a.poll)
}
