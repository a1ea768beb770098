package handlers

import (
	"net/http"
	"strings"

	"rostrum/store/auction"
	"rostrum/views"
)

// makeToken makes an API token and answers with the page that shows it. The
// answer is the only place where it ever stands: no address and no session has
// it, and no browser keeps the page.
func (h *house) makeToken(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	token, err := h.newToken(r, *reader(r))
	if err != nil {
		return h.refuseSetting(w, r, views.SettingTokens, err)
	}
	w.Header().Set("Cache-Control", "no-store")
	return h.settingsPage(w, r, http.StatusOK, views.Settings{NewToken: token})
}

func (h *house) newToken(r *http.Request, person auction.Person) (string, error) {
	name := strings.TrimSpace(r.PostForm.Get("token_name"))
	if mistake := auction.CheckTokenName(name); mistake != "" {
		return "", auction.Mistakes{"token_name": mistake}
	}
	return h.Store.MakeToken(r.Context(), person.ID, name)
}

func (h *house) revokeToken(r *http.Request, person auction.Person) error {
	id, err := readID(r.PathValue("id"))
	if err != nil {
		return err
	}
	return h.Store.RevokeToken(r.Context(), person.ID, id)
}
