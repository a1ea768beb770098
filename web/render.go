package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"

	"github.com/a-h/templ"
)

// buffers are for whole answers. One that grew beyond keepable is not kept: a single giant page would
// otherwise hold its memory for ever.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

const keepable = 256 << 10

// Render answers with a component as HTML. It renders first and writes then: after a rendering error
// nothing has been written, and the error can still be answered.
func Render(w http.ResponseWriter, r *http.Request, status int, component templ.Component) error {
	return answer(w, status, "text/html; charset=utf-8", func(page *bytes.Buffer) error {
		if err := component.Render(r.Context(), page); err != nil {
			return fmt.Errorf("rendering: %w", err)
		}
		return nil
	})
}

// JSON answers with v as JSON of the content type given (application/json, application/problem+json);
// an encoding error leaves nothing written.
func JSON(w http.ResponseWriter, status int, contentType string, v any) error {
	return answer(w, status, contentType, func(text *bytes.Buffer) error {
		encoder := json.NewEncoder(text)
		encoder.SetEscapeHTML(false) // nosniff: no browser takes it for markup
		if err := encoder.Encode(v); err != nil {
			return fmt.Errorf("encoding JSON: %w", err)
		}
		return nil
	})
}

// answer fills a buffer and writes it. The same address answers in HTML and in JSON, whole and in parts,
// so the browser's cache must keep them apart; and a price is old at once, so none is kept unasked.
func answer(w http.ResponseWriter, status int, contentType string, fill func(*bytes.Buffer) error) error {
	buffer := buffers.Get().(*bytes.Buffer)
	defer func() {
		if buffer.Cap() <= keepable {
			buffer.Reset()
			buffers.Put(buffer)
		}
	}()
	if err := fill(buffer); err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", contentType)
	header.Set("Content-Length", strconv.Itoa(buffer.Len()))
	header.Add("Vary", "Accept, HX-Request")
	if header.Get("Cache-Control") == "" {
		header.Set("Cache-Control", "private, no-cache")
	}
	w.WriteHeader(status)
	_, err := w.Write(buffer.Bytes())
	return writing(err)
}
