package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
)

// crowd is some bots at one house. They know no more of it than any client
// does, and so also show that its interface is enough.
type crowd struct {
	url    string
	client *http.Client
	pace   time.Duration // what a second is for their rests
	bots   []*bot

	mu    sync.Mutex
	count map[string]int // answers, by what they mean
}

// sendBots has n bots bid until ctx ends, then says what came of it.
func (p *program) sendBots(ctx context.Context, url string, n int) error {
	c := newCrowd(url, time.Second)
	err := p.withStore(ctx, func(s *store.Store) error { return c.enter(ctx, s, n) })
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s at %s until interrupted (Ctrl-C).\n", plural(n, "bot bids", "bots bid"), url)
	err = c.run(ctx)
	fmt.Fprintln(p.stdout, c.summary())
	return err
}

func newCrowd(url string, pace time.Duration) *crowd {
	return &crowd{url: url, pace: pace, client: &http.Client{Timeout: 15 * time.Second}, count: map[string]int{}}
}

// enter gives each bot an account and a token. It does so in sample houses
// only: where people trade in earnest, nobody may bid for show.
func (c *crowd) enter(ctx context.Context, s *store.Store, n int) error {
	host, err := s.PersonByEmail(ctx, demoAdmin)
	if errors.Is(err, auction.ErrNotFound) || err == nil && !host.Admin {
		return errors.New("bots bid in a house that this command has filled, and in no other")
	}
	if err != nil {
		return err
	}
	list := make([]store.Entry, n)
	for i := range list {
		list[i] = store.Entry{Email: fmt.Sprintf("bot%d%s", i+1, demoMail), Name: fmt.Sprintf("Bot %d", i+1)}
	}
	people, err := s.Import(ctx, list)
	if err != nil {
		return err
	}
	for _, person := range people {
		token, err := s.AddToken(ctx, person.Email, "bot")
		if err != nil {
			return err
		}
		c.bots = append(c.bots, newBot(c, person.ID, token))
	}
	return nil
}

// run ends with ctx, or when a bot cannot go on.
func (c *crowd) run(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var all sync.WaitGroup
	for _, b := range c.bots {
		all.Go(func() {
			if err := b.run(ctx); err != nil {
				stop(err)
			}
		})
	}
	all.Wait()
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// The answers that are counted, as the last line tells them.
const (
	bidAccepted = "accepted"
	bidTooLow   = "too low"
	bidTooLate  = "too late"
	bidRefused  = "refused otherwise"
	toldToWait  = "told to wait"
	unanswered  = "without an answer"
)

func (c *crowd) note(answer string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count[answer]++
}

// waits notes why a bot waits; a request that the end cut short is no reason.
func (c *crowd) waits(ctx context.Context, a answer) {
	switch {
	case a.status > 0:
		c.note(toldToWait)
	case ctx.Err() == nil:
		c.note(unanswered)
	}
}

// summary is one line of counts.
func (c *crowd) summary() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	parts := []string{plural(c.count[bidAccepted], "bid", "bids") + " accepted"}
	for _, answer := range []string{bidTooLow, bidTooLate, bidRefused, toldToWait, unanswered} {
		if n := c.count[answer]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, answer))
		}
	}
	return strings.Join(parts, ", ")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
