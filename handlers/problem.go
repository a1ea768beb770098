package handlers

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"time"

	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

// handler answers a request or says why it did not.
type handler func(w http.ResponseWriter, r *http.Request) error

// problem is an error as a visitor is told of it: RFC 9457 in JSON, a sentence
// in a page. Detail says what to do next.
type problem struct {
	status     int
	code       string
	title      string
	detail     string
	retryAfter time.Duration
	mistakes   auction.Mistakes // of a form's fields
	standing   *standingJSON    // of the auction that a bid was refused on
}

func (p *problem) Error() string { return p.code }

// What is wrong with a request before anything is asked of the house.
var (
	errUnreadable  = &problem{status: 400, code: "unreadable", title: "The request could not be read.", detail: "Send one JSON object, or a form."}
	errKeyRequired = &problem{status: 400, code: "idempotency_key_required", title: "A bid needs an id.", detail: "Send a fresh UUID as Idempotency-Key, and the same one when you send the same bid again."}
	errKeyInvalid  = &problem{status: 400, code: "idempotency_key_invalid", title: "The request's id is not a UUID."}
	errAmount      = &problem{status: 400, code: "amount_invalid", title: "This is not an amount.", detail: "Write digits, and at most as many decimals as the currency has."}
	errCursor      = &problem{status: 400, code: "cursor_invalid", title: "This cursor is not one of ours.", detail: "Begin with an empty cursor."}
	errToken       = &problem{status: 401, code: "unauthenticated", title: "This API token is not known."}
	errMismatch    = &problem{status: 403, code: "bidder_mismatch", title: "You can bid only for yourself."}
	errBrowserOnly = &problem{status: 403, code: "browser_only", title: "This is done in a browser.", detail: "Send no API token: sign in instead."}
	errCrossSite   = &problem{status: 403, code: "cross_site", title: "This request came from another site.", detail: "Open the page here and try again."}
	errNoPage      = &problem{status: 404, code: "not_found", title: "There is nothing here.", detail: "The address may be mistyped, or the lot is gone."}
	errMethod      = &problem{status: 405, code: "method_not_allowed", title: "This address does not take that method."}
	errPanic       = &problem{status: 500, code: "internal", title: "Something went wrong here.", detail: "It has been noted. Please try again."}
)

// refusals say how the errors of the house are answered.
var refusals = []struct {
	err error
	*problem
}{
	{auction.ErrNotFound, errNoPage},
	{auction.ErrUnavailable, &problem{status: 503, code: "unavailable", title: "The house cannot answer right now.", detail: "The same request may be sent again safely.", retryAfter: 2 * time.Second}},
	{auction.ErrSignedOut, &problem{status: 401, code: "unauthenticated", title: "Please sign in first."}},
	{auction.ErrCredentials, &problem{status: 401, code: "unauthenticated", title: "The e-mail address and the password do not match."}},
	{auction.ErrSuspended, &problem{status: 403, code: "suspended", title: "This account is suspended.", detail: "Please write to the house."}},
	{auction.ErrNotSeller, &problem{status: 403, code: "not_a_seller", title: "This account may not sell.", detail: "Switch selling on in your settings."}},
	{auction.ErrNotAdmin, errNoPage}, // as it is told to everybody else
	{auction.ErrOwnAccount, &problem{status: 409, code: "own_account", title: "You cannot do this to your own account.", detail: "Ask another admin."}},
	{auction.ErrNoMatch, &problem{status: 422, code: "no_match", title: "Nobody is called that."}},
	{auction.ErrManyMatch, &problem{status: 422, code: "many_match", title: "Too many people are called that.", detail: "Write more of the name."}},
	{auction.ErrNotYours, &problem{status: 403, code: "not_yours", title: "This is somebody else's lot.", detail: "Only its seller can change it."}},
	{auction.ErrHasBids, &problem{status: 409, code: "has_bids", title: "Somebody has bid on this lot.", detail: "From the first bid on its terms stand. Only the house can still withdraw it: please write to it with your reason."}},
	{auction.ErrEnded, &problem{status: 409, code: "auction_closed", title: "This lot has ended.", detail: "What has ended is not changed any more."}},
	{auction.ErrWithdrawn, &problem{status: 409, code: "auction_withdrawn", title: "This lot was withdrawn.", detail: "It can be listed again as a new lot."}},
	{auction.ErrEdited, &problem{status: 409, code: "auction_edited", title: "This lot was edited meanwhile.", detail: "Read it again, then send your edit anew."}},
	{auction.ErrOpenLots, &problem{status: 409, code: "open_lots", title: "You have open lots.", detail: "Selling can be switched off once they are over."}},
	{auction.ErrTooMany, &problem{status: 409, code: "too_many", title: "You have as many of these as you may.", detail: "Remove one that you do not need any more."}},
	{auction.ErrStillOpen, &problem{status: 409, code: "auction_open", title: "The auction has not closed yet."}},
	{auction.ErrRequestReuse, &problem{status: 422, code: "idempotency_key_reused", title: "This id belongs to another request.", detail: "Send a fresh UUID."}},
}

// answer is the one place where errors of handlers are logged and answered. To
// a visitor who left nothing is answered: an empty 200 might reach somebody.
func (h *house) answer(handle handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := handle(w, r); err != nil {
			h.fail(w, r, err)
		}
	})
}

// fail answers an error.
func (h *house) fail(w http.ResponseWriter, r *http.Request, err error) {
	if web.Gone(err) {
		panic(http.ErrAbortHandler)
	}
	p := told(err)
	if p.status >= 500 && !errors.Is(err, errPanic) { // a panic was logged with its stack
		h.Log.LogAttrs(r.Context(), slog.LevelError, "a request failed", slog.String("path", r.URL.Path), slog.Any("err", err))
	}
	if p.status == http.StatusUnauthorized && !web.PrefersJSON(r) && !web.IsHTMX(r) && bearer(r) == "" {
		http.Redirect(w, r, signInFor(r), http.StatusSeeOther)
		return
	}
	if err := h.tell(w, r, p); err != nil && !web.Gone(err) {
		h.Log.LogAttrs(r.Context(), slog.LevelError, "an error could not be told", slog.Any("err", err))
	}
}

// tell writes a problem as JSON or as a page.
func (h *house) tell(w http.ResponseWriter, r *http.Request, p *problem) error {
	p.headers(w)
	if web.PrefersJSON(r) {
		return web.JSON(w, p.status, "application/problem+json", p.json())
	}
	return web.Render(w, r, p.status, views.ProblemPage(h.page(r, p.title), p.status, p.title, p.detail))
}

func (p *problem) headers(w http.ResponseWriter) {
	if p.status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="rostrum"`)
	}
	if p.retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(p.retryAfter.Seconds()))))
	}
}

// problemJSON has the members of RFC 9457, code, and those of the case.
type problemJSON struct {
	Type   string           `json:"type"`
	Title  string           `json:"title"`
	Status int              `json:"status"`
	Code   string           `json:"code"`
	Detail string           `json:"detail,omitempty"`
	Errors auction.Mistakes `json:"errors,omitempty"`
	*standingJSON
}

func (p *problem) json() problemJSON {
	return problemJSON{Type: "about:blank", Title: p.title, Status: p.status, Code: p.code, Detail: p.detail, Errors: p.mistakes, standingJSON: p.standing}
}

// told is how an error is told; what nobody foresaw is a 500.
func told(err error) *problem {
	var p *problem
	var mistakes auction.Mistakes
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &mistakes):
		return &problem{status: 422, code: "invalid", title: "Some fields are not right.", mistakes: mistakes}
	case errors.As(err, &large):
		return &problem{status: 413, code: "too_large", title: "The request is too large.", detail: fmt.Sprintf("At most %d bytes are read.", large.Limit)}
	}
	for _, known := range refusals {
		if errors.Is(err, known.err) {
			return known.problem
		}
	}
	return errPanic
}

// limited is the problem of somebody who asks too often.
func limited(retryAfter time.Duration) *problem {
	return &problem{status: 429, code: "rate_limited", title: "That was too quick.", retryAfter: retryAfter,
		detail: fmt.Sprintf("Please try again in %d s.", int(math.Ceil(retryAfter.Seconds())))}
}
