package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// patience is how long one write to a stream may take. Who does not read for so long is cut off; they
// come back and get the present state.
const patience = 10 * time.Second

// Stream writes server-sent events. It is for one goroutine at a time.
type Stream struct {
	w    http.ResponseWriter
	rc   *http.ResponseController
	wire *wire // what Run took from net/http; nil where events go through w
}

// OpenStream answers 200 and the headers of a stream, at once. From here on the server's WriteTimeout
// does not count, each write has its own. X-Accel-Buffering keeps nginx from collecting.
func OpenStream(w http.ResponseWriter, r *http.Request) (*Stream, error) {
	s := &Stream{w: w, rc: http.NewResponseController(w)}
	header := w.Header()
	header.Set("Content-Type", "text/event-stream; charset=utf-8")
	header.Set("Cache-Control", "no-cache, no-transform")
	header.Set("X-Accel-Buffering", "no")
	if takeable(r) {
		header.Set("Connection", "close")
	}
	w.WriteHeader(http.StatusOK)
	if err := s.within(patience, s.rc.Flush); err != nil {
		return nil, fmt.Errorf("opening a stream: %w", err)
	}
	return s, nil
}

// Run lets write send the events. Its context ends when the visitor leaves, or at the request's deadline.
//
// Over HTTP/1.1 it returns at once, and so must the handler: the connection is taken from net/http, and
// write runs on a goroutine of its own. What net/http keeps for a request (buffers, headers, the stack of
// all middleware) is four times what a stream needs. Elsewhere it returns when write does.
func (s *Stream) Run(r *http.Request, write func(context.Context)) {
	if !s.take(r, write) {
		write(r.Context())
	}
}

// Write sends a whole event, as Chunk made it of one that Event made. After an error the stream is over.
func (s *Stream) Write(chunk []byte) error {
	if s.wire != nil {
		return s.wire.write(chunk)
	}
	return s.within(patience, func() error {
		if _, err := s.w.Write(unchunked(chunk)); err != nil {
			return err
		}
		return s.rc.Flush()
	})
}

// Offer sends an event as far as that goes without waiting. One of which it could only begin must be
// finished by Rest before anything else is written. Errors show at the next Write or Rest.
func (s *Stream) Offer(chunk []byte) Offered {
	if s.wire == nil {
		return Refused
	}
	return s.wire.offer(chunk)
}

// Rest sends the rest of what Offer has begun.
func (s *Stream) Rest() error { return s.wire.write(nil) }

// Beat sends a comment: it keeps proxies from closing a silent stream, and finds out who has left.
func (s *Stream) Beat() error { return s.Write(Chunk([]byte(": beat\n\n"))) }

// within runs write under a deadline and then takes the deadline away: over HTTP/2 one that passes
// between two writes ends the stream. After an error it stays, so that the server's last flush does not
// wait for a dead reader.
func (s *Stream) within(d time.Duration, write func() error) error {
	if err := unsupportedIsFine(s.rc.SetWriteDeadline(time.Now().Add(d))); err != nil {
		return writing(err)
	}
	if err := write(); err != nil {
		return writing(err)
	}
	return writing(unsupportedIsFine(s.rc.SetWriteDeadline(time.Time{})))
}

// unsupportedIsFine lets a test's recorder, which has no connection, be streamed to.
func unsupportedIsFine(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

// Event encodes one event; an empty name or id is left out. Each line of data (ended by \n, \r\n or \r,
// which are the same to a reader) becomes a data line. A line break in name or id would forge a field:
// it is a mistake of the program and panics.
func Event(name, id string, data []byte) []byte {
	if strings.ContainsAny(name+id, "\r\n\x00") {
		panic(fmt.Sprintf("web: a line break in an event's name %q or id %q", name, id))
	}
	event := make([]byte, 0, len(name)+len(id)+len(data)+64)
	if name != "" {
		event = append(append(append(event, "event: "...), name...), '\n')
	}
	if id != "" {
		event = append(append(append(event, "id: "...), id...), '\n')
	}
	event = append(event, "data: "...)
	for i, c := range data {
		switch {
		case c == '\n' && i > 0 && data[i-1] == '\r': // the second half of \r\n
		case c == '\n' || c == '\r':
			event = append(event, "\ndata: "...)
		default:
			event = append(event, c)
		}
	}
	return append(event, "\n\n"...)
}
