package handlers_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
)

// sold is a lot that ann won over ben.
func sold(s *site) (lot auction.Auction, seller, ann, ben auction.Person) {
	s.t.Helper()
	seller, ann, ben = s.Person(true), s.Person(false), s.Person(false)
	lot = s.Lot(seller, time.Hour)
	s.bid(s.token(ben), lot, "1010")
	s.bid(s.token(ann), lot, "1234.50")
	s.end(lot)
	return lot, seller, ann, ben
}

// end moves a lot's end into the past and closes it.
func (s *site) end(lot auction.Auction) {
	s.t.Helper()
	s.Exec(`UPDATE auction SET start_time = clock_timestamp() - interval '2 h', end_time = clock_timestamp() WHERE id = $1`, lot.ID)
	s.close()
}

// close closes the one lot that is due.
func (s *site) close() {
	s.t.Helper()
	if n, err := s.NewCloser(func(time.Duration) {}).Once(s.t.Context()); err != nil || n != 1 {
		s.t.Fatalf("closing: %d, %v", n, err)
	}
}

func TestEachReaderIsToldTheirOwnResult(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot, seller, ann, ben := sold(s)
	for _, at := range []string{path(lot), path(lot) + "/result"} {
		winner := s.signedIn(ann).get(at)
		winner.shows(t, "You won", "$1,234.50", seller.Name, seller.Email)
		owner := s.signedIn(seller).get(at)
		owner.shows(t, "$1,234.50", ann.Name, ann.Email)
		loser := s.signedIn(ben).get(at)
		loser.shows(t, "$1,234.50", "$1,010.00")
		stranger := s.visitor().get(at)
		stranger.shows(t, "Sold for $1,234.50", ann.Alias)
		for _, a := range []answer{loser, stranger} {
			a.hides(t, seller.Email, seller.Name, ann.Email, ann.Name, "You won")
		}
	}
}

func TestTheResultInJSONTellsContactsToTheTwoSidesOnly(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot, seller, ann, ben := sold(s)
	for _, c := range []struct {
		token   string
		role    string
		contact any
	}{
		{s.token(ann), "winner", seller.Email},
		{s.token(seller), "seller", ann.Email},
		{s.token(ben), "loser", nil},
		{"", "stranger", nil},
	} {
		a := s.call("GET", path(lot)+"/result", c.token, nil)
		if a.StatusCode != 200 || a.member(t, "outcome") != "sold" || a.member(t, "price") != "1234.50" || a.member(t, "winnerAlias") != ann.Alias ||
			a.member(t, "role") != c.role || a.member(t, "contact.email") != c.contact {
			t.Errorf("%s: %d %s", c.role, a.StatusCode, a.text)
		}
	}
}

func TestTheListOfClosedLotsTellsWhoWonWhat(t *testing.T) {
	t.Parallel()
	s := open(t)
	_, _, ann, ben := sold(s)
	at := "/auctions?status=closed"
	s.visitor().get("/").shows(t, "Closed")
	s.signedIn(ann).get(at).shows(t, "You won")
	s.signedIn(ben).get(at).shows(t, "You did not win")
}

func TestALotThatNobodyBidOnIsUnsold(t *testing.T) {
	t.Parallel()
	s := open(t)
	seller := s.Person(true)
	lot := s.Lot(seller, time.Hour)
	s.end(lot)
	s.visitor().get(path(lot)+"/result").hides(t, "Sold for")
	a := s.call("GET", path(lot)+"/result", s.token(seller), nil)
	if a.member(t, "outcome") != "unsold" || a.member(t, "price") != nil || a.member(t, "winnerAlias") != nil || a.member(t, "contact") != nil {
		t.Errorf("%s", a.text)
	}
}

func TestBeforeTheEndTheResultLeadsBackToTheLot(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot := s.Lot(s.Person(true), time.Hour)
	a := s.visitor().get(path(lot) + "/result")
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != path(lot) {
		t.Errorf("%d to %q", a.StatusCode, a.Header.Get("Location"))
	}
}

func TestAnOpenPageTakesTheResultAsAFragment(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot, _, ann, _ := sold(s)
	a := s.signedIn(ann).get(path(lot)+"/result", "HX-Request", "true")
	a.shows(t, "You won")
	a.hides(t, "<html")
}

func TestEventsAreForAdmins(t *testing.T) {
	t.Parallel()
	s := open(t)
	lot, seller, ann, _ := sold(s)
	admin := s.Person(false)
	yes := true
	s.set(admin, store.Change{Admin: &yes})
	a := s.call("GET", "/admin/events?auction="+path(lot)[len("/auctions/"):], s.token(admin), nil)
	for _, part := range []string{`"topic":"auction-closed"`, `"topic":"bids-accepted"`, `"publishedAt":null`} {
		if a.StatusCode != 200 || !strings.Contains(a.text, part) {
			t.Errorf("no %s: %d %s", part, a.StatusCode, a.text)
		}
	}
	s.signedIn(admin).get("/admin/events").shows(t, "auction-closed")
	for _, v := range []*visitor{s.signedIn(seller), s.signedIn(ann), s.visitor()} {
		for _, at := range []string{"/admin", "/admin/events"} {
			if a := v.get(at); a.StatusCode != http.StatusNotFound {
				t.Errorf("%s: %d", at, a.StatusCode)
			}
		}
	}
}
