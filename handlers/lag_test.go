package handlers_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"rostrum/handlers"
	"rostrum/store"
	"rostrum/store/storetest"
)

// changed finds the mark that a browser changed something.
func changed(a answer) *http.Cookie {
	for _, c := range a.Cookies() {
		if c.Name == "rostrum-changed" {
			return c
		}
	}
	return nil
}

func TestWhoChangedSomethingIsMarkedForAsLongAsAReplicaMayNotKnow(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *handlers.Options) {
		address := storetest.URL(t)
		replicated, err := store.Open(t.Context(), store.Options{URL: address, ReadURL: address, SoftClose: storetest.SoftClose})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(replicated.Close)
		o.Store = replicated
	})
	v := s.visitor()
	if changed(v.get("/")) != nil {
		t.Error("reading is taken for a change")
	}
	mark := changed(v.form("/login", url.Values{"email": {"nobody@example.com"}, "password": {"x"}}))
	if mark == nil || time.Duration(mark.MaxAge)*time.Second <= store.MostLag || !mark.HttpOnly || mark.SameSite != http.SameSiteLaxMode {
		t.Errorf("a change is not marked well: %+v", mark)
	}
	if changed(open(t).visitor().form("/login", url.Values{})) != nil {
		t.Error("there is a mark where there is no replica")
	}
}
