package web

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"

	"github.com/coder/websocket"
)

// Gone tells whether err only says that the visitor left, or stopped reading: there is nobody to answer
// and nothing to log. A context's deadline is not among them: those are ours.
func Gone(err error) bool {
	if err == nil {
		return false
	}
	for _, gone := range []error{
		context.Canceled, os.ErrDeadlineExceeded, net.ErrClosed, io.ErrUnexpectedEOF, io.ErrClosedPipe,
		syscall.EPIPE, syscall.ECONNRESET, http.ErrAbortHandler,
	} {
		if errors.Is(err, gone) {
			return true
		}
	}
	return websocket.CloseStatus(err) != -1 || goneOverHTTP2(err)
}

// goneOverHTTP2 knows the errors of net/http's HTTP/2 server by their text: they have no names.
func goneOverHTTP2(err error) bool {
	text := err.Error()
	return strings.Contains(text, "client disconnected") || strings.Contains(text, "http2: stream closed")
}
