package handlers

import (
	"net/http"

	"rostrum/store/auction"
	"rostrum/views"
)

// signInID is the sign-in of the session that asks, not of an API token.
func (h *house) signInID(r *http.Request) int64 { return h.sessions.GetInt64(r.Context(), signInKey) }

// signInLines are where the reader is signed in, this browser first.
func (h *house) signInLines(r *http.Request) ([]views.SignInLine, error) {
	signIns, err := h.Store.SignIns(r.Context(), readerID(r))
	var this, others []views.SignInLine
	for _, i := range signIns {
		line := views.SignInLine{ID: i.ID, Device: views.Device(i.Agent), Address: i.Address,
			CreatedAt: i.CreatedAt, SeenAt: i.SeenAt, This: i.ID == h.signInID(r)}
		if line.This {
			this = append(this, line)
		} else {
			others = append(others, line)
		}
	}
	return append(this, others...), err
}

func (h *house) endSignIn(r *http.Request, person auction.Person) error {
	id, err := readID(r.PathValue("id"))
	if err != nil {
		return err
	}
	return h.Store.EndSignIn(r.Context(), person.ID, id)
}

func (h *house) endOtherSignIns(r *http.Request, person auction.Person) error {
	return h.Store.EndOtherSignIns(r.Context(), person.ID, h.signInID(r))
}
