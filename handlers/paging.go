package handlers

import (
	"math"
	"net/http"
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
