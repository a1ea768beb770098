package handlers

import (
	"errors"
	"net/http"
	"slices"

	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

// showSettings is what a person may change about themselves. What was changed
// just now is told in the section that the address names.
func (h *house) showSettings(w http.ResponseWriter, r *http.Request) error {
	return h.settingsPage(w, r, http.StatusOK, views.Settings{Told: r.URL.Query().Get("changed")})
}

func (h *house) settingsPage(w http.ResponseWriter, r *http.Request, status int, s views.Settings) error {
	s.Person = *reader(r)
	var err error
	if s.Tokens, err = h.Store.Tokens(r.Context(), s.Person.ID); err != nil {
		return err
	}
	if s.SignIns, err = h.signInLines(r); err != nil {
		return err
	}
	return web.Render(w, r, status, views.SettingsPage(h.page(r, "Settings"), s))
}

// showSetting leads from the address of a form, which a browser may come back
// to, to the place on the page where the form stands.
func (h *house) showSetting(w http.ResponseWriter, r *http.Request) error {
	section, known := sections[r.PathValue("setting")]
	if !known {
		return errNoPage
	}
	http.Redirect(w, r, "/settings#"+section, http.StatusSeeOther)
	return nil
}

// sections are where on the page the settings stand, by their nouns.
var sections = map[string]string{
	"name": views.SettingName, "alias": views.SettingAlias, "email": views.SettingEmail, "password": views.SettingPassword,
	"preferences": views.SettingPreferences, "selling": views.SettingSelling, "tokens": views.SettingTokens, "sign-ins": views.SettingSignIns,
}

// changing is a handler of a section's form: what change does is told there,
// and what is wrong with it too, with what was typed.
func (h *house) changing(section string, change func(*http.Request, auction.Person) error) handler {
	return onesOwn(func(w http.ResponseWriter, r *http.Request) error {
		err := readForm(r)
		if err == nil {
			err = change(r, *reader(r))
		}
		if err != nil {
			return h.refuseSetting(w, r, section, err)
		}
		http.Redirect(w, r, "/settings?changed="+section+"#"+section, http.StatusSeeOther)
		return nil
	})
}

// refuseSetting shows the settings with what is wrong in one section. What
// belongs to no section is the adapter's.
func (h *house) refuseSetting(w http.ResponseWriter, r *http.Request, section string, err error) error {
	p := told(err)
	inPlace := []int{http.StatusUnprocessableEntity, http.StatusConflict, http.StatusTooManyRequests}
	if web.PrefersJSON(r) || !slices.Contains(inPlace, p.status) {
		return err
	}
	form := typed(r, nil)
	if !errors.As(err, &form.Mistakes) {
		form.Notice = p.title + " " + p.detail
	}
	p.headers(w)
	return h.settingsPage(w, r, p.status, views.Settings{Refused: section, Form: form})
}

func (h *house) changeName(r *http.Request, person auction.Person) error {
	name := auction.Registration{Name: r.PostForm.Get("name")}.Tidy().Name
	if mistake := auction.CheckName(name); mistake != "" {
		return auction.Mistakes{"name": mistake}
	}
	return h.Store.SetName(r.Context(), person.ID, name)
}

func (h *house) changeAlias(r *http.Request, person auction.Person) error {
	alias := auction.TidyAlias(r.PostForm.Get("alias"))
	if alias == person.Alias {
		return nil
	}
	if alias != "" {
		if mistake := auction.CheckAlias(alias); mistake != "" {
			return auction.Mistakes{"alias": mistake}
		}
	}
	err := h.Store.SetAlias(r.Context(), person.ID, alias)
	if errors.Is(err, auction.ErrAliasTaken) {
		return auction.Mistakes{"alias": "Somebody has this alias, or one that looks like it. Please choose another."}
	}
	return err
}

func (h *house) changeEmail(r *http.Request, person auction.Person) error {
	email := auction.NormalEmail(r.PostForm.Get("email"))
	if mistake := auction.CheckEmail(email); mistake != "" {
		return auction.Mistakes{"email": mistake}
	}
	if err := h.mayGuess(r, person.Email); err != nil {
		return err
	}
	err := h.Store.SetEmail(r.Context(), person.ID, r.PostForm.Get("email_password"), email)
	switch {
	case errors.Is(err, auction.ErrCredentials):
		return auction.Mistakes{"email_password": "This is not your password."}
	case errors.Is(err, auction.ErrEmailTaken):
		return auction.Mistakes{"email": "This address has an account already."}
	default:
		return err
	}
}

// changePassword renews the session's token too: whoever knew the old one has
// no part in what the new password protects.
func (h *house) changePassword(r *http.Request, person auction.Person) error {
	fresh := r.PostForm.Get("new_password")
	if mistake := auction.CheckPassword(fresh); mistake != "" {
		return auction.Mistakes{"new_password": mistake}
	}
	if err := h.mayGuess(r, person.Email); err != nil {
		return err
	}
	err := h.Store.SetPassword(r.Context(), person.ID, h.signInID(r), r.PostForm.Get("old_password"), fresh)
	switch {
	case errors.Is(err, auction.ErrCredentials):
		return auction.Mistakes{"old_password": "This is not your password."}
	case err != nil:
		return err
	default:
		return h.sessions.RenewToken(r.Context())
	}
}

func (h *house) changePreferences(r *http.Request, person auction.Person) error {
	zone := r.PostForm.Get("zone")
	if !auction.KnownZone(zone) {
		return auction.Mistakes{"zone": "Please choose one of these."}
	}
	if !r.PostForm.Has("confirm") { // a browser does not send a box that is not ticked
		return h.Store.SetPreferences(r.Context(), person.ID, zone, false)
	}
	confirm, err := readYesNo(r.PostForm.Get("confirm"))
	if err != nil {
		return err
	}
	return h.Store.SetPreferences(r.Context(), person.ID, zone, confirm)
}

func (h *house) changeSelling(r *http.Request, person auction.Person) error {
	selling, err := readYesNo(r.PostForm.Get("selling"))
	if err != nil {
		return err
	}
	return h.Store.SetSelling(r.Context(), person.ID, selling)
}
