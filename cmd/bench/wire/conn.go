// Package wire is a lean HTTP/1.1 client. The load runs on the machine that it
// measures, so what a request costs here is taken from the house: one
// connection for one caller, one write and seldom more than one read for a
// request, no goroutines and hardly any garbage: 7.5 µs and nothing allocated for
// a bid, where net/http takes 20 µs and 7 KiB (cost_test.go). It knows what Rostrum's
// answers use (Content-Length or chunks, keep-alive) and nothing more.
//
// It imports nothing of ours.
package wire

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strconv"
	"time"
)

// Conn is a connection that is kept alive, and opened where it is not. It is
// for one goroutine.
type Conn struct {
	host    string
	timeout time.Duration
	conn    net.Conn
	in      *bufio.Reader
	out     []byte
	body    []byte
}

// New makes a connection to a house, which is opened by the first request. A
// request that is not answered within the timeout fails.
func New(base string, timeout time.Duration) (*Conn, error) {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" || u.Host == "" {
		return nil, fmt.Errorf("%q is not an address such as http://127.0.0.1:8080 (bench speaks no TLS)", base)
	}
	host := u.Host
	if u.Port() == "" {
		host += ":80"
	}
	return &Conn{host: host, timeout: timeout, in: bufio.NewReaderSize(nil, 4<<10)}, nil
}

// Do sends a request and reads the answer: its status and its body, which is
// good until the next request. headers are whole lines, each with its end. An
// error means that nobody knows whether it was handled.
func (c *Conn) Do(method, path, headers string, body []byte) (int, []byte, error) {
	if err := c.open(); err != nil {
		return 0, nil, err
	}
	status, answer, err := c.exchange(method, path, headers, body)
	if err != nil {
		c.Close()
	}
	return status, answer, err
}

// Open opens the connection ahead of the first request.
func (c *Conn) Open() error { return c.open() }

func (c *Conn) open() error {
	if c.conn != nil {
		return nil
	}
	conn, err := net.DialTimeout("tcp", c.host, c.timeout)
	if err != nil {
		return err
	}
	c.conn = conn
	c.in.Reset(conn)
	return nil
}

// Close ends the connection.
func (c *Conn) Close() {
	if c.conn != nil {
		c.conn.Close()
		c.conn = nil
	}
}

func (c *Conn) exchange(method, path, headers string, body []byte) (int, []byte, error) {
	c.out = append(c.out[:0], method...)
	c.out = append(c.out, ' ')
	c.out = append(c.out, path...)
	c.out = append(c.out, " HTTP/1.1\r\nHost: "...)
	c.out = append(c.out, c.host...)
	c.out = append(c.out, "\r\n"...)
	c.out = append(c.out, headers...)
	if body != nil {
		c.out = append(c.out, "Content-Type: application/json\r\nContent-Length: "...)
		c.out = strconv.AppendInt(c.out, int64(len(body)), 10)
		c.out = append(c.out, "\r\n"...)
	}
	c.out = append(c.out, "\r\n"...)
	c.out = append(c.out, body...)
	if err := c.conn.SetDeadline(time.Now().Add(c.timeout)); err != nil {
		return 0, nil, err
	}
	if _, err := c.conn.Write(c.out); err != nil {
		return 0, nil, err
	}
	return c.read()
}

var errAnswer = errors.New("the answer is no HTTP/1.1 that bench understands")

func (c *Conn) read() (int, []byte, error) {
	h, err := readHead(c.in)
	if err != nil {
		return 0, nil, err
	}
	c.body = c.body[:0]
	switch {
	case h.chunked:
		err = c.readChunks()
	case h.length >= 0:
		err = c.readBytes(h.length)
	case h.status != 204 && h.status != 304:
		err = errAnswer
	}
	if h.close {
		c.Close()
	}
	return h.status, c.body, err
}

func (c *Conn) readBytes(n int) error {
	from := len(c.body)
	if cap(c.body) < from+n {
		c.body = append(make([]byte, 0, 2*(from+n)), c.body...)
	}
	c.body = c.body[:from+n]
	_, err := io.ReadFull(c.in, c.body[from:])
	return err
}

func (c *Conn) readChunks() error {
	for {
		line, err := readLine(c.in)
		if err != nil {
			return err
		}
		n, err := strconv.ParseInt(string(line), 16, 32)
		if err != nil || n < 0 {
			return errAnswer
		}
		if err := c.readBytes(int(n)); err != nil {
			return err
		}
		if line, err = readLine(c.in); err != nil || len(line) > 0 {
			return errors.Join(err, errAnswer)
		}
		if n == 0 {
			return nil
		}
	}
}
