package wire

import (
	"bufio"
	"bytes"
	"strconv"
)

// head is what bench reads of an answer's head.
type head struct {
	status  int
	length  int // -1: not told
	chunked bool
	close   bool
}

func readHead(in *bufio.Reader) (head, error) {
	h := head{length: -1}
	line, err := readLine(in)
	if err != nil {
		return h, err
	}
	if len(line) < 12 || !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) {
		return h, errAnswer
	}
	if h.status, err = strconv.Atoi(string(line[9:12])); err != nil || h.status < 200 {
		return h, errAnswer
	}
	for {
		line, err := readLine(in)
		if err != nil {
			return h, err
		}
		if len(line) == 0 {
			return h, nil
		}
		if err := h.field(line); err != nil {
			return h, err
		}
	}
}

func (h *head) field(line []byte) (err error) {
	name, value, found := bytes.Cut(line, []byte(":"))
	if !found {
		return errAnswer
	}
	switch value = bytes.TrimSpace(value); {
	case is(name, "Content-Length"):
		h.length, err = strconv.Atoi(string(value))
		if err != nil || h.length < 0 {
			return errAnswer
		}
	case is(name, "Transfer-Encoding"):
		if !is(value, "chunked") {
			return errAnswer
		}
		h.chunked = true
	case is(name, "Connection"):
		h.close = is(value, "close")
	}
	return nil
}

func is(text []byte, word string) bool {
	return len(text) == len(word) && bytes.EqualFold(text, []byte(word))
}

// readLine reads a line without its end. It is good until the next read.
func readLine(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadSlice('\n')
	if err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(line[:len(line)-1], []byte("\r")), nil
}
