// Package handlers is the top of HTTP: the routes on one screen, one file per
// noun, pages, forms and JSON at the same addresses. A handler reads, makes one
// call, decides and renders; it returns an error, which one adapter logs and
// answers. It may import `views`, `web`, `store`, `store/auction` and `static`.
package handlers

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/alexedwards/scs/v2"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

// Options are what the handlers stand on.
type Options struct {
	Store     *store.Store
	Hub       *web.Hub[auction.State]
	Log       *slog.Logger
	Metrics   http.Handler
	Currency  auction.Currency
	BidRate   int           // bids a second and person
	PublicURL string        // "" where it was not set
	Secure    bool          // the public address is https
	Dev       bool          // show the page of all components
	Heartbeat time.Duration // the longest silence of a stream; 0 is 15 seconds
}

type house struct {
	Options
	sessions *scs.SessionManager
	origins  []string
	limits   limits
}

// New returns the whole site.
func New(o Options) http.Handler {
	if o.Heartbeat == 0 {
		o.Heartbeat = heartbeat
	}
	h := &house{Options: o, sessions: newSessions(o.Store, o.Secure), limits: newLimits(o.BidRate)}
	if o.PublicURL != "" {
		h.origins = []string{o.PublicURL}
	}
	h.sessions.ErrorFunc = h.fail
	return h.routes()
}

// page is the frame of a page for the reader of a request.
func (h *house) page(r *http.Request, title string) views.Page {
	return views.Page{Title: title, Person: reader(r), Path: r.URL.RequestURI(), Now: h.Store.Now()}
}
