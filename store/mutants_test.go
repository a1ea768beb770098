package store_test

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"rostrum/store/auction"
	"rostrum/store/auction/history"
	"rostrum/store/storetest"
)

// The proofs are worth what they catch. Each of these is how it is usually
// done, in place of a piece of ours, before a schedule that shows what comes of
// it; the same schedule with nothing replaced must find no fault.
type mutation struct {
	function string
	pieces   []piece
}

// piece is a regular expression that is found in one place, and what comes there.
type piece struct{ is, becomes string }

var (
	judgesBeforeTheLock = mutation{judging, []piece{
		{`judged_at\s+:= clock_timestamp\(\);`, ``},
		{`SELECT a\.\* INTO (\w+) FROM auction a WHERE a\.id = lot_id FOR NO KEY UPDATE;`, `SELECT a.* INTO $1 FROM auction a WHERE a.id = lot_id;
			judged_at := clock_timestamp();
			PERFORM FROM auction a WHERE a.id = lot_id FOR NO KEY UPDATE;`},
	}}
	judgesByNow = mutation{judging, []piece{
		{`judged_at\s+:= clock_timestamp\(\);`, `judged_at := now();`},
	}}
	winnerFromTheLog = mutation{"close_one", []piece{
		{`PERFORM 1 FROM auction a WHERE a\.id = lot_id FOR NO KEY UPDATE;`, `SELECT b.bidder_id INTO winner FROM auction a
			LEFT JOIN LATERAL (SELECT * FROM bid WHERE bid.auction_id = a.id ORDER BY bid.version DESC LIMIT 1) b ON true
			WHERE a.id = lot_id FOR NO KEY UPDATE OF a;`},
		{`(RETURN QUERY [^;]+;)`, `$1 UPDATE result SET winner_id = winner WHERE auction_id = lot_id;`},
		{`\nBEGIN\n`, "\nDECLARE winner bigint;\nBEGIN\n"},
		{`lock_timeout TO '300ms'`, `lock_timeout TO '10s'`},
	}}
	refusesWithoutLookingUp = mutation{"refuse_bids", []piece{
		{`IF lot\.bid_count > 0 THEN`, `IF false THEN`},
	}}

	// waitsLong is no mutation: bids wait for a lot for as long as a schedule needs.
	waitsLong = mutation{judging, []piece{{`\nAS \$function\$\n`, "\n SET lock_timeout TO '10s'\nAS $$function$$\n"}}}
)

// mutate replaces pieces of a function in the test's own database.
func (p *proof) mutate(m mutation) {
	p.t.Helper()
	text := value[string](p.t, p.House, `SELECT pg_get_functiondef($1::regproc)`, m.function)
	for _, piece := range m.pieces {
		found := regexp.MustCompile(piece.is)
		if n := len(found.FindAllString(text, -1)); n != 1 {
			p.t.Fatalf("%s has %d places like %q", m.function, n, piece.is)
		}
		text = found.ReplaceAllString(text, piece.becomes)
	}
	p.Exec(text)
}

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
		answers := p.placing(l, "5000")
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

// closeWhatWaits has a closer wait for the last bid on a lot. False: the machine
// was so slow that the bid came after the end.
func (p *proof) closeWhatWaits(patience time.Duration) (inTime bool) {
	p.t.Helper()
	s := scene{House: p.House}
	l := p.list(patience, 0, 1, 1)
	p.Exec(`UPDATE auction SET soft_close = '0' WHERE id = $1`, l.begin.ID)
	if a := receive(p.t, p.placing(l, "1010")); a.err != nil || a.Verdict != auction.Accepted {
		return false
	}
	held, released, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		p.hold(l, "BID", "COMMIT", held, released)
		close(done)
	}()
	<-held
	s.passed(p.t, l.begin.EndTime.Add(500*time.Millisecond)) // what is overdue is waited for
	closed := make(chan int)
	go func() {
		for {
			n, err := closer(p.Store).Once(context.Background())
			ok2(p, err)
			if n > 0 || err != nil {
				closed <- n
				return
			}
		}
	}()
	p.someoneWaits()
	close(released)
	receive(p.t, closed)
	<-done
	return s.count(p.t, `SELECT count(*) FROM bid WHERE auction_id = $1`, l.begin.ID) == 2
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

// bidOverTheEnd has a bid wait for a lot over its end.
func (p *proof) bidOverTheEnd(hold string) (*proofLot, auction.Verdict) {
	p.t.Helper()
	s := scene{House: p.House}
	for patience := 500 * time.Millisecond; ; patience = 2 * time.Second { // less than the statement_timeout of judging
		l := p.list(patience, 0, 1, 1)
		held, released, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
		go func() {
			p.hold(l, hold, "COMMIT", held, released)
			close(done)
		}()
		<-held
		answers := p.placing(l, "1010")
		p.someoneWaits()
		inTime := s.clock(p.t).Before(l.begin.EndTime)
		s.passed(p.t, l.begin.EndTime)
		close(released)
		a := receive(p.t, answers)
		<-done
		if inTime {
			ok(p.t, a.err)
			return l, a.Verdict
		}
	}
}

// placing has a bid placed and recorded in the background.
func (p *proof) placing(l *proofLot, amount string) <-chan answer {
	answers := make(chan answer, 1)
	go func() {
		o, err := p.recorder.Bid(0, p.Offer(l.begin, p.people[0], amount), func(o auction.Offer) (auction.Outcome, error) {
			return p.instances[0].PlaceBid(context.Background(), o)
		})
		answers <- answer{o, err}
	}()
	return answers
}

func (p *proof) someoneWaits() {
	p.t.Helper()
	(&scene{House: p.House}).waiting(p.t, 1)
}

// caught expects that the oracle finds the rules broken, or nothing.
func (p *proof) caught(l *proofLot, want bool, rules ...string) {
	p.t.Helper()
	lot, _ := p.told(l)
	_, err := lot.Check()
	var found history.Contradictions
	if errors.As(err, &found) != want {
		p.t.Errorf("found: %v", err)
	}
	for _, rule := range rules {
		if want && !slices.ContainsFunc(found, func(c history.Contradiction) bool { return c.Rule == rule }) {
			p.t.Errorf("%s is not found to be broken: %v", rule, err)
		}
	}
}
