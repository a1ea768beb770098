package web

import (
	"mime"
	"net/http"
)

// Download writes a file of any length, piece by piece, to somebody who keeps it. It is for one goroutine.
type Download struct{ stream Stream }

// OpenDownload answers 200 and the headers of a file. From here on the server's WriteTimeout does not
// count: each piece has a deadline of its own. What ends early must end in panic(http.ErrAbortHandler),
// so that nobody takes a part for the whole.
func OpenDownload(w http.ResponseWriter, contentType, name string) *Download {
	header := w.Header()
	header.Set("Content-Type", contentType)
	header.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	header.Set("Cache-Control", "private, no-store")
	header.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	return &Download{Stream{w: w, rc: http.NewResponseController(w)}}
}

// Write sends a piece.
func (d *Download) Write(piece []byte) (int, error) {
	return len(piece), d.stream.within(patience, func() error {
		if _, err := d.stream.w.Write(piece); err != nil {
			return err
		}
		return d.stream.rc.Flush()
	})
}
