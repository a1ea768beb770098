package web

import (
	"errors"
	"sync"
)

// Frame is one state of a key, encoded at most once for each form in which somebody wants it.
type Frame[T any] struct {
	Key, Version int64
	Value        T

	mu    sync.Mutex
	forms map[string]*encoding
}

// encoding is one form of a frame: data and err are set before done is closed.
type encoding struct {
	done chan struct{}
	data []byte
	err  error
}

// NewFrame returns the state of a key at a version. Versions of a key only ever rise.
func NewFrame[T any](key, version int64, value T) *Frame[T] {
	return &Frame[T]{Key: key, Version: version, Value: value}
}

// Bytes returns the frame encoded as form. The first caller's encode makes the bytes; callers that come
// meanwhile wait for it, and all share the result: nobody may change it. An error goes to those who
// waited and is then forgotten, so that the next caller tries again.
func (f *Frame[T]) Bytes(form string, encode func(T) ([]byte, error)) ([]byte, error) {
	e, mine := f.encoding(form)
	if mine {
		f.fill(e, form, encode)
	}
	<-e.done
	return e.data, e.err
}

// encoding returns the form's encoding, and whether the caller is the one who must fill it.
func (f *Frame[T]) encoding(form string) (e *encoding, mine bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e, ok := f.forms[form]; ok {
		return e, false
	}
	if f.forms == nil {
		f.forms = map[string]*encoding{}
	}
	e = &encoding{done: make(chan struct{})}
	f.forms[form] = e
	return e, true
}

// fill runs encode. The error it starts with is what the others see if encode panics: a waiter must
// never wait for ever.
func (f *Frame[T]) fill(e *encoding, form string, encode func(T) ([]byte, error)) {
	e.err = errors.New("web: the encoder of form " + form + " panicked")
	defer func() {
		if e.err != nil {
			f.mu.Lock()
			delete(f.forms, form)
			f.mu.Unlock()
		}
		close(e.done)
	}()
	e.data, e.err = encode(f.Value)
}
