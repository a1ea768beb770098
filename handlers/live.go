package handlers

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

const (
	heartbeat   = 15 * time.Second
	mostWatched = 100 // auctions on one stream
)

// errOver ends a stream whose auction is over.
var errOver = errors.New("the auction is over")

// encoder writes a state as one message of a stream. A page's script hears no
// comments, and must tell a quiet lot from a connection that died without a
// word.
type encoder struct {
	form   string // names the bytes that all streams of this kind share
	encode func(auction.State) ([]byte, error)
	beats  bool // silence is broken by an event, not by a comment
}

// streamAuction sends the live frames of one lot until it is over: HTML to its
// page, JSON to others.
func (h *house) streamAuction(w http.ResponseWriter, r *http.Request) error {
	id, err := auctionID(r)
	if err != nil {
		return err
	}
	as := h.jsonEvents()
	if web.AcceptsHTML(r) {
		as = h.lotEvents(r.Context())
	}
	return h.stream(w, r, []int64{id}, as, true)
}

// streamAuctions sends the live frames of a list's lots. It goes on when one
// of them is over.
func (h *house) streamAuctions(w http.ResponseWriter, r *http.Request) error {
	ids, err := watchedIDs(r)
	if err != nil {
		return err
	}
	as := h.jsonEvents()
	if web.AcceptsHTML(r) {
		as = h.rowEvents(r.Context())
	}
	return h.stream(w, r, ids, as, false)
}

func (h *house) stream(w http.ResponseWriter, r *http.Request, ids []int64, as encoder, ends bool) error {
	watching, running := h.Hub.Subscribe(as.form, ids...), false
	defer func() {
		if !running {
			watching.Close()
		}
	}()
	first, err := h.present(r.Context(), ids)
	if err != nil {
		return err
	}
	stream, err := web.OpenStream(w, r)
	if err != nil || r.Method == http.MethodHead {
		return err
	}
	running = true
	sink, path := h.sink(stream, as, ends), r.URL.Path // not r: the stream outlives the request
	stream.Run(r, func(ctx context.Context) {
		defer watching.Close()
		h.ended(ctx, path, watching.Follow(ctx, first, h.Heartbeat, sink))
	})
	return nil
}

// sink is where a stream's frames go.
func (h *house) sink(stream *web.Stream, as encoder, ends bool) web.Sink[auction.State] {
	encode := func(s auction.State) ([]byte, error) {
		event, err := as.encode(s)
		return web.Chunk(event), err
	}
	return web.Sink[auction.State]{
		Send: func(f *web.Frame[auction.State]) error {
			event, err := f.Bytes(as.form, encode)
			if err == nil {
				err = stream.Write(event)
			}
			if err == nil && ends && f.Value.Over() {
				return errOver
			}
			return err
		},
		Offer: func(f *web.Frame[auction.State]) web.Offered {
			event, err := f.Bytes(as.form, encode)
			if err != nil || ends && f.Value.Over() {
				return web.Refused
			}
			return stream.Offer(event)
		},
		Rest:    stream.Rest,
		Prepare: func(f *web.Frame[auction.State]) { _, _ = f.Bytes(as.form, encode) },
		Beat: func() error {
			if as.beats {
				return stream.Write(web.Chunk(web.Event("beat", "", []byte(h.Store.Now().UTC().Format(time.RFC3339Nano)))))
			}
			return stream.Beat()
		},
	}
}

// openSocket sends the JSON frames of one lot over a WebSocket: each message
// is a frame's data.
func (h *house) openSocket(w http.ResponseWriter, r *http.Request) error {
	id, err := auctionID(r)
	if err != nil {
		return err
	}
	watching := h.Hub.Subscribe("message", id)
	defer watching.Close()
	first, err := h.present(r.Context(), []int64{id})
	if err != nil {
		return err
	}
	socket, err := web.OpenSocket(w, r, h.origins)
	if err != nil {
		h.ended(r.Context(), r.URL.Path, err)
		return nil
	}
	reason := "the house is closing"
	defer func() { socket.Close(reason) }()
	send := func(f *web.Frame[auction.State]) error {
		message, err := f.Bytes("message", h.frameData)
		if err == nil {
			err = socket.Write(message)
		}
		if err == nil && f.Value.Over() {
			reason = "closed"
			return errOver
		}
		return err
	}
	h.ended(r.Context(), r.URL.Path, watching.Follow(socket.Context(), first, h.Heartbeat, web.Sink[auction.State]{Send: send, Beat: socket.Beat}))
	return nil
}

// present reads the states that a stream begins with, made for it alone: a
// frame that others were sent may be old, and tells the time of then.
func (h *house) present(ctx context.Context, ids []int64) ([]*web.Frame[auction.State], error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	states, err := h.Store.States(ctx, ids)
	if err != nil {
		return nil, err
	}
	if len(states) == 0 {
		return nil, auction.ErrNotFound
	}
	frames := make([]*web.Frame[auction.State], len(states))
	for i, s := range states {
		h.Hub.Publish(s.AuctionID, s.Version, s)
		frames[i] = web.NewFrame(s.AuctionID, s.Version, s)
	}
	return frames, nil
}

// ended notes what ended a stream or kept a socket from opening, where that is
// worth a line in the log. The visitor has their answer already.
func (h *house) ended(ctx context.Context, path string, err error) {
	expected := errors.Is(err, errOver) || errors.Is(err, web.ErrEnded) || web.Gone(err) || ctx.Err() != nil
	if err != nil && !expected {
		h.Log.InfoContext(ctx, "a stream broke off", "path", path, "err", err)
	}
}

// jsonEvents are the frames of API clients.
func (h *house) jsonEvents() encoder {
	return encoder{form: "json", encode: func(s auction.State) ([]byte, error) {
		data, err := h.frameData(s)
		name := "price"
		if s.Over() {
			name = "closed"
		}
		return web.Event(name, version(s), data), err
	}}
}

func (h *house) frameData(s auction.State) ([]byte, error) {
	return json.Marshal(h.stateJSON(h.dated(s)))
}

// dated gives a state the time at which its frame is made. What the house takes
// for the database's time can be behind by half of the round trip that told it:
// no frame is older than what it tells.
func (h *house) dated(s auction.State) auction.State {
	if now := h.Store.Now(); now.After(s.Now) {
		s.Now = now
	}
	return s
}

// lotEvents are the frames of a lot's page, with the last bids. After the last
// one comes the named event on which the page asks for its result.
func (h *house) lotEvents(ctx context.Context) encoder {
	ctx = context.WithoutCancel(ctx) // others share the frame
	return encoder{"lot", func(s auction.State) ([]byte, error) {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		s = h.dated(s)
		live, err := h.live(ctx, s)
		if err != nil {
			return nil, err
		}
		event, err := htmlEvent(ctx, s, views.LotFrame(live))
		if s.Over() {
			event = append(event, web.Event("closed", "", nil)...)
		}
		return event, err
	}, true}
}

// rowEvents are the frames of a list.
func (h *house) rowEvents(ctx context.Context) encoder {
	ctx = context.WithoutCancel(ctx)
	return encoder{"row", func(s auction.State) ([]byte, error) {
		s = h.dated(s)
		return htmlEvent(ctx, s, views.RowFrame(h.rowState(s)))
	}, true}
}

func htmlEvent(ctx context.Context, s auction.State, c templ.Component) ([]byte, error) {
	html, err := templ.ToGoHTML(ctx, c)
	return web.Event("", version(s), []byte(html)), err
}

func version(s auction.State) string { return strconv.FormatInt(s.Version, 10) }

func watchedIDs(r *http.Request) ([]int64, error) {
	texts := r.URL.Query()["auction"]
	if len(texts) == 0 || len(texts) > mostWatched {
		return nil, &problem{status: 400, code: "unreadable", title: "Name 1 to 100 auctions to watch, as auction=1&auction=2."}
	}
	ids := make([]int64, len(texts))
	for i, text := range texts {
		id, err := readID(text)
		if err != nil {
			return nil, err
		}
		ids[i] = id
	}
	return ids, nil
}
