package handlers

import (
	"bytes"
	"context"
	"encoding/csv"
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

const (
	exportBatch = 1000
	byteOrder   = "\ufeff" // by which spreadsheets know UTF-8
)

var exportColumns = []string{"lot", "title", "outcome", "price", "currency", "winner", "winner_name", "winner_email",
	"seller", "seller_name", "seller_email", "start", "end", "closed", "bids"}

// exportOver sends all lots of the list as CSV (RFC 4180), batch by batch: the
// whole is never in memory, and what closes meanwhile is not part of it. Once
// the first line is sent, an error can only be told by breaking off.
func (h *house) exportOver(w http.ResponseWriter, r *http.Request) error {
	filter, query := readOver(r)
	query.Limit = exportBatch
	batch, err := h.exportBatch(r, query, filter)
	if err != nil {
		return err
	}
	file := web.OpenDownload(w, "text/csv; charset=utf-8", "rostrum-closed-"+h.Store.Now().UTC().Format(time.DateOnly)+".csv")
	if r.Method == http.MethodHead {
		return nil
	}
	var text bytes.Buffer
	text.WriteString(byteOrder)
	lines := csv.NewWriter(&text)
	lines.UseCRLF = true
	if err := lines.Write(exportColumns); err != nil {
		return err
	}
	for {
		for _, lot := range batch {
			if err := lines.Write(h.exportLine(lot)); err != nil {
				return err
			}
		}
		lines.Flush()
		if _, err := file.Write(text.Bytes()); err != nil {
			return err // the visitor left
		}
		if len(batch) < exportBatch {
			return nil
		}
		text.Reset()
		last := batch[len(batch)-1].Over()
		query.After = &last
		if batch, err = h.exportBatch(r, query, filter); err != nil {
			if !web.Gone(err) {
				h.Log.LogAttrs(r.Context(), slog.LevelError, "an export broke off", slog.Any("err", err))
			}
			panic(http.ErrAbortHandler)
		}
	}
}

func (h *house) exportBatch(r *http.Request, q store.OverQuery, f views.Filter) ([]store.Overseen, error) {
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	return h.overLots(r.WithContext(ctx), q, f)
}

func (h *house) exportLine(o store.Overseen) []string {
	var price string
	var winner auction.Named
	phase := o.State().Phase()
	if phase == auction.Sold {
		price, winner = h.Currency.Text(o.CurrentPrice), *o.Leader
	}
	return []string{
		strconv.FormatInt(o.ID, 10), cell(o.Title), string(phase), price, h.Currency.Code,
		cell(winner.Alias), cell(winner.Name), cell(winner.Email), cell(o.Seller.Alias), cell(o.Seller.Name), cell(o.Seller.Email),
		rfc3339(o.StartTime), rfc3339(o.EndTime), rfc3339(*o.ClosedAt), strconv.FormatInt(o.BidCount, 10),
	}
}

func rfc3339(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z07:00") }

// cell writes a text so that no spreadsheet takes it for a formula: Excel and
// others look past blanks at its start, and take the wide signs of East Asian
// keyboards for the narrow ones. The apostrophe is what people type for it.
func cell(text string) string {
	rest := strings.TrimLeftFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.In(r, unicode.Cf, unicode.Cc) })
	lead, mark := strings.TrimSuffix(text, rest), ""
	if strings.HasPrefix(text, "\t") || strings.HasPrefix(text, "\r") || rest != "" && strings.ContainsRune("=+-@＝＋－＠", []rune(rest)[0]) {
		mark = "'"
	}
	return mark + lead + inside.ReplaceAllString(rest, "$1'$2")
}

// inside finds what a spreadsheet takes for the beginning of a formula in the
// middle of a text: where its language parts cells by semicolons or tabs, it
// does not heed the quotes around a cell that begins behind a comma.
var inside = regexp.MustCompile(`([;\t\r\n][\s"\p{Z}\p{Cf}\p{Cc}]*)([=+\-@＝＋－＠])`)
