package store_test

import (
	"errors"
	"testing"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
)

// What may have become of a lot before somebody changes it; LOT stands for it.
const (
	lotOpen      = `SELECT`
	lotScheduled = `UPDATE auction SET start_time = clock_timestamp() + interval '1 minute' WHERE id = LOT`
	lotOver      = `UPDATE auction SET start_time = start_time - interval '1 day', end_time = clock_timestamp() - interval '1 second' WHERE id = LOT`
	lotClosed    = `UPDATE auction SET status = 'CLOSED', closed_at = clock_timestamp() WHERE id = LOT`
	lotWithdrawn = `UPDATE auction SET status = 'WITHDRAWN', closed_at = clock_timestamp() WHERE id = LOT`
	lotBidOn     = `UPDATE auction SET bid_count = 1, leader_id = 1, current_price = 1010 WHERE id = LOT`
)

// changes is every state of a lot, and what its seller is told there.
var changes = []struct {
	name, state string
	want        error // nil: it is done
	admin       error // what an admin who withdraws it is told
}{
	{"open", lotOpen, nil, nil},
	{"scheduled", lotScheduled, nil, nil},
	{"bid on", lotBidOn, auction.ErrHasBids, nil},
	{"over", lotOver, auction.ErrEnded, auction.ErrEnded},
	{"over and bid on", lotBidOn + ";" + lotOver, auction.ErrEnded, auction.ErrEnded},
	{"closed", lotClosed, auction.ErrEnded, auction.ErrEnded},
	{"sold", lotBidOn + ";" + lotClosed, auction.ErrEnded, auction.ErrEnded},
	{"withdrawn", lotWithdrawn, auction.ErrWithdrawn, auction.ErrWithdrawn},
	{"withdrawn and over", lotWithdrawn + ";" + lotOver, auction.ErrWithdrawn, auction.ErrWithdrawn},
}

// actors are everybody who may ask for a change.
func (s *scene) actors(t *testing.T) (admin, suspended, suspendedAdmin auction.Person) {
	t.Helper()
	yes := true
	admin, suspended, suspendedAdmin = s.Person(false), s.Person(true), s.Person(false)
	for who, change := range map[string]store.Change{
		admin.Email:          {Admin: &yes},
		suspended.Email:      {Suspended: &yes},
		suspendedAdmin.Email: {Admin: &yes, Suspended: &yes},
	} {
		_, err := s.SetPerson(t.Context(), who, change)
		ok(t, err)
	}
	return admin, suspended, suspendedAdmin
}

// edit changes the scene's lot as somebody who saw the present version.
func (s *scene) edit(t *testing.T, terms auction.Listing, want error) auction.Auction {
	t.Helper()
	a, err := s.Edit(t.Context(), auction.Edit{AuctionID: s.lot.ID, Version: s.now(t).Version, Terms: terms})
	if err != want {
		t.Fatalf("%v, want %v", err, want)
	}
	return a
}

// terms are those of the scene's lot with another title.
func (s *scene) terms() auction.Listing {
	return auction.Listing{SellerID: s.seller.ID, Title: "A better watch", Description: s.lot.Description,
		StartingPrice: s.lot.StartingPrice, MinIncrement: s.lot.MinIncrement, EndTime: s.lot.EndTime}
}

func TestWhoMayEditALotAndWhen(t *testing.T) {
	t.Parallel()
	s := setup(t)
	admin, suspended, _ := s.actors(t)
	for _, c := range changes {
		for _, who := range []struct {
			name   string
			person auction.Person
			want   error
		}{
			{"its seller", s.seller, c.want},
			{"another seller", s.Person(true), auction.ErrNotYours},
			{"a bidder", s.ann, auction.ErrNotYours},
			{"an admin", admin, auction.ErrNotYours},
			{"nobody", auction.Person{ID: 1 << 40}, auction.ErrNotYours},
			{"a suspended seller", suspended, auction.ErrSuspended},
		} {
			t.Run(c.name+" by "+who.name, func(t *testing.T) {
				s.lot = s.Lot(s.seller, time.Hour)
				if who.person.ID == suspended.ID {
					s.Exec(`UPDATE auction SET seller_id = $2 WHERE id = $1`, s.lot.ID, suspended.ID)
				}
				s.hold(t, c.state).run("COMMIT")
				before := s.now(t)
				terms := s.terms()
				terms.SellerID = who.person.ID
				s.edit(t, terms, who.want)
				after := s.now(t)
				told := s.count(t, `SELECT count(*) FROM outbox WHERE aggregate_id = $1`, s.lot.ID)
				if who.want != nil {
					if after.Version != before.Version || after.Title != before.Title || told != 0 {
						t.Errorf("a refusal left something: %+v, %d events", after, told)
					}
					return
				}
				if after.Version != before.Version+1 || after.Title != terms.Title || told != 1 {
					t.Errorf("%+v, %d events", after, told)
				}
			})
		}
	}
	terms := s.terms()
	s.lot.ID = 1 << 40
	if _, err := s.Edit(t.Context(), auction.Edit{AuctionID: s.lot.ID, Version: 1, Terms: terms}); err != auction.ErrNotFound {
		t.Error(err)
	}
}

func TestAnEditIsTheLotAsItWasAskedFor(t *testing.T) {
	t.Parallel()
	s := setup(t)
	start := s.Now().Add(time.Minute).Truncate(time.Microsecond)
	s.Exec(`UPDATE auction SET start_time = $2 WHERE id = $1`, s.lot.ID, start)
	later := start.Add(time.Hour)
	for _, terms := range []auction.Listing{
		{Title: "Vase ünder gläss", Description: "One\nTwo", StartingPrice: s.Money("0"), MinIncrement: s.Money("0.05"), StartTime: &later, EndTime: later.Add(time.Microsecond)},
		{Title: "Vase", StartingPrice: s.Money("7.10"), MinIncrement: s.Money("3"), StartTime: &start, Lasts: 36 * time.Hour},
		{Title: "Vase", StartingPrice: s.Money("7.10"), MinIncrement: s.Money("3"), Lasts: 24 * time.Hour}, // at once
		{Title: "Vase", StartingPrice: s.Money("7.10"), MinIncrement: s.Money("4"), Lasts: 24 * time.Hour}, // it has started
	} {
		terms.SellerID = s.seller.ID
		before := s.now(t)
		told := s.edit(t, terms, nil)
		for range 2 { // the second is the same edit again, by somebody who clicked twice
			a := s.now(t)
			wantStart := terms.StartTime
			if wantStart == nil {
				wantStart = &a.StartTime
				if started := !before.Now.Before(before.StartTime); started && !a.StartTime.Equal(before.StartTime) || !started && !a.StartTime.Equal(told.Now) {
					t.Errorf("%q started at %v, from %v, edited at %v", terms.Title, a.StartTime, before.StartTime, told.Now)
				}
			}
			wantEnd := terms.EndTime
			if terms.Lasts > 0 {
				wantEnd = wantStart.Add(terms.Lasts)
			}
			if a.Version != before.Version+1 || a.Title != terms.Title || a.Description != terms.Description || a.StartingPrice.Cmp(terms.StartingPrice) != 0 ||
				a.CurrentPrice.Cmp(terms.StartingPrice) != 0 || a.MinIncrement.Cmp(terms.MinIncrement) != 0 ||
				!a.StartTime.Equal(*wantStart) || !a.EndTime.Equal(wantEnd) || told.Version != a.Version || told.Title != a.Title {
				t.Errorf("told %+v, stands %+v", told, a)
			}
			if _, err := s.Edit(t.Context(), auction.Edit{AuctionID: s.lot.ID, Version: before.Version, Terms: terms}); err != nil {
				t.Errorf("the same again: %v", err)
			}
		}
	}
	events, err := s.EventsOf(t.Context(), s.lot.ID, 1<<60, 10)
	ok(t, err)
	if len(events) != 4 || events[0].Topic != auction.TopicEdited || events[0].Sequence != 5 || events[3].Sequence != 2 {
		t.Errorf("%+v", events)
	}
}

// Two tabs with the same lot do not overwrite each other.
func TestAnEditOfWhatIsNotThereAnyMoreIsRefused(t *testing.T) {
	t.Parallel()
	s := setup(t)
	first, second := s.terms(), s.terms()
	second.Title = "Yet another watch"
	_, err := s.Edit(t.Context(), auction.Edit{AuctionID: s.lot.ID, Version: 1, Terms: first})
	ok(t, err)
	a, err := s.Edit(t.Context(), auction.Edit{AuctionID: s.lot.ID, Version: 1, Terms: second})
	if err != auction.ErrEdited || a.Title != first.Title || a.Version != 2 {
		t.Errorf("%+v, %v", a, err)
	}
	if now := s.now(t); now.Title != first.Title {
		t.Errorf("%q", now.Title)
	}
}

func TestTimesThatOnlyTheDatabaseCanTellAreMistakesInAnEdit(t *testing.T) {
	t.Parallel()
	s := setup(t)
	soon := s.Now().Add(time.Minute)
	for _, c := range []struct {
		field, state string
		change       func(*auction.Listing)
	}{
		{"endTime", lotOpen, func(l *auction.Listing) { l.EndTime = s.Now().Add(-time.Second) }},
		{"endTime", lotScheduled, func(l *auction.Listing) { l.StartTime = &soon; l.EndTime = soon }},
		{"startTime", lotOpen, func(l *auction.Listing) { l.StartTime = &soon }},
	} {
		s.lot = s.Lot(s.seller, time.Hour)
		s.hold(t, c.state).run("COMMIT")
		terms := s.terms()
		c.change(&terms)
		var mistakes auction.Mistakes
		a, err := s.Edit(t.Context(), auction.Edit{AuctionID: s.lot.ID, Version: 1, Terms: terms})
		if !errors.As(err, &mistakes) || len(mistakes) != 1 || mistakes[c.field] == "" || a.Title != s.lot.Title || s.now(t).Version != 1 {
			t.Errorf("%s: %+v, %v", c.field, a, err)
		}
	}
}

// change is the answer to an edit or a withdrawal.
type change struct {
	auction.Auction
	err error
}

// changing makes a change in the background.
func changing(do func() (auction.Auction, error)) <-chan change {
	answers := make(chan change, 1)
	go func() {
		a, err := do()
		answers <- change{a, err}
	}()
	return answers
}

func (s *scene) withdraw(t *testing.T) func() (auction.Auction, error) {
	return func() (auction.Auction, error) {
		return s.Withdraw(t.Context(), auction.Withdrawal{AuctionID: s.lot.ID, ActorID: s.seller.ID})
	}
}

// A bid and a change that wait for the same row: whichever comes second knows
// of the first.
func TestOfABidAndAChangeOneWins(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for name, do := range map[string]func() (auction.Auction, error){
		"a withdrawal": s.withdraw(t),
		"an edit": func() (auction.Auction, error) {
			terms := s.terms()
			terms.StartingPrice = s.Money("5000") // above the bid, which is too low then
			return s.Edit(t.Context(), auction.Edit{AuctionID: s.lot.ID, Version: 1, Terms: terms})
		},
	} {
		bids, changed := 0, 0
		for i := range 12 {
			s.lot = s.Lot(s.seller, time.Hour)
			h := s.hold(t, aLock)
			var bid <-chan answer
			var edit <-chan change
			if i%2 == 0 {
				bid = placing(t.Context(), s.Store, s.Offer(s.lot, s.ann, "1010"))
				s.waiting(t, 1)
				edit = changing(do)
			} else {
				edit = changing(do)
				s.waiting(t, 1)
				bid = placing(t.Context(), s.Store, s.Offer(s.lot, s.ann, "1010"))
			}
			s.waiting(t, 2)
			h.run([]string{"ROLLBACK", "COMMIT"}[i/2%2])
			b, e := receive(t, bid), receive(t, edit)
			accepted := b.err == nil && b.Verdict == auction.Accepted
			switch {
			case accepted && e.err == auction.ErrHasBids && e.BidCount == 1:
				bids++
			case !accepted && b.err == nil && e.err == nil:
				changed++
			default:
				t.Errorf("%s: the bid is %q, %v; the change %v", name, b.Verdict, b.err, e.err)
			}
			if lot := s.now(t); lot.Version != 2 || accepted != (lot.BidCount == 1) || accepted == (lot.Status == auction.Withdrawn) && name == "a withdrawal" {
				t.Errorf("%s: %+v", name, lot)
			}
		}
		if bids == 0 || changed == 0 {
			t.Errorf("%s: the bid won %d times, the change %d times", name, bids, changed)
		}
	}
}

// The clock is read once the row is held: a change that waited past the end
// came too late, whatever became of whom it waited for.
func TestAChangeThatWaitedPastTheEndIsRefused(t *testing.T) {
	t.Parallel()
	for name, statements := range map[string]string{
		"only locked":  aLock,
		"rolled back":  `UPDATE auction SET version = version WHERE id = LOT`,
		"moved no end": `UPDATE auction SET description = 'x' WHERE id = LOT`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			s.endIn(t, time.Second)
			h := s.hold(t, statements)
			terms := s.terms()
			terms.EndTime = terms.EndTime.Add(time.Hour)
			edited := changing(func() (auction.Auction, error) {
				return s.Edit(t.Context(), auction.Edit{AuctionID: s.lot.ID, Version: 1, Terms: terms})
			})
			withdrawn := changing(s.withdraw(t))
			if !s.waitingBefore(t, h, s.lot.EndTime) {
				t.Skip("the machine is too busy: the end came before anybody waited")
			}
			s.passed(t, s.lot.EndTime)
			h.run(map[bool]string{true: "COMMIT", false: "ROLLBACK"}[name == "moved no end"])
			for _, c := range []change{receive(t, edited), receive(t, withdrawn)} {
				if c.err != auction.ErrEnded {
					t.Errorf("%+v, %v", c.Auction, c.err)
				}
			}
			if lot := s.now(t); lot.Version != 1 || lot.Status != auction.Open {
				t.Errorf("%+v", lot)
			}
		})
	}
}

func TestWatchersHearOfAChange(t *testing.T) {
	t.Parallel()
	s := setup(t)
	heard := make(chan auction.State, 10)
	s.Feed.Watch(func(state auction.State) { heard <- state }, func() map[int64]int64 { return nil })
	s.edit(t, s.terms(), nil)
	if state := receive(t, heard); state.Version != 2 || state.Status != auction.Open {
		t.Errorf("%+v", state)
	}
	s.edit(t, s.terms(), nil) // the same again tells nothing
	if _, err := s.withdraw(t)(); err != nil {
		t.Fatal(err)
	}
	if state := receive(t, heard); state.Version != 3 || state.Status != auction.Withdrawn {
		t.Errorf("%+v", state)
	}
	if n := len(heard); n != 0 {
		t.Errorf("%d more", n)
	}
}
