package handlers

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"rostrum/store"
)

// cut takes the page out of what was read, which is one item more than the page
// holds where another page follows; next is that page's cursor, or nil.
func cut[T any](items []T, most int, cursor func(last T) string) (page []T, next *string) {
	if len(items) <= most {
		return items, nil
	}
	text := cursor(items[most-1])
	return items[:most], &text
}

// readBefore reads the cursor of a list whose ids or versions fall: the page
// begins below it, or with the newest where there is none.
func readBefore(r *http.Request) (int64, error) {
	text := r.FormValue("cursor")
	if text == "" {
		return math.MaxInt64, nil
	}
	id, err := readID(text)
	if err != nil {
		return 0, errCursor
	}
	return id, nil
}

// writePlace is the cursor of a list by an instant: "micros-id".
func writePlace(p store.Place) string { return fmt.Sprintf("%d-%d", p.Micros, p.ID) }

// readPlace reads that cursor; nil where there is none.
func readPlace(r *http.Request) (*store.Place, error) {
	text := r.FormValue("cursor")
	if text == "" {
		return nil, nil
	}
	micros, id, _ := strings.Cut(text, "-")
	var p store.Place
	var err1, err2 error
	p.Micros, err1 = strconv.ParseInt(micros, 10, 64)
	p.ID, err2 = strconv.ParseInt(id, 10, 64)
	if err1 != nil || err2 != nil || writePlace(p) != text || p.Micros > store.LastMicros {
		return nil, errCursor
	}
	return &p, nil
}
