package web

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"syscall"
)

// wire is the connection of an HTTP/1.1 answer that is sent in chunks.
type wire struct {
	conn net.Conn
	raw  syscall.RawConn
	told *recorder
	rest []byte // of a chunk that was begun; part of shared bytes

	// What try works on, so that an offer allocates nothing.
	chunk []byte
	n     int
	err   error
	try   func(fd uintptr) bool
}

type connKey struct{}

// knowConn is the server's ConnContext: it lets a stream find its connection.
func knowConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// wireOf returns the connection of an answer whose head was flushed; nil where chunks are not spoken or
// where writing without waiting is unknown.
func wireOf(w http.ResponseWriter, r *http.Request) *wire {
	conn, ok := r.Context().Value(connKey{}).(net.Conn)
	if !ok || r.ProtoMajor != 1 || r.ProtoMinor < 1 {
		return nil
	}
	socket, ok := conn.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return nil
	}
	s := &wire{conn: conn, raw: raw, told: record(w)}
	s.try = func(fd uintptr) bool {
		s.n, s.err = syscall.Write(int(fd), s.chunk)
		return true // whatever came of it: nobody waits here
	}
	return s
}

// write waits, as long as the connection's deadline lets it.
func (s *wire) write(chunk []byte) error {
	for len(s.rest) > 0 {
		n, err := s.conn.Write(s.rest)
		s.took(s.rest, n)
		if err != nil {
			return err
		}
	}
	if len(chunk) == 0 {
		return nil
	}
	n, err := s.conn.Write(chunk)
	s.took(chunk, n)
	return err
}

func (s *wire) offer(chunk []byte) Offered {
	if len(s.rest) > 0 {
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
	s.told.bytes += int64(n)
	if n > 0 {
		s.rest = p[n:]
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
