package handlers

import (
	"errors"
	"net/http"
	"strings"

	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

func (h *house) showRegister(w http.ResponseWriter, r *http.Request) error {
	return h.registerForm(w, r, http.StatusOK, views.Fields{})
}

func (h *house) registerForm(w http.ResponseWriter, r *http.Request, status int, form views.Fields) error {
	return web.Render(w, r, status, views.RegisterPage(h.page(r, "Register"), form, local(r.FormValue("next"))))
}

// register makes an account and signs its owner in.
func (h *house) register(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	person, err := h.newPerson(r)
	var mistakes auction.Mistakes
	switch {
	case errors.Is(err, auction.ErrEmailTaken):
		mistakes = auction.Mistakes{"email": "This address has an account already. Sign in instead."}
	case errors.As(err, &mistakes):
	case err != nil:
		return err
	default:
		return h.enter(w, r, person)
	}
	if web.PrefersJSON(r) {
		return mistakes
	}
	return h.registerForm(w, r, http.StatusUnprocessableEntity, typed(r, mistakes))
}

func (h *house) newPerson(r *http.Request) (auction.Person, error) {
	if err := pass(r, h.limits.visits, web.AddressKey(r)); err != nil {
		return auction.Person{}, err
	}
	registration := auction.Registration{
		Name: r.PostForm.Get("name"), Email: r.PostForm.Get("email"), Password: r.PostForm.Get("password")}.Tidy()
	if mistakes := registration.Check(); mistakes != nil {
		return auction.Person{}, mistakes
	}
	return h.Store.Register(r.Context(), registration)
}

func (h *house) showSignIn(w http.ResponseWriter, r *http.Request) error {
	return h.signInForm(w, r, http.StatusOK, views.Fields{})
}

func (h *house) signInForm(w http.ResponseWriter, r *http.Request, status int, form views.Fields) error {
	return web.Render(w, r, status, views.SignInPage(h.page(r, "Sign in"), form, local(r.FormValue("next"))))
}

// signIn signs a person in and sends them back to where they were.
func (h *house) signIn(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	person, err := h.knownPerson(r)
	if err == nil {
		return h.enter(w, r, person)
	}
	p := told(err)
	if p.status >= 500 || web.PrefersJSON(r) {
		return err
	}
	p.headers(w)
	form := typed(r, nil)
	form.Notice = p.title + " " + p.detail
	return h.signInForm(w, r, p.status, form)
}

// knownPerson checks who signs in, as often as an address and an account may try.
func (h *house) knownPerson(r *http.Request) (auction.Person, error) {
	email := auction.NormalEmail(r.PostForm.Get("email"))
	if !auction.ValidEmail(email) {
		email = "" // which nobody has; looking takes as long
	}
	if err := h.mayGuess(r, email); err != nil {
		return auction.Person{}, err
	}
	return h.Store.SignIn(r.Context(), email, r.PostForm.Get("password"))
}

// mayGuess counts a try at an account's password.
func (h *house) mayGuess(r *http.Request, email string) error {
	if err := pass(r, h.limits.visits, web.AddressKey(r)); err != nil {
		return err
	}
	if err := pass(r, h.limits.guesses, email+" "+web.AddressKey(r)); err != nil {
		return err
	}
	return pass(r, h.limits.passwords, email)
}

// enter begins a session. It gets a new token: one that was known before
// signing in must not become worth something.
func (h *house) enter(w http.ResponseWriter, r *http.Request, person auction.Person) error {
	if err := h.sessions.RenewToken(r.Context()); err != nil {
		return err
	}
	id, err := h.Store.BeginSignIn(r.Context(), person, agent(r), web.Address(r).String(), h.sessions.GetInt64(r.Context(), signInKey))
	if err != nil {
		return err
	}
	h.sessions.Put(r.Context(), signInKey, id)
	http.Redirect(w, r, local(r.PostForm.Get("next")), http.StatusSeeOther)
	return nil
}

// agent is what the browser calls itself, as far as it is worth keeping.
func agent(r *http.Request) string {
	const most = 400
	text := strings.ToValidUTF8(strings.ReplaceAll(r.UserAgent(), "\x00", ""), "")
	return strings.ToValidUTF8(text[:min(len(text), most)], "")
}

// signOut ends the session and the sign-in.
func (h *house) signOut(w http.ResponseWriter, r *http.Request) error {
	if person := reader(r); person != nil {
		err := h.Store.EndSignIn(r.Context(), person.ID, h.sessions.GetInt64(r.Context(), signInKey))
		if err != nil && !errors.Is(err, auction.ErrNotFound) {
			return err
		}
	}
	if err := h.sessions.Destroy(r.Context()); err != nil {
		return err
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}
