package handlers

import (
	"net/http"
	"time"

	"rostrum/store"
)

// changedCookie is with a browser for as long as a replica may not know what
// its person has just changed.
const changedCookie = "rostrum-changed"

// mayLag lets lists come from a replica, where there is one: for visitors who
// read and have not changed anything a moment ago. Programs always get the
// present state.
func (h *house) mayLag(next http.Handler) http.Handler {
	if !h.Store.Replica.Exists() {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, unchanged := r.Cookie(changedCookie)
		switch {
		case bearer(r) != "":
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			http.SetCookie(w, &http.Cookie{Name: changedCookie, Value: "1", Path: "/", MaxAge: 2 * int(store.MostLag/time.Second),
				HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: h.Secure})
		case unchanged != nil:
			r = r.WithContext(store.MayLag(r.Context()))
		}
		next.ServeHTTP(w, r)
	})
}
