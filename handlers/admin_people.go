package handlers

import (
	"net/http"
	"strconv"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

const peoplePerPage = 50

// listPeople is everybody with an account, or those who are called so.
func (h *house) listPeople(w http.ResponseWriter, r *http.Request) error {
	before, err := readBefore(r)
	if err != nil {
		return err
	}
	filter := readFilter(r, "q", "kind")
	kind := store.Kind(filter.Values["kind"])
	switch kind {
	case store.Everybody, store.Sellers, store.Admins, store.SuspendedPeople:
	default:
		kind, filter.Values["kind"] = store.Everybody, ""
	}
	people, err := h.Store.People(r.Context(), store.PeopleQuery{Called: filter.Values["q"], Kind: kind, Before: before, Limit: peoplePerPage + 1})
	if err != nil {
		return err
	}
	people, next := cut(people, peoplePerPage, func(p store.Somebody) string { return strconv.FormatInt(p.ID, 10) })
	list := views.PeopleList{Filter: filter, Next: h.nextOf(r, "/admin/people", next)}
	for _, p := range people {
		list.Lines = append(list.Lines, views.PersonLine{Who: views.Who{ID: p.ID, Name: p.Name, Alias: p.Alias, Email: p.Email},
			Seller: p.Seller, Admin: p.Admin, Suspended: p.Suspended, Since: p.CreatedAt})
	}
	return web.Render(w, r, http.StatusOK, views.PeoplePage(h.page(r, "People"), list))
}

// overseePerson is all that admins see of a person.
func (h *house) overseePerson(w http.ResponseWriter, r *http.Request) error {
	id, err := readID(r.PathValue("id"))
	if err != nil {
		return err
	}
	person, err := h.overseenPerson(r, id)
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, views.PersonPage(h.page(r, person.Person.Name), person))
}

// overseenPerson reads the person, their lots, those they bid on, and what
// admins did to them. The lists go on behind the ids that the address names.
func (h *house) overseenPerson(r *http.Request, id int64) (views.OverseenPerson, error) {
	var page views.OverseenPerson
	p, err := h.Store.Somebody(r.Context(), id)
	if err != nil {
		return page, err
	}
	page = views.OverseenPerson{Person: p.Person, SuspendedAt: p.SuspendedAt, Since: p.CreatedAt, Own: id == readerID(r), Acts: acts(p, readerID(r))}
	path := "/admin/people/" + strconv.FormatInt(id, 10)
	lotsBefore, bidOnBefore := readBeforeIn(r, "lots"), readBeforeIn(r, "bids")
	lots, err := h.Store.LotsOf(r.Context(), id, lotsBefore, linesPerPart+1)
	if err != nil {
		return page, err
	}
	lots, next := cut(lots, linesPerPart, func(a auction.Auction) string { return strconv.FormatInt(a.ID, 10) })
	if next != nil {
		page.MoreLots = path + "?lots=" + *next
	}
	for _, a := range lots {
		page.Lots = append(page.Lots, h.personLot(a))
	}
	bidOn, err := h.Store.LotsBidOn(r.Context(), id, bidOnBefore, linesPerPart+1)
	if err != nil {
		return page, err
	}
	bidOn, next = cut(bidOn, linesPerPart, func(l store.BidderLot) string { return strconv.FormatInt(l.ID, 10) })
	if next != nil {
		page.MoreBidOn = path + "?bids=" + *next
	}
	for _, l := range bidOn {
		line := h.personLot(l.Auction)
		line.Highest, line.Leads = h.Currency.Format(l.Highest), l.State().LedBy(id)
		page.BidOn = append(page.BidOn, line)
	}
	deeds, err := h.Store.Audit(r.Context(), store.AuditQuery{About: id, Before: newest, Limit: linesPerPart})
	page.Deeds = deedLines(deeds)
	return page, err
}

func (h *house) personLot(a auction.Auction) views.PersonLot {
	return views.PersonLot{ID: a.ID, Title: a.Title, Phase: a.State().Phase(), Price: h.Currency.Format(a.CurrentPrice), End: a.EndTime}
}

// readBeforeIn reads where one of several lists on a page goes on; anything
// that is no id begins it with the newest.
func readBeforeIn(r *http.Request, name string) int64 {
	if id, err := readID(r.URL.Query().Get(name)); err == nil {
		return id
	}
	return newest
}
