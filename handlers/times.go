package handlers

import (
	"net/http"
	"net/url"

	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

// showTimes says what a form's start and end mean while they are written.
func (h *house) showTimes(w http.ResponseWriter, r *http.Request) error {
	person, err := signedIn(r)
	if err != nil {
		return err
	}
	form, mistakes := r.URL.Query(), auction.Mistakes{}
	stands, err := h.edited(r, form.Get("lot"), person)
	if err != nil {
		return err
	}
	t := readTimes(form, mistakes, readZone(r, form, mistakes), stands, h.Store.Now())
	h.tellMistakes(&t, form, mistakes)
	return web.Render(w, r, http.StatusOK, views.TimesMeant(t.meant))
}

// edited is the lot of one's own whose times are written anew, nil for a new lot.
func (h *house) edited(r *http.Request, text string, person auction.Person) (*auction.Auction, error) {
	if text == "" {
		return nil, nil //nolint:nilnil // there is none yet
	}
	id, err := readID(text)
	if err != nil {
		return nil, err
	}
	lot, err := h.Store.Auction(r.Context(), id)
	if err == nil && lot.SellerID != person.ID {
		err = auction.ErrNotYours
	}
	return &lot, err
}

// tellMistakes writes what is wrong beside what is meant. Of a field that is
// still empty nothing is said.
func (h *house) tellMistakes(t *times, form url.Values, mistakes auction.Mistakes) {
	if form.Get("startTime") != "" && len(t.meant.Start.Twice) == 0 {
		t.meant.Start.Mistake = mistakes["startTime"]
	}
	end := &t.meant.End
	switch {
	case form.Get("lasts") != "" && mistakes["lasts"] != "":
		end.Mistake = mistakes["lasts"]
	case form.Get("endTime") != "" && len(end.Twice) == 0 && mistakes["endTime"] != "":
		end.Mistake = mistakes["endTime"]
	case t.end.IsZero():
	case !t.end.After(h.Store.Now()):
		end.Mistake = "The end must be in the future."
	case t.start != nil && !t.end.After(*t.start):
		end.Mistake = "The end must be after the start."
	}
}
