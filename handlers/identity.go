package handlers

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/alexedwards/scs/v2"

	"rostrum/store"
	"rostrum/store/auction"
)

// signInKey is what a session keeps: the id of the sign-in, whose row says who
// signed in, as long as it is there.
const signInKey = "sign-in"

type identity struct{}

// newSessions keeps sessions in the database for 30 days. There is no idle
// timeout, because it would write at each request.
func newSessions(s *store.Store, secure bool) *scs.SessionManager {
	m := scs.New()
	m.Store = s.Sessions()
	m.HashTokenInStore = true
	m.Lifetime = store.SignInLasts
	m.Cookie.Name = "rostrum"
	m.Cookie.HttpOnly = true
	m.Cookie.SameSite = http.SameSiteLaxMode
	if secure {
		m.Cookie.Name = "__Host-rostrum" // no other host, no plain http can set it
		m.Cookie.Secure = true
	}
	return m
}

// identified finds out who asks, by the API token or the session, for reader.
func (h *house) identified(next http.Handler) http.Handler {
	bySession := h.sessions.LoadAndSave(h.answer(func(w http.ResponseWriter, r *http.Request) error {
		id := h.sessions.GetInt64(r.Context(), signInKey)
		if id == 0 {
			next.ServeHTTP(w, r)
			return nil
		}
		person, err := h.Store.PersonBySignIn(r.Context(), id)
		if errors.Is(err, auction.ErrNotFound) {
			next.ServeHTTP(w, r)
			return nil
		}
		return serveAs(w, r, next, person, err)
	}))
	byToken := h.answer(func(w http.ResponseWriter, r *http.Request) error {
		person, err := h.Store.PersonByToken(r.Context(), bearer(r))
		if errors.Is(err, auction.ErrNotFound) {
			err = errToken
		}
		return serveAs(w, r, next, person, err)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Authorization")
		w.Header().Set("Cache-Control", "private, no-cache")
		if bearer(r) != "" {
			byToken.ServeHTTP(w, r)
			return
		}
		bySession.ServeHTTP(w, r)
	})
}

func serveAs(w http.ResponseWriter, r *http.Request, next http.Handler, person auction.Person, err error) error {
	if err != nil {
		return err
	}
	next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), identity{}, &person)))
	return nil
}

// reader is who asks, nil where nobody is signed in.
func reader(r *http.Request) *auction.Person {
	person, _ := r.Context().Value(identity{}).(*auction.Person)
	return person
}

// signedIn is who asks; ErrSignedOut where nobody is signed in.
func signedIn(r *http.Request) (auction.Person, error) {
	person := reader(r)
	if person == nil {
		return auction.Person{}, auction.ErrSignedOut
	}
	return *person, nil
}

func readerID(r *http.Request) int64 {
	if person := reader(r); person != nil {
		return person.ID
	}
	return 0
}

// inBrowser keeps API tokens away from what is a session's: a token must not
// make itself another, or change who it acts for.
func inBrowser(handle handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if bearer(r) != "" {
			return errBrowserOnly
		}
		return handle(w, r)
	}
}

// onesOwn lets people at their own settings.
func onesOwn(handle handler) handler {
	return inBrowser(func(w http.ResponseWriter, r *http.Request) error {
		if _, err := signedIn(r); err != nil {
			return err
		}
		return handle(w, r)
	})
}

// onlyAdmins shows a page to admins; others are not told that it is there.
func onlyAdmins(handle handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if person := reader(r); person == nil || !person.Admin || person.Suspended {
			return errNoPage
		}
		return handle(w, r)
	}
}

func bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// signInFor is the address of the sign-in page from which one comes back: to
// the page itself, or from a form to the page that it stands on.
func signInFor(r *http.Request) string {
	back := r.URL.RequestURI()
	if r.Method != http.MethodGet {
		back = strings.TrimSuffix(strings.TrimSuffix(r.URL.Path, "/confirmation"), "/bids")
		if strings.HasPrefix(back, "/settings/") {
			back = "/settings"
		}
	}
	return "/login?next=" + url.QueryEscape(back)
}

// local is an address of this site to go to, "/" for anything else: a browser
// takes "//host" and "/\host" for another site.
func local(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" ||
		!strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") || strings.ContainsAny(address, "\\\r\n\t") {
		return "/"
	}
	return address
}
