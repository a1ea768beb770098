package handlers

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"

	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

const eventsPerPage = 200

type eventJSON struct {
	ID          int64           `json:"id"`
	Topic       string          `json:"topic"`
	AggregateID int64           `json:"aggregateId"`
	Payload     json.RawMessage `json:"payload"`
	CreatedAt   instant         `json:"createdAt"`
	PublishedAt *instant        `json:"publishedAt"`
	Attempts    int             `json:"attempts"`
	LastError   *string         `json:"lastError"`
}

func (h *house) showAdmin(w http.ResponseWriter, r *http.Request) error {
	http.Redirect(w, r, "/admin/open", http.StatusSeeOther)
	return nil
}

// listEvents shows the outbox: all events or those of one auction, newest first.
func (h *house) listEvents(w http.ResponseWriter, r *http.Request) error {
	before, err := readBefore(r)
	if err != nil {
		return err
	}
	events, err := h.readEvents(r, before)
	if err != nil {
		return err
	}
	events, next := cut(events, eventsPerPage, func(e auction.Event) string { return strconv.FormatInt(e.ID, 10) })
	if web.PrefersJSON(r) {
		return writeJSON(w, http.StatusOK, list[eventJSON]{eventsJSON(events), next})
	}
	return h.drawEvents(w, r, events, next)
}

func (h *house) drawEvents(w http.ResponseWriter, r *http.Request, events []auction.Event, next *string) error {
	more := ""
	if next != nil {
		more = "/admin/events?" + url.Values{"auction": {r.FormValue("auction")}, "cursor": {*next}}.Encode()
	}
	return web.Render(w, r, http.StatusOK, views.EventsPage(h.page(r, "Events"), eventLines(events), r.FormValue("auction"), more))
}

func (h *house) readEvents(r *http.Request, before int64) ([]auction.Event, error) {
	text := r.FormValue("auction")
	if text == "" {
		return h.Store.Events(r.Context(), before, eventsPerPage+1)
	}
	id, err := readID(text)
	if err != nil {
		return nil, err
	}
	return h.Store.EventsOf(r.Context(), id, before, eventsPerPage+1)
}

func eventsJSON(events []auction.Event) []eventJSON {
	items := make([]eventJSON, len(events))
	for i, e := range events {
		items[i] = eventJSON{ID: e.ID, Topic: e.Topic, AggregateID: e.AggregateID, Payload: e.Payload, CreatedAt: instant(e.CreatedAt),
			PublishedAt: instantOf(e.PublishedAt), Attempts: e.Attempts, LastError: e.LastError}
	}
	return items
}

func eventLines(events []auction.Event) []views.EventLine {
	lines := make([]views.EventLine, len(events))
	for i, e := range events {
		lines[i] = eventLine(e)
	}
	return lines
}

func eventLine(e auction.Event) views.EventLine {
	line := views.EventLine{ID: e.ID, Topic: e.Topic, AggregateID: e.AggregateID, Payload: string(e.Payload),
		CreatedAt: e.CreatedAt, PublishedAt: e.PublishedAt, Attempts: e.Attempts}
	if e.LastError != nil {
		line.LastError = *e.LastError
	}
	return line
}
