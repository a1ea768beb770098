package main

import (
	"context"
	"fmt"
	"net"
	"time"

	"rostrum/handlers"
	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/web"
)

// pace is the least time between two live frames of one auction.
const pace = 150 * time.Millisecond

type serveCommand struct {
	Dev bool `help:"Show the page of all components, at /design."`
}

// Help lists the settings under `serve --help`.
func (serveCommand) Help() string { return settingsHelp() }

// Run is the house, as a list of what it is made of.
func (c serveCommand) Run(ctx context.Context, p *program) (err error) {
	listener, err := net.Listen("tcp", p.settings.Addr)
	if err != nil {
		return fmt.Errorf("cannot listen at %s (ROSTRUM_ADDR names another address): %w", p.settings.Addr, err)
	}
	defer listener.Close()

	defer makeRoom()()
	db, err := p.openDatabase(ctx)
	if err != nil {
		return err
	}
	defer db.close(&err)

	m := newMetrics()
	s, err := p.openStore(ctx, db.url, m.judged)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Settle(ctx, p.settings.Currency); err != nil {
		return err
	}

	hub := web.NewHub[auction.State](pace)
	s.Feed.Watch(func(state auction.State) { hub.Publish(state.AuctionID, state.Version, state) }, hub.Watched)
	m.watch(s, hub)

	background := p.startWorkers(s, db, m)
	defer background.stop()

	site := handlers.New(handlers.Options{
		Store: s, Hub: hub, Log: p.log, Metrics: m.handler(),
		Currency: p.settings.Currency, BidRate: p.settings.BidRate,
		PublicURL: p.settings.URL, Secure: p.settings.Secure, Dev: c.Dev,
	})
	p.offerDemo(ctx, s)
	p.log.Info("the house is open", "url", p.settings.openAt(listener.Addr().String()))
	return web.Serve(ctx, listener, web.ClientAddress(p.settings.TrustedProxies)(site), p.log, func() {
		p.log.Info("the house is closing")
		hub.Close()
	})
}

// openAt is where a person on this machine finds the house.
func (s settings) openAt(address string) string {
	if s.URL != "" {
		return s.URL
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil || host == "" || net.ParseIP(host).IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// offerDemo says how to fill a house that has no lots yet.
func (p *program) offerDemo(ctx context.Context, s *store.Store) {
	if empty, err := s.Empty(ctx); err == nil && empty {
		p.log.Info("the house is empty; this fills it with sample people and lots", "command", p.settings.hint("demo"))
	}
}
