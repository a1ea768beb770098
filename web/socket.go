package web

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"
)

// farewell is how long Close waits for the peer's answer: a stop of the server has ten seconds for all.
const farewell = 2 * time.Second

// Socket sends messages over a WebSocket; what the peer sends is refused. It is for one goroutine.
type Socket struct {
	conn   *websocket.Conn
	ctx    context.Context // of reading: its end closes the connection at once, and the connection's ends it
	cancel context.CancelFunc
}

// OpenSocket accepts a WebSocket. Browsers must come from the request's own host or from one of origins
// (as Origin writes them): a cross-site page may open sockets with the visitor's cookies. When it returns
// an error the request has been answered. The caller must Close the socket.
func OpenSocket(w http.ResponseWriter, r *http.Request, origins []string) (*Socket, error) {
	patterns := make([]string, len(origins))
	for i, origin := range origins {
		patterns[i] = literally.Replace(origin)
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{OriginPatterns: patterns})
	if err != nil {
		return nil, err
	}
	s := &Socket{conn: conn}
	s.ctx, s.cancel = context.WithCancel(r.Context()) // which ends with the handler, no longer with the connection
	go s.listen()
	return s, nil
}

// literally escapes what path.Match would take for a pattern: the origin http://[::1]:8080 has brackets.
var literally = strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`)

// listen answers pings and farewells until the connection ends, and refuses any other word. It does what
// the library's CloseRead does, which after a word waits fifteen seconds for itself.
func (s *Socket) listen() {
	defer s.cancel()
	if _, _, err := s.conn.Reader(s.ctx); err == nil {
		_ = s.close(websocket.StatusPolicyViolation, "nothing is read here")
	}
}

// Context ends when the peer has gone away or the socket is closed.
func (s *Socket) Context() context.Context { return s.ctx }

// Write sends one text message. After an error the socket is over.
func (s *Socket) Write(text []byte) error {
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	return writing(s.conn.Write(ctx, websocket.MessageText, text))
}

// Beat pings the peer without waiting for the answer, so that news is not held up; a peer that has not
// answered in ten seconds is gone, and Context ends.
func (s *Socket) Beat() error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	go func() {
		ctx, cancel := context.WithTimeout(s.ctx, patience)
		defer cancel()
		// Any other error than no answer is a connection that is ending by itself, perhaps with a farewell.
		if err := s.conn.Ping(ctx); err != nil && ctx.Err() != nil {
			s.cancel()
		}
	}()
	return nil
}

// Close says farewell with status 1000 and a reason of at most 123 bytes, and does not wait longer than
// two seconds for the peer to say it too.
func (s *Socket) Close(reason string) error {
	return s.close(websocket.StatusNormalClosure, reason)
}

func (s *Socket) close(status websocket.StatusCode, reason string) error {
	impatience := time.AfterFunc(farewell, s.cancel)
	defer impatience.Stop()
	defer s.cancel()
	return s.conn.Close(status, reason)
}
