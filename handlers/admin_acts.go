package handlers

import (
	"errors"
	"net/http"
	"strconv"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

// act does an act on a person, for a reason: do, or undo where the form says
// allowed=false. The same again changes nothing and is answered alike.
func (h *house) act(do, undo auction.Action) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, err := readID(r.PathValue("id"))
		if err != nil {
			return err
		}
		if err := readForm(r); err != nil {
			return err
		}
		act := auction.Act{ActorID: readerID(r), PersonID: id, Action: do, Reason: r.PostForm.Get("reason")}.Tidy()
		if undo != "" {
			allowed, err := readYesNo(r.PostForm.Get("allowed"))
			if err != nil {
				return err
			}
			if !allowed {
				act.Action = undo
			}
		}
		if mistakes := act.Check(); mistakes != nil {
			return h.refuseAct(w, r, act, mistakes)
		}
		if _, err := h.Store.Act(r.Context(), act); err != nil {
			return h.refuseAct(w, r, act, err)
		}
		http.Redirect(w, r, "/admin/people/"+strconv.FormatInt(id, 10), http.StatusSeeOther)
		return nil
	}
}

// refuseAct shows the person's page again, with what is wrong and what was typed.
func (h *house) refuseAct(w http.ResponseWriter, r *http.Request, act auction.Act, err error) error {
	var mistakes auction.Mistakes
	own := errors.Is(err, auction.ErrOwnAccount)
	if !errors.As(err, &mistakes) && !own {
		return err
	}
	person, reading := h.overseenPerson(r, act.PersonID)
	if reading != nil {
		return reading
	}
	for i := range person.Acts {
		if form := &person.Acts[i]; actions[act.Action].part == form.ID {
			form.Reason, form.Mistake = act.Reason, mistakes["reason"]
		}
	}
	p := told(err)
	if own {
		person.Notice = p.title + " " + p.detail
	}
	return web.Render(w, r, p.status, views.PersonPage(h.page(r, person.Person.Name), person))
}

// actions are the acts on a person: the last part of the address, what its
// field says, and what the form tells.
var actions = map[auction.Action]struct{ part, allowed, title, told, button string }{
	auction.ActionSuspend:      {"suspension", "", "Suspend", "They can no longer sign in, bid or list lots. Their bids stand, and so do their lots.", "Suspend them"},
	auction.ActionRestore:      {"restoration", "", "Restore", "They can sign in and bid again.", "Restore them"},
	auction.ActionAllowSelling: {"selling", "true", "Let them sell", "They can list lots.", "Let them sell"},
	auction.ActionEndSelling:   {"selling", "false", "End their selling", "They can list no more lots. Those that are open go on.", "End their selling"},
	auction.ActionMakeAdmin:    {"admin-role", "true", "Make them an admin", "They see everything here and can do what you can.", "Make them an admin"},
	auction.ActionEndAdmin:     {"admin-role", "false", "End their role as admin", "They see nothing of these pages any more.", "End their role"},
}

// acts are those that a reader can do on a person as they stand.
func acts(p store.Somebody, readerID int64) []views.ActForm {
	pick := func(yes bool, undo, do auction.Action) auction.Action {
		if yes {
			return undo
		}
		return do
	}
	var forms []views.ActForm
	for _, action := range []auction.Action{
		pick(p.Suspended, auction.ActionRestore, auction.ActionSuspend),
		pick(p.Seller, auction.ActionEndSelling, auction.ActionAllowSelling),
		pick(p.Admin, auction.ActionEndAdmin, auction.ActionMakeAdmin),
	} {
		if p.ID == readerID && (action == auction.ActionSuspend || action == auction.ActionEndAdmin) {
			continue
		}
		a := actions[action]
		forms = append(forms, views.ActForm{ID: a.part, Allowed: a.allowed, Title: a.title, Told: a.told, Button: a.button,
			Main: action == auction.ActionSuspend || action == auction.ActionRestore})
	}
	return forms
}
