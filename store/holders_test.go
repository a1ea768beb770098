package store_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/store/storetest"
)

func hash(n int) store.TokenHash { return store.TokenHash{byte(n), byte(n >> 8), byte(n >> 16)} }

// book finds everybody but those with an odd first byte, and notes how many
// were asked for at a time.
type book struct {
	mu      sync.Mutex
	batches []int
	hold    time.Duration
	err     error
}

func (b *book) find(tokens []store.TokenHash) ([]*store.Holder, error) {
	time.Sleep(b.hold)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.batches = append(b.batches, len(tokens))
	found := make([]*store.Holder, len(tokens))
	for i, token := range tokens {
		if token[0]%2 == 0 {
			found[i] = new(store.Holder)
		}
	}
	return found, b.err
}

func (b *book) expect(t *testing.T, batches ...int) {
	t.Helper()
	if !slices.Equal(b.batches, batches) {
		t.Errorf("asked for %v, not %v", b.batches, batches)
	}
	b.batches = nil
}

func TestATokenIsLookedUpOnceASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b book
		h := store.NewHolders(b.find)
		for range 30 { // for 1.5 s
			if holder, err := h.Of(t.Context(), hash(2)); holder == nil || err != nil {
				t.Fatal(holder, err)
			}
			time.Sleep(50 * time.Millisecond)
		}
		b.expect(t, 1, 1)
	})
}

func TestThoseWhoWaitForALookUpAreAnsweredByIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := book{hold: 100 * time.Millisecond}
		h := store.NewHolders(b.find)
		var wait sync.WaitGroup
		ask := func(n int) {
			for range 20 {
				wait.Go(func() {
					if holder, err := h.Of(t.Context(), hash(n)); holder == nil || err != nil {
						t.Error(holder, err)
					}
				})
			}
		}
		ask(0)
		synctest.Wait()
		for n := range 50 {
			ask(2 * n)
		}
		wait.Wait()
		b.expect(t, 1, 49)
	})
}

func TestALookUpFromBeforeAChangeAnswersNobodyBehindIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := book{hold: 100 * time.Millisecond}
		h := store.NewHolders(b.find)
		var before, behind *store.Holder
		var wait sync.WaitGroup
		wait.Go(func() { before, _ = h.Of(t.Context(), hash(2)) })
		synctest.Wait()
		h.Changed()
		wait.Go(func() { behind, _ = h.Of(t.Context(), hash(2)) })
		wait.Wait()
		if before == nil || behind == nil || before == behind {
			t.Errorf("%p before the change, %p behind it", before, behind)
		}
		if known, _ := h.Of(t.Context(), hash(2)); known != behind {
			t.Errorf("%p is known, not %p", known, behind)
		}
		b.expect(t, 1, 1)
	})
}

func TestOnlyWhoWasFoundIsRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b book
		h := store.NewHolders(b.find)
		for range 2 {
			if holder, err := h.Of(t.Context(), hash(1)); holder != nil || err != nil {
				t.Error(holder, err)
			}
		}
		b.expect(t, 1, 1)
		b.err = auction.ErrUnavailable
		if _, err := h.Of(t.Context(), hash(2)); !errors.Is(err, auction.ErrUnavailable) {
			t.Error(err)
		}
		b.err = nil
		if holder, err := h.Of(t.Context(), hash(2)); holder == nil || err != nil {
			t.Error(holder, err)
		}
		b.expect(t, 1, 1)
		for n := range store.MostHolders + 100 {
			if _, err := h.Of(t.Context(), hash(2*n)); err != nil || h.Known() > store.MostHolders {
				t.Fatalf("%d are remembered, %v", h.Known(), err)
			}
		}
	})
}

func TestWhoDoesNotWaitForALookUpIsLetGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := book{hold: time.Second}
		h := store.NewHolders(b.find)
		first := make(chan error, 1)
		go func() {
			_, err := h.Of(t.Context(), hash(2))
			first <- err
		}()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, err := h.Of(ctx, hash(2)); !errors.Is(err, auction.ErrUnavailable) {
			t.Error(err)
		}
		if err := <-first; err != nil {
			t.Error(err)
		}
	})
}

// What an instance changes itself it knows at once, and another hears of it.
func TestAChangeOfAPersonIsKnownByTheirToken(t *testing.T) {
	t.Parallel()
	yes, name := true, "Anne"
	for what, change := range map[string]func(ctx context.Context, s *scene, token int64) error{
		"their name":  func(ctx context.Context, s *scene, _ int64) error { return s.SetName(ctx, s.ann.ID, "Anne") },
		"their alias": func(ctx context.Context, s *scene, _ int64) error { return s.SetAlias(ctx, s.ann.ID, "anne") },
		"their preferences": func(ctx context.Context, s *scene, _ int64) error {
			return s.SetPreferences(ctx, s.ann.ID, "Asia/Tokyo", true)
		},
		"selling": func(ctx context.Context, s *scene, _ int64) error { return s.SetSelling(ctx, s.ann.ID, true) },
		"a suspension": func(ctx context.Context, s *scene, _ int64) error {
			_, err := s.SetPerson(ctx, s.ann.Email, store.Change{Suspended: &yes})
			return err
		},
		"an import": func(ctx context.Context, s *scene, _ int64) error {
			_, err := s.Import(ctx, []store.Entry{{Email: s.ann.Email, Name: name}})
			return err
		},
		"an admin's act": func(ctx context.Context, s *scene, _ int64) error {
			if _, err := s.SetPerson(ctx, s.seller.Email, store.Change{Admin: &yes}); err != nil {
				return err
			}
			_, err := s.Act(ctx, auction.Act{ActorID: s.seller.ID, PersonID: s.ann.ID, Action: auction.ActionSuspend, Reason: "x"})
			return err
		},
		"a revocation": func(ctx context.Context, s *scene, token int64) error { return s.RevokeToken(ctx, s.ann.ID, token) },
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			token, err := s.MakeToken(t.Context(), s.ann.ID, "a script")
			ok(t, err)
			other := s.Instance()
			s.RememberHolders()
			other.RememberHolders()
			run(t, other.Feed.Listen)
			s.listening(t, 1)
			before, err := s.PersonByToken(t.Context(), token)
			ok(t, err)
			if p, err := other.PersonByToken(t.Context(), token); err != nil || p != before {
				t.Fatal(p, err)
			}

			ok(t, change(t.Context(), s, value[int64](t, s.House, `SELECT id FROM api_token`)))
			after, err := s.PersonByToken(t.Context(), token)
			if revoked := errors.Is(err, auction.ErrNotFound); after == before || revoked != (what == "a revocation") {
				t.Errorf("still %+v, %v", after, err)
			}
			storetest.Eventually(t, func() string {
				if p, _ := other.PersonByToken(t.Context(), token); p != after {
					return "the other instance does not know"
				}
				return ""
			})
		})
	}
}

// A token may be asked for twice in one statement: when a change made the house
// forget it in between, or the database was slow.
func TestEveryAskerOfATokenIsTold(t *testing.T) {
	t.Parallel()
	s := setup(t)
	tokens, err := s.AddTokens(t.Context(), s.ann.ID, s.ben.ID)
	ok(t, err)
	ids, err := s.HoldersOf(tokens[0], tokens[1], tokens[0], "nobody's", tokens[0])
	ok(t, err)
	if want := []int64{s.ann.ID, s.ben.ID, s.ann.ID, 0, s.ann.ID}; !slices.Equal(ids, want) {
		t.Errorf("held by %v, want %v", ids, want)
	}
}
