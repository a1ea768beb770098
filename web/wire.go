package web

import (
	"bytes"
	"fmt"
	"net"
	"syscall"
	"time"
)

// wire is the connection of an HTTP/1.1 answer whose head net/http wrote and whose body is written here:
// each event is one chunk, in one write of bytes that many streams share.
type wire struct {
	conn   net.Conn
	raw    syscall.RawConn // nil where writing without waiting is unknown
	rest   []byte          // of a chunk that was begun; part of shared bytes
	failed bool

	// What try works on, so that an offer allocates nothing.
	chunk []byte
	n     int
	err   error
	try   func(fd uintptr) bool
}

// backlog is what the system may keep for a reader (it doubles the number for its own needs): by itself it
// would keep megabytes for one who does not read, and they would read them all, old as they are, once they do.
const backlog = 64 << 10

func newWire(conn net.Conn) *wire {
	s := &wire{conn: conn}
	if socket, ok := conn.(interface{ SetWriteBuffer(int) error }); ok {
		_ = socket.SetWriteBuffer(backlog) // a system that refuses has its own way
	}
	if socket, ok := conn.(syscall.Conn); ok {
		s.raw, _ = socket.SyscallConn()
	}
	s.try = func(fd uintptr) bool {
		s.n, s.err = syscall.Write(int(fd), s.chunk)
		return true // whatever came of it: nobody waits here
	}
	return s
}

// write sends what was begun and then a chunk, and waits for it, but not longer than patience.
func (s *wire) write(chunk []byte) error {
	err := s.conn.SetWriteDeadline(time.Now().Add(patience))
	for _, part := range [][]byte{s.rest, chunk} {
		if err == nil && len(part) > 0 {
			var n int
			n, err = s.conn.Write(part)
			s.took(part, n)
		}
	}
	if err == nil {
		err = s.conn.SetWriteDeadline(time.Time{}) // an offer would not like one that has passed
	}
	s.failed = err != nil
	return writing(err)
}

func (s *wire) offer(chunk []byte) Offered {
	if s.raw == nil || s.failed || len(s.rest) > 0 {
		return Refused
	}
	s.chunk, s.n, s.err = chunk, 0, nil
	if err := s.raw.Write(s.try); err != nil || s.err != nil || s.n <= 0 {
		return Refused
	}
	s.took(chunk, s.n)
	if len(s.rest) > 0 {
		return Begun
	}
	return Sent
}

// took notes how much of p was taken. Of what nothing was taken nothing was begun.
func (s *wire) took(p []byte, n int) {
	if n > 0 {
		s.rest = p[n:]
	}
}

// close ends the answer. One that ends in the middle of an event is cut off, and so not taken for whole.
func (s *wire) close() {
	if !s.failed && len(s.rest) == 0 {
		_ = s.write([]byte("0\r\n\r\n"))
	}
	_ = s.conn.Close()
}

// listen waits until the visitor leaves. Whoever says something more is not listened to any longer: their
// leaving shows when they are written to, as with net/http.
func (s *wire) listen(gone func()) {
	var word [1]byte
	if _, err := s.conn.Read(word[:]); err != nil {
		gone()
	}
}

// Chunk puts an event into the chunk in which HTTP/1.1 carries it.
func Chunk(event []byte) []byte {
	chunk := fmt.Appendf(make([]byte, 0, len(event)+16), "%x\r\n", len(event))
	return append(append(chunk, event...), "\r\n"...)
}

// unchunked is the event in a chunk.
func unchunked(chunk []byte) []byte {
	return chunk[bytes.IndexByte(chunk, '\n')+1 : len(chunk)-2]
}
