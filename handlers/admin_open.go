package handlers

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

// listOpen is what is open: ending next, or with the most bids lately.
func (h *house) listOpen(w http.ResponseWriter, r *http.Request) error {
	after, err := readPlace(r)
	if err != nil {
		return err
	}
	var lots []store.Overseen
	var next *string
	hottest := r.FormValue("sort") == "hottest"
	if hottest {
		lots, err = h.Store.Hottest(r.Context(), lotsPerPage)
	} else {
		lots, err = h.Store.EndingNext(r.Context(), after, lotsPerPage+1)
		lots, next = cut(lots, lotsPerPage, func(o store.Overseen) string { return writePlace(o.End()) })
	}
	if err != nil {
		return err
	}
	list := h.openLots(lots, hottest)
	if next != nil {
		list.Next = "/admin/open?cursor=" + *next
	}
	return web.Render(w, r, http.StatusOK, views.OpenLotsPage(h.page(r, "Open lots"), list))
}

func (h *house) openLots(lots []store.Overseen, hottest bool) views.OpenLots {
	list := views.OpenLots{Hottest: hottest}
	watched := url.Values{}
	for _, lot := range lots {
		row := views.OverseenRow{ID: lot.ID, Title: lot.Title, Seller: who(lot.Seller), Leader: maybeWho(lot.Leader), Live: h.rowState(lot.State())}
		if hottest {
			row.Recent = fmt.Sprintf("%d lately", lot.Recent)
		}
		list.Rows = append(list.Rows, row)
		watched.Add("auction", strconv.FormatInt(lot.ID, 10))
	}
	if len(watched) > 0 {
		list.Stream = "/admin/open/events?" + watched.Encode()
	}
	return list
}

// streamOpen sends the live frames of the admins' list, which tell who leads.
// It ends after a few beats, and the page asks for it anew: whoever is no admin
// any more, or is signed out, gets no other.
func (h *house) streamOpen(w http.ResponseWriter, r *http.Request) error {
	ids, err := watchedIDs(r)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), 4*h.Heartbeat)
	defer cancel()
	return h.stream(w, r.WithContext(ctx), ids, h.overseenEvents(ctx), false)
}

func (h *house) overseenEvents(ctx context.Context) encoder {
	ctx = context.WithoutCancel(ctx) // others share the frame
	return encoder{"overseen", func(s auction.State) ([]byte, error) {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		s = h.dated(s)
		var leader *views.Who
		if s.LeaderID != nil {
			person, err := h.Store.Person(ctx, *s.LeaderID)
			if err != nil {
				return nil, err
			}
			leader = &views.Who{ID: person.ID, Name: person.Name, Alias: person.Alias, Email: person.Email}
		}
		return htmlEvent(ctx, s, views.OverseenFrame(h.rowState(s), leader))
	}, true}
}

func who(n auction.Named) views.Who {
	return views.Who{ID: n.ID, Name: n.Name, Alias: n.Alias, Email: n.Email}
}

func maybeWho(n *auction.Named) *views.Who {
	if n == nil {
		return nil
	}
	told := who(*n)
	return &told
}
