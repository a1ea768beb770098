package handlers

import (
	"net/http"
	"time"

	"rostrum/static"
	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

// bodyLimit has room for a description of 10,000 characters, which a form
// writes with up to 12 bytes each.
const bodyLimit = 128 << 10

// patience is how long the house may take over a request. Judging a bid has
// its own, which comes on top.
const patience = 10 * time.Second

func (h *house) routes() http.Handler {
	mux := http.NewServeMux()
	people := func(pattern string, handle handler) {
		mux.Handle(pattern, web.Finish(patience)(h.mayLag(h.identified(h.answer(handle)))))
	}
	anyone := func(pattern string, handle handler) { mux.Handle(pattern, h.answer(handle)) }
	admins := func(pattern string, handle handler) { people(pattern, onlyAdmins(handle)) }
	adminStreams := func(pattern string, handle handler) { mux.Handle(pattern, h.identified(h.answer(onlyAdmins(handle)))) }

	// Lots for everybody
	people("GET /{$}", h.listAuctions)
	people("GET /auctions", h.listAuctions)
	people("POST /auctions", h.createAuction)
	people("GET /auctions/{id}", h.showAuction)
	people("GET /auctions/{id}/result", h.showResult)

	// Lots of one's own
	people("GET /sell", h.showSellForm)
	people("GET /sell/times", h.showTimes)
	people("GET /lots", h.listOwnLots)
	people("GET /auctions/{id}/edit", h.showEditForm)
	people("POST /auctions/{id}/edit", h.editAuction)
	people("GET /auctions/{id}/withdrawal", h.showWithdrawal)
	people("POST /auctions/{id}/withdrawal", h.withdrawAuction)

	// Watching, and one's own bids
	people("POST /auctions/{id}/watch", h.watch)
	people("GET /watchlist", h.listWatched)
	people("GET /bids", h.listMyBids)

	// Bids
	people("POST /auctions/{id}/bids", h.placeBid)
	people("POST /auctions/{id}/bids/confirmation", h.confirmBid)
	people("GET /auctions/{id}/bids", h.listBids)

	// Live
	anyone("GET /auctions/{id}/events", h.streamAuction)
	anyone("GET /events", h.streamAuctions)
	anyone("GET /ws/auctions/{id}", h.openSocket)

	// People
	people("GET /register", h.showRegister)
	people("POST /register", inBrowser(h.register))
	people("GET /login", h.showSignIn)
	people("POST /login", inBrowser(h.signIn))
	people("POST /logout", inBrowser(h.signOut))

	// Settings
	people("GET /settings", onesOwn(h.showSettings))
	people("GET /settings/{setting}", onesOwn(h.showSetting))
	people("POST /settings/name", h.changing(views.SettingName, h.changeName))
	people("POST /settings/alias", h.changing(views.SettingAlias, h.changeAlias))
	people("POST /settings/email", h.changing(views.SettingEmail, h.changeEmail))
	people("POST /settings/password", h.changing(views.SettingPassword, h.changePassword))
	people("POST /settings/preferences", h.changing(views.SettingPreferences, h.changePreferences))
	people("POST /settings/selling", h.changing(views.SettingSelling, h.changeSelling))
	people("POST /settings/tokens", onesOwn(h.makeToken))
	people("POST /settings/tokens/{id}/revocation", h.changing(views.SettingTokens, h.revokeToken))
	people("POST /settings/sign-ins/{id}/end", h.changing(views.SettingSignIns, h.endSignIn))
	people("POST /settings/sign-ins/others/end", h.changing(views.SettingSignIns, h.endOtherSignIns))

	// Admins
	admins("GET /admin", h.showAdmin)
	admins("GET /admin/open", h.listOpen)
	adminStreams("GET /admin/open/events", h.streamOpen)
	admins("GET /admin/closed", h.listOver)
	adminStreams("GET /admin/closed.csv", h.exportOver)
	admins("GET /admin/auctions/{id}", h.overseeLot)
	admins("POST /admin/auctions/{id}/withdrawal", h.withdrawLot)
	admins("GET /admin/people", h.listPeople)
	admins("GET /admin/people/{id}", h.overseePerson)
	admins("POST /admin/people/{id}/suspension", h.act(auction.ActionSuspend, ""))
	admins("POST /admin/people/{id}/restoration", h.act(auction.ActionRestore, ""))
	admins("POST /admin/people/{id}/selling", h.act(auction.ActionAllowSelling, auction.ActionEndSelling))
	admins("POST /admin/people/{id}/admin-role", h.act(auction.ActionMakeAdmin, auction.ActionEndAdmin))
	admins("GET /admin/audit", h.listAudit)
	admins("GET /admin/events", h.listEvents)

	// The house itself
	if h.Dev {
		people("GET /design", h.showDesign)
	}
	anyone("GET /healthz", h.healthy)
	anyone("GET /readyz", h.ready)
	mux.Handle("GET /metrics", h.Metrics)
	mux.Handle("GET /static/", static.Handler())
	mux.Handle("GET /favicon.ico", http.RedirectHandler(static.Path("favicon.svg"), http.StatusFound)) // asked for by browsers where no page names one

	return web.Chain(h.answered(mux),
		web.Log(h.Log),
		web.Recover(h.Log, func(w http.ResponseWriter, r *http.Request) { h.fail(w, r, errPanic) }),
		web.SecurityHeaders(h.Secure),
		web.SameOrigin(h.origins, h.answer(func(http.ResponseWriter, *http.Request) error { return errCrossSite })),
		web.LimitBody(bodyLimit),
	)
}

// answered answers what has no route in the house's own way: 404, or 405 where
// the address takes other methods.
func (h *house) answered(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		standard, pattern := mux.Handler(r)
		if pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
		probe := statusProbe{header: w.Header().Clone()}
		standard.ServeHTTP(&probe, r)
		err := error(errNoPage)
		if probe.status == http.StatusMethodNotAllowed {
			w.Header().Set("Allow", probe.header.Get("Allow"))
			err = errMethod
		}
		answer := h.answer(func(http.ResponseWriter, *http.Request) error { return err })
		web.Finish(patience)(h.identified(answer)).ServeHTTP(w, r)
	})
}

// statusProbe finds out what ServeMux would answer, and writes nothing.
type statusProbe struct {
	header http.Header
	status int
}

func (p *statusProbe) Header() http.Header         { return p.header }
func (p *statusProbe) Write(b []byte) (int, error) { return len(b), nil }
func (p *statusProbe) WriteHeader(status int)      { p.status = status }
