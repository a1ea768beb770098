package handlers_test

import (
	"net/http"
	"testing"
	"time"

	"rostrum/handlers"
	"rostrum/store"
)

func TestTheStreamOfAdminsEndsWithTheirRole(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *handlers.Options) { o.Heartbeat = 50 * time.Millisecond })
	lot, ruth, yes, no := s.Lot(s.Person(true), time.Hour), s.Person(false), true, false
	s.set(ruth, store.Change{Admin: &yes})
	v := s.signedIn(ruth)
	address := "/admin/open/events?auction=" + itoa(lot.ID)
	if a := v.get(address, "Accept", "text/event-stream, text/html"); a.StatusCode != http.StatusOK { // which is read to its end
		t.Fatal(a.StatusCode)
	}
	s.set(ruth, store.Change{Admin: &no})
	if a := v.get(address, "Accept", "text/event-stream, text/html"); a.StatusCode != http.StatusNotFound {
		t.Error(a.StatusCode)
	}
}
