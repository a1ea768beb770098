package store_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"rostrum/store/auction"
	"rostrum/store/storetest"
)

func TestAJudgeThatReadsTheRowOrTheClockTooEarlyIsCaught(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		mutation *mutation
		want     auction.Verdict
	}{
		{"our judge", nil, auction.Ended},
		{"judging before the lock", &judgesBeforeTheLock, auction.Accepted},
		{"the time is that of the transaction", &judgesByNow, auction.Accepted},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newProof(t, 0, 0)
			p.mutate(waitsLong)
			if c.mutation != nil {
				p.mutate(*c.mutation)
			}
			l, verdict := p.bidOverTheEnd(aLock)
			if verdict != c.want {
				t.Fatalf("the verdict is %q, not %q: the schedule shows nothing", verdict, c.want)
			}
			p.caught(l, c.mutation != nil, "B2")
		})
	}
}

// The same without knowing who held the lot: PostgreSQL tells when each bid was
// committed, and the next one must have been judged after that.
func TestATimeFromBeforeTheLastCommitIsCaughtByTheBooks(t *testing.T) {
	t.Parallel()
	for _, mutated := range []bool{false, true} {
		p := newProof(t, 0, 0)
		p.mutate(waitsLong)
		if mutated {
			p.mutate(judgesByNow)
		}
		l := p.list(time.Hour, 0, 1, 1)
		held, released, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
		go func() {
			p.hold(l, "BID", "COMMIT", held, released)
			close(done)
		}()
		<-held
		answers := p.placing(0, p.Offer(l.begin, p.people[0], "5000"))
		p.someoneWaits()
		close(released)
		if a := receive(t, answers); a.err != nil || a.Verdict != auction.Accepted {
			t.Fatalf("%q, %v", a.Verdict, a.err)
		}
		<-done
		wrong, err := storetest.WrongBooks(t.Context(), p.SQL)
		ok(t, err)
		seen := slices.ContainsFunc(wrong, func(s string) bool { return strings.Contains(s, "the one before was committed at") })
		if seen != mutated {
			t.Errorf("mutated: %v; the books are wrong: %q", mutated, wrong)
		}
	}
}

// Somebody is suspended, or sends the same again elsewhere, while their bid
// waits for the lot.
func TestAJudgeThatReadsPeopleOrIDsTooEarlyIsCaught(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		mutation *mutation
		rule     string
	}{
		{"our judge", nil, ""},
		{"people are read before the lock", &readsPeopleBeforeTheLock, "B8"},
		{"ids are read before the lock", &readsIDsBeforeTheLock, "B1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newProof(t, 0, 0)
			p.mutate(waitsLong)
			if c.mutation != nil {
				p.mutate(*c.mutation)
			}
			l := p.list(time.Hour, 0, 2, 4)
			held, released, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
			go func() {
				p.hold(l, aLock, "COMMIT", held, released)
				close(done)
			}()
			<-held
			twice := p.Offer(l.begin, p.people[0], "1010")
			answers := []<-chan answer{p.placing(0, twice)}
			p.scene().waiting(t, 1)
			answers = append(answers, p.placing(1, twice))
			p.scene().waiting(t, 2)
			answers = append(answers, p.placing(2, p.Offer(l.begin, p.cat, "5000")))
			p.scene().waiting(t, 3)
			p.suspend(true)
			close(released)
			for _, a := range answers {
				ok(t, receive(t, a).err)
			}
			<-done
			p.caught(l, c.mutation != nil, c.rule)
		})
	}
}

func TestAWinnerFromTheLogIsCaught(t *testing.T) {
	t.Parallel()
	for _, mutated := range []bool{false, true} {
		p := newProof(t, 0, 0)
		if mutated {
			p.mutate(winnerFromTheLog)
		}
		for patience := 500 * time.Millisecond; !p.closeWhatWaits(patience); patience *= 2 {
		}
		wrong, err := storetest.WrongBooks(t.Context(), p.SQL)
		ok(t, err)
		seen := slices.ContainsFunc(wrong, func(s string) bool { return strings.Contains(s, "1 results and 1 events, of which 0 and 1") })
		if seen != mutated {
			t.Errorf("mutated: %v; the books are wrong: %q", mutated, wrong)
		}
	}
}

func TestARefusalFromTheCacheAloneIsCaught(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		mutate func(*proof)
		rules  []string
	}{
		{"our refusal", func(*proof) {}, nil},
		{"the id is not looked up", func(p *proof) { p.mutate(refusesWithoutLookingUp) }, []string{"B1"}},
		{"nothing is looked up", func(p *proof) { p.instances[0].RefuseFromCache() }, []string{"B1", "B11"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newProof(t, 0, 0)
			l := p.list(time.Hour, 0, 2, 8)
			here, there := p.instances[0], p.instances[1]
			here.RememberFloors()
			c.mutate(p)
			bid := func(s interface {
				PlaceBid(context.Context, auction.Offer) (auction.Outcome, error)
			}, who int, offer auction.Offer) {
				_, err := p.recorder.Bid(who, offer, func(o auction.Offer) (auction.Outcome, error) { return s.PlaceBid(t.Context(), o) })
				ok(t, err)
			}
			first := p.Offer(l.begin, p.people[0], "1010")
			bid(there, 0, first)
			bid(here, 1, p.Offer(l.begin, p.people[1], "2000")) // its floor is known here from now on
			bid(here, 0, first)                                 // sent again
			bid(there, 1, p.Offer(l.begin, p.people[1], "3000"))
			bid(here, 0, p.Offer(l.begin, p.people[0], "2005"))
			p.caught(l, c.rules != nil, c.rules...)
			lot, _ := p.told(l)
			if err := lot.Linearizable(time.Minute); (err != nil) != (c.rules != nil) {
				t.Errorf("porcupine says %v", err)
			}
		})
	}
}
