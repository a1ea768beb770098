package handlers

import (
	"context"
	"io"
	"net/http"
	"time"
)

// healthy says that the process answers.
func (h *house) healthy(w http.ResponseWriter, r *http.Request) error {
	_, err := io.WriteString(w, "ok\n")
	return err
}

// ready says that the database can be reached; its schema was current when the
// process began to answer.
func (h *house) ready(w http.ResponseWriter, r *http.Request) error {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	if err := h.Store.Ready(ctx); err != nil {
		return err
	}
	_, err := io.WriteString(w, "ready\n")
	return err
}
