package handlers

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

const (
	deedsPerPage = 100
	newest       = math.MaxInt64 // the id below which all are
	commandLine  = "command line"
)

// listAudit is what those who look after the house did.
func (h *house) listAudit(w http.ResponseWriter, r *http.Request) error {
	before, err := readBefore(r)
	if err != nil {
		return err
	}
	filter, query, err := h.readAudit(r)
	if err != nil {
		return err
	}
	if len(filter.Mistakes) > 0 {
		return web.Render(w, r, http.StatusUnprocessableEntity, views.AuditPage(h.page(r, "Audit log"), views.AuditLog{Filter: filter}))
	}
	query.Before, query.Limit = before, deedsPerPage+1
	deeds, err := h.Store.Audit(r.Context(), query)
	if err != nil {
		return err
	}
	deeds, next := cut(deeds, deedsPerPage, func(d auction.Deed) string { return strconv.FormatInt(d.ID, 10) })
	log := views.AuditLog{Filter: filter, Lines: deedLines(deeds), Next: h.nextOf(r, "/admin/audit", next)}
	return web.Render(w, r, http.StatusOK, views.AuditPage(h.page(r, "Audit log"), log))
}

// readAudit reads whose acts, and on whom or what, are asked for.
func (h *house) readAudit(r *http.Request) (views.Filter, store.AuditQuery, error) {
	f := readFilter(r, "by", "about")
	var q store.AuditQuery
	if by := f.Values["by"]; strings.EqualFold(by, commandLine) {
		q.ByCommandLine = true
	} else if err := h.called(r.Context(), f, "by", &q.By); err != nil {
		return f, q, err
	}
	lot, err := readID(strings.TrimPrefix(strings.ToLower(f.Values["about"]), "lot "))
	if err == nil {
		q.AboutLot = lot
		return f, q, nil
	}
	return f, q, h.called(r.Context(), f, "about", &q.About)
}

// called finds the one person that a field names, and notes a mistake in it.
func (h *house) called(ctx context.Context, f views.Filter, field string, id *int64) error {
	if f.Values[field] == "" || f.Mistakes[field] != "" {
		return nil
	}
	found, err := h.Store.Exactly(ctx, f.Values[field])
	if errors.Is(err, auction.ErrNoMatch) {
		f.Mistakes[field] = "Nobody has this alias or e-mail address."
		return nil
	}
	*id = found
	return err
}

func deedLines(deeds []auction.Deed) []views.DeedLine {
	lines := make([]views.DeedLine, len(deeds))
	for i, d := range deeds {
		lines[i] = views.DeedLine{ID: d.ID, Actor: maybeWho(d.Actor), Action: d.Action, Account: maybeWho(d.Account),
			LotID: d.LotID, Lot: d.LotTitle, Reason: d.Reason, Detail: d.Detail, At: d.CreatedAt}
	}
	return lines
}
