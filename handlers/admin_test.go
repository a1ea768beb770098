package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
)

// office is a house with an admin, Ruth, a seller's lot, and two who bid.
type office struct {
	*site
	ruth, seller, ann, ben auction.Person
	lot                    auction.Auction
	admin                  *visitor
}

func openOffice(t *testing.T) *office {
	t.Helper()
	s := open(t)
	o := &office{site: s, ruth: s.Person(false), seller: s.Person(true), ann: s.Person(false), ben: s.Person(false)}
	yes := true
	s.set(o.ruth, store.Change{Admin: &yes})
	o.lot = s.Lot(o.seller, time.Hour)
	o.admin = s.signedIn(o.ruth)
	return o
}

func (o *office) bids(who auction.Person, a auction.Auction, amount string) {
	o.t.Helper()
	if out, err := o.PlaceBid(o.t.Context(), o.Offer(a, who, amount)); err != nil || out.Verdict != auction.Accepted {
		o.t.Fatal(out.Verdict, err)
	}
}

// ends closes the lots whose end has come, after moving this one's there.
func (o *office) ends(a auction.Auction) {
	o.t.Helper()
	o.Exec(`UPDATE auction SET start_time = start_time - interval '1 day', end_time = clock_timestamp() WHERE id = $1`, a.ID)
	if n, err := o.NewCloser(func(time.Duration) {}).Once(o.t.Context()); n != 1 || err != nil {
		o.t.Fatal(n, err)
	}
}

func personPath(p auction.Person, part string) string { return "/admin/people/" + itoa(p.ID) + part }

func TestOthersAreNotToldThatAdminsHavePages(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	yes := true
	gone := o.Person(false)
	o.set(gone, store.Change{Admin: &yes})
	suspended := o.signedIn(gone)
	o.set(gone, store.Change{Suspended: &yes})
	who := map[string]*visitor{"nobody": o.visitor(), "a bidder": o.signedIn(o.ann), "the seller": o.signedIn(o.seller), "a suspended admin": suspended}
	for _, pattern := range routePatterns(t) {
		method, path, _ := strings.Cut(pattern, " ")
		if !strings.HasPrefix(path, "/admin") {
			continue
		}
		id := itoa(o.lot.ID)
		if strings.HasPrefix(path, "/admin/people/") {
			id = itoa(o.ben.ID)
		}
		path = strings.Replace(path, "{id}", id, 1)
		for name, v := range who {
			var a answer
			if method == http.MethodPost {
				a = v.form(path, url.Values{"reason": {"Because."}, "allowed": {"true"}})
			} else {
				a = v.get(path + "?auction=" + itoa(o.lot.ID))
			}
			if a.StatusCode != http.StatusNotFound {
				t.Errorf("%s for %s: %d", pattern, name, a.StatusCode)
			}
			a.hides(t, o.ben.Email, "/admin/people")
		}
	}
	p, err := o.Somebody(t.Context(), o.ben.ID)
	if err != nil || p.Suspended || p.Seller || p.Admin {
		t.Errorf("somebody acted: %+v, %v", p, err)
	}
	if a, _ := o.Auction(t.Context(), o.lot.ID); a.Status != auction.Open {
		t.Error("somebody withdrew the lot")
	}
}

func TestAnAdminActsOnAPersonForAReason(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	for _, c := range []struct{ part, allowed, shows, word string }{
		{"/suspension", "", "They cannot sign in or bid", "suspended"},
		{"/restoration", "", "Suspend", "restored"},
		{"/selling", "true", "End their selling", "let"},
		{"/selling", "false", "Let them sell", "ended the selling of"},
		{"/admin-role", "true", "End their role as admin", "made"},
		{"/admin-role", "false", "Make them an admin", "ended the admin role of"},
	} {
		values := url.Values{"allowed": {c.allowed}, "reason": {" \n"}}
		refused := o.admin.form(personPath(o.ann, c.part), values)
		if refused.StatusCode != http.StatusUnprocessableEntity {
			t.Fatalf("%s without a reason: %d", c.part, refused.StatusCode)
		}
		refused.shows(t, "Please fill this in.", o.ann.Email)
		why := "Reason of " + c.word
		values.Set("reason", why)
		for range 2 {
			if a := o.admin.form(personPath(o.ann, c.part), values); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != personPath(o.ann, "") {
				t.Fatalf("%s: %d to %s", c.part, a.StatusCode, a.Header.Get("Location"))
			}
		}
		o.admin.get(personPath(o.ann, "")).shows(t, c.shows, why)
		log := o.admin.get("/admin/audit?about=" + o.ann.Alias)
		log.shows(t, o.ruth.Name+" ("+o.ruth.Alias+") "+c.word+" "+o.ann.Name+" ("+o.ann.Alias+")")
		if n := strings.Count(log.text, why); n != 1 {
			t.Errorf("%s is noted %d times", c.part, n)
		}
	}
	for _, part := range []string{"/suspension", "/admin-role"} {
		a := o.admin.form(personPath(o.ruth, part), url.Values{"reason": {"Tired."}, "allowed": {"false"}})
		if a.StatusCode != http.StatusConflict {
			t.Errorf("to oneself %s: %d", part, a.StatusCode)
		}
		a.shows(t, "You cannot do this to your own account. Ask another admin.")
	}
	for _, part := range []string{"/selling", "/admin-role"} { // what cannot be read gives nobody a role
		for _, allowed := range []string{"", "no", "TRUE", "1"} {
			if a := o.admin.form(personPath(o.ben, part), url.Values{"reason": {"A reason."}, "allowed": {allowed}}); a.StatusCode != http.StatusBadRequest {
				t.Errorf("%s with %q: %d", part, allowed, a.StatusCode)
			}
		}
	}
	if p, err := o.Store.Person(t.Context(), o.ben.ID); err != nil || p.Admin || p.Seller {
		t.Errorf("%+v, %v", p, err)
	}
	if a := o.admin.form("/admin/people/999999/suspension", url.Values{"reason": {"x"}}); a.StatusCode != http.StatusNotFound {
		t.Error(a.StatusCode)
	}
}

func TestAnAdminWithdrawsALotAndItsBiddersReadWhy(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	o.bids(o.ann, o.lot, "1010")
	o.bids(o.ben, o.lot, "1500")
	page := o.admin.get("/admin" + path(o.lot))
	page.shows(t, "2 bids will count no more, and "+o.ben.Alias+", who leads with $1,500.00, will not get the lot.",
		o.ann.Email, o.ben.Email, o.seller.Email, "bids-accepted")
	const why = "The watch is not what it says it is."
	withdrawal := "/admin" + path(o.lot) + "/withdrawal"
	if a := o.admin.form(withdrawal, url.Values{"reason": {"  "}}); a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("without a reason: %d", a.StatusCode)
	}
	for range 2 {
		if a := o.admin.form(withdrawal, url.Values{"reason": {why}}); a.StatusCode != http.StatusSeeOther {
			t.Errorf("withdrawing: %d", a.StatusCode)
		}
	}
	page = o.admin.get("/admin" + path(o.lot))
	page.shows(t, "Withdrawn, version 4", why, "withdrew lot "+itoa(o.lot.ID), "bid count 2", "price 1500.00")
	page.hides(t, "/withdrawal")
	o.signedIn(o.ann).get(path(o.lot)).shows(t, "This lot was withdrawn.", why)
	o.signedIn(o.seller).get(path(o.lot)).shows(t, "This lot was withdrawn.", why)
	o.admin.get("/admin/closed?outcome=withdrawn").shows(t, o.lot.Title, "Withdrawn")
	for _, path := range []string{"/admin/auctions/999999", "/admin/auctions/x"} {
		if a := o.admin.get(path); a.StatusCode != http.StatusNotFound {
			t.Error(path, a.StatusCode)
		}
	}
}

func TestALotsLogIsReadToItsEnd(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	for i := range 101 {
		o.bids(o.ann, o.lot, itoa(int64(1010+10*i)))
	}
	first := o.admin.get("/admin" + path(o.lot))
	first.shows(t, "$2,010.00", "$1,020.00", "Earlier bids")
	first.hides(t, "$1,010.00<")
	second := o.admin.get("/admin" + path(o.lot) + "?cursor=3")
	second.shows(t, "$1,010.00")
	second.hides(t, "$1,020.00<", "Earlier bids")
}

func TestOpenLotsAreListedByEndAndByHowManyBid(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	soon := o.Lot(o.seller, time.Minute)
	o.bids(o.ann, o.lot, "1010")
	o.bids(o.ben, o.lot, "1020")
	o.bids(o.ann, soon, "1010")
	over := o.Lot(o.seller, time.Hour)
	o.bids(o.ann, over, "1010")
	o.ends(over)
	row := func(a auction.Auction) string { return `id="row-` + itoa(a.ID) + `"` }
	page := o.admin.get("/admin/open")
	page.shows(t, o.seller.Name, "leader "+o.ben.Alias, "$1,020.00")
	inOrder(t, page.text, row(soon), row(o.lot))
	page.hides(t, row(over))
	hot := o.admin.get("/admin/open?sort=hottest")
	inOrder(t, hot.text, row(o.lot), row(soon))
	hot.shows(t, "2 lately", "1 lately")
	hot.hides(t, row(over))
	if a := o.admin.get("/admin"); a.Header.Get("Location") != "/admin/open" {
		t.Error("the admins' first page is", a.Header.Get("Location"))
	}
	if a := o.admin.get("/admin/open?cursor=x"); a.StatusCode != http.StatusBadRequest {
		t.Error(a.StatusCode)
	}
}

func inOrder(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		_, rest, found := strings.Cut(text, part)
		if !found {
			t.Fatalf("%q does not come in its turn", part)
		}
		text = rest
	}
}
