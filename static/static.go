// Package static holds the files that browsers ask for: the stylesheet, the
// page's script, htmx with its stream extension, the icon. It imports nothing
// of ours.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

//go:embed *.css *.js *.svg
var embedded embed.FS

// prefix is where the files are served.
const prefix = "/static/"

type file struct {
	content []byte
	zipped  []byte // with gzip
	version string // the first 12 hex digits of the content's SHA-256
	kind    string
}

// files reads and hashes what is embedded, once.
var files = sync.OnceValue(func() map[string]file {
	kinds := map[string]string{
		".css": "text/css; charset=utf-8",
		".js":  "text/javascript; charset=utf-8",
		".svg": "image/svg+xml",
	}
	all := map[string]file{}
	names, err := fs.Glob(embedded, "*")
	for _, name := range names {
		var content []byte
		if content, err = embedded.ReadFile(name); err != nil {
			break
		}
		sum := sha256.Sum256(content)
		all[name] = file{content, zip(content), hex.EncodeToString(sum[:6]), kinds[path.Ext(name)]}
	}
	if err != nil {
		panic("static: " + err.Error()) // what the compiler embedded can be read
	}
	return all
})

// zip compresses as well as gzip can: it is done once.
func zip(content []byte) []byte {
	var zipped bytes.Buffer
	w, _ := gzip.NewWriterLevel(&zipped, gzip.BestCompression) // the level is a known one
	_, _ = w.Write(content)                                    // a buffer takes everything
	_ = w.Close()
	return zipped.Bytes()
}

// Path is the address of a file, with its content's hash: "/static/app.js?v=…".
// A page that was drawn by one build thus never gets the file of another.
func Path(name string) string {
	return prefix + name + "?v=" + files()[name].version
}

// Handler serves the files below /static/: for good at an address that names
// their present content, for a minute at any other.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		found, ok := files()[strings.TrimPrefix(r.URL.Path, prefix)]
		if !ok {
			http.NotFound(w, r)
			return
		}
		keep := "public, max-age=60"
		if r.URL.Query().Get("v") == found.version {
			keep = "public, max-age=31536000, immutable"
		}
		w.Header().Set("Cache-Control", keep)
		w.Header().Set("Content-Type", found.kind)
		w.Header().Set("Vary", "Accept-Encoding")
		content, tag := found.content, found.version
		if takesGzip(r) {
			w.Header().Set("Content-Encoding", "gzip")
			content, tag = found.zipped, found.version+"-gzip"
		}
		w.Header().Set("ETag", `"`+tag+`"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	})
}

// takesGzip reads Accept-Encoding (RFC 9110, section 12.5.3). All browsers name
// gzip; a weight of nothing refuses it, as does a client that asks for a range.
func takesGzip(r *http.Request) bool {
	if r.Header.Get("Range") != "" {
		return false
	}
	for offer := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, _ := strings.Cut(offer, ";")
		if strings.TrimSpace(name) == "gzip" {
			return strings.Trim(strings.ReplaceAll(weight, " ", ""), "q=0.") != "" || weight == ""
		}
	}
	return false
}
