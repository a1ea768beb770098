package main

import (
	"bytes"
	"io"
	"sync"
)

// troubles passes on what a house says that is more than information. Several
// instances may write to it.
type troubles struct {
	to   io.Writer
	mu   sync.Mutex
	rest []byte
}

// Write takes any part of a line.
func (t *troubles) Write(text []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rest = append(t.rest, text...)
	for {
		line, rest, whole := bytes.Cut(t.rest, []byte("\n"))
		if !whole {
			return len(text), nil
		}
		if !bytes.Contains(line, []byte(`"level":"INFO"`)) {
			if _, err := t.to.Write(append(bytes.Clone(line), '\n')); err != nil {
				return 0, err
			}
		}
		t.rest = rest
	}
}
