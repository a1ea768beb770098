package store_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/store/storetest"
)

// A bid waits for the lot while somebody holds it over its end. What was true
// before the wait counts for nothing: after the end the bid is refused, unless
// what the holder committed moved the end. The usual statement stands beside
// judge, on a lot of its own, and is caught where it is known to be wrong.
func TestABidThatWaitedIsJudgedByWhatStandsAfterTheWait(t *testing.T) {
	t.Parallel()
	house := setup(t)
	for _, c := range heldOverTheEnd {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := *house
			for patience := 600 * time.Millisecond; !s.overTheEnd(t, c, patience); {
				patience = 2 * time.Second // less than the lock_timeout of judge's connections
			}
		})
	}
}

type held struct {
	name      string
	softClose time.Duration
	hold      string // statements, parted by semicolons
	release   string
	late      bool // the bid comes after the end, else before it
	want      auction.Verdict
	usual     bool // the usual statement accepts
}

const (
	aChange    = `UPDATE auction SET title = 'Wrist watch' WHERE id = LOT`
	aBid       = `SELECT judge_bids(LOT, ARRAY[BEN]::bigint[], ARRAY[1010]::numeric[], ARRAY[gen_random_uuid()])`
	aLowBid    = `SELECT judge_bids(LOT, ARRAY[BEN]::bigint[], ARRAY[1]::numeric[], ARRAY[gen_random_uuid()])`
	aLock      = `SELECT FROM auction WHERE id = LOT FOR UPDATE`
	aShareLock = `SELECT FROM auction WHERE id = LOT FOR SHARE`

	extends    = time.Hour // a bid of the holder's moves the end out of sight
	extendsNot = 0
)

var heldOverTheEnd = []held{
	{"the holder rolls back", extends, aChange, "ROLLBACK", false, auction.Ended, true},
	{"the holder's bid rolls back", extends, aBid, "ROLLBACK", false, auction.Ended, true},
	{"the holder rolls back to a savepoint", extends, "SAVEPOINT s;" + aChange, "ROLLBACK TO SAVEPOINT s", false, auction.Ended, true},
	{"the holder's bid rolls back to a savepoint", extends, "SAVEPOINT s;" + aBid, "ROLLBACK TO SAVEPOINT s", false, auction.Ended, true},
	{"the holder only locks", extends, aLock, "COMMIT", false, auction.Ended, true},
	{"the holder only locks, sharing", extends, aShareLock, "COMMIT", false, auction.Ended, true},
	{"the holder lost and is still open", extends, aLowBid, "COMMIT", false, auction.Ended, true},
	{"the holder commits a change without an extension", extends, aChange, "COMMIT", false, auction.Ended, false},
	{"the holder commits a bid without an extension", extendsNot, aBid, "COMMIT", false, auction.Ended, false},
	{"the holder commits an extension", extends, aBid, "COMMIT", false, auction.Accepted, true},
	{"an extension is under way when the bid comes", extends, aBid, "COMMIT", true, auction.Accepted, false},
	{"an extension under way is rolled back", extends, aBid, "ROLLBACK", true, auction.Ended, false},
}

// overTheEnd plays one case with a lot that ends after patience. False: the
// machine was so slow that the holder or the bids came too late.
func (s *scene) overTheEnd(t *testing.T, c held, patience time.Duration) bool {
	t.Helper()
	other := *s
	var holders []*holder
	for _, s := range []*scene{s, &other} {
		s.lot = s.Lot(s.seller, time.Hour)
		s.Exec(`UPDATE auction SET soft_close = $2 WHERE id = $1`, s.lot.ID, c.softClose)
		s.endIn(t, patience)
		holders = append(holders, s.hold(t, strings.ReplaceAll(c.hold, "BEN", fmt.Sprint(s.ben.ID))))
	}
	inTime := s.clock(t).Before(s.lot.EndTime)
	if c.late {
		s.passed(t, other.lot.EndTime)
	}
	judged, usual := placing(t.Context(), s.Store, s.Offer(s.lot, s.ann, "1020")), other.placingAsUsual(t.Context(), "1020")
	s.waitingFor(t, holders[0])
	var accepted bool
	if c.late {
		accepted = receive(t, usual) // it does not wait: the end that it sees is over
	} else {
		inTime = s.waitingBefore(t, holders[1], s.lot.EndTime) && inTime
	}
	s.passed(t, other.lot.EndTime)
	released := s.clock(t)
	for _, h := range holders {
		h.run(c.release)
	}
	answer := receive(t, judged)
	if !c.late {
		accepted = receive(t, usual)
	}
	for _, h := range holders {
		h.run("COMMIT")
	}
	if !inTime {
		return false
	}

	if answer.err != nil || answer.Verdict != c.want {
		t.Errorf("%q, %v; want %q", answer.Verdict, answer.err, c.want)
	}
	if answer.Auction.Now.Before(released) || c.want == auction.Accepted && !answer.Bid.CreatedAt.Equal(answer.Auction.Now) {
		t.Errorf("judged at %v and written at %v, but the lot was free only at %v", answer.Auction.Now, answer.Bid.CreatedAt, released)
	}
	if accepted != c.usual {
		t.Errorf("the usual statement accepts: %v, want %v", accepted, c.usual)
	}
	if bids := s.count(t, `SELECT count(*) FROM bid WHERE auction_id = $1 AND bidder_id = $2`, s.lot.ID, s.ann.ID); (bids == 1) != (c.want == auction.Accepted) {
		t.Errorf("%q, and %d bids in the log", c.want, bids)
	}
	return true
}

// placingAsUsual has a bid placed by the statement that is usually written, and
// tells whether it was accepted.
func (s *scene) placingAsUsual(ctx context.Context, amount string) <-chan bool {
	answers := make(chan bool, 1)
	go func() {
		tag, err := s.SQL.Exec(ctx, `UPDATE auction
			SET current_price = $2::numeric, leader_id = $3, bid_count = bid_count + 1, version = version + 1,
				end_time = greatest(end_time, clock_timestamp() + soft_close)
			WHERE id = $1 AND status = 'OPEN' AND end_time > clock_timestamp() AND $2::numeric >= current_price + min_increment`,
			s.lot.ID, s.Money(amount), s.ann.ID)
		answers <- err == nil && tag.RowsAffected() == 1
	}()
	return answers
}

// stopClock gives the house a clock that stands where it is set, and an
// instance that reads it.
func (s *scene) stopClock(t *testing.T) (instance *store.Store, set func(time.Time)) {
	t.Helper()
	s.Exec(`CREATE SCHEMA stopped`)
	s.Exec(`CREATE TABLE stopped.clock AS SELECT clock_timestamp() AS at`)
	s.Exec(`CREATE FUNCTION stopped.clock_timestamp() RETURNS timestamptz LANGUAGE sql RETURN (SELECT at FROM stopped.clock)`)
	s.Exec(`ALTER DATABASE ` + value[string](t, s.House, `SELECT current_database()`) + ` SET search_path = stopped, pg_catalog, public`)
	return s.Instance(), func(at time.Time) { s.Exec(`UPDATE stopped.clock SET at = $1`, at) }
}

func TestTheLastMicrosecondIsInTimeAndTheEndIsNot(t *testing.T) {
	t.Parallel()
	s := setup(t)
	stopped, set := s.stopClock(t)
	const window = storetest.SoftClose
	for _, c := range []struct {
		name     string
		at       func(a auction.Auction) time.Time
		want     auction.Verdict
		extended time.Duration
	}{
		{"just before the start", func(a auction.Auction) time.Time { return a.StartTime.Add(-time.Microsecond) }, auction.NotStarted, 0},
		{"at the start", func(a auction.Auction) time.Time { return a.StartTime }, auction.Accepted, 0},
		{"just before the window", func(a auction.Auction) time.Time { return a.EndTime.Add(-window - time.Microsecond) }, auction.Accepted, 0},
		{"where the window begins", func(a auction.Auction) time.Time { return a.EndTime.Add(-window) }, auction.Accepted, 0},
		{"just inside the window", func(a auction.Auction) time.Time { return a.EndTime.Add(-window + time.Microsecond) }, auction.Accepted, time.Microsecond},
		{"the last microsecond", func(a auction.Auction) time.Time { return a.EndTime.Add(-time.Microsecond) }, auction.Accepted, window - time.Microsecond},
		{"the end", func(a auction.Auction) time.Time { return a.EndTime }, auction.Ended, 0},
		{"just after the end", func(a auction.Auction) time.Time { return a.EndTime.Add(time.Microsecond) }, auction.Ended, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			lot := s.Lot(s.seller, time.Hour)
			at := c.at(lot)
			set(at)
			o, err := stopped.PlaceBid(t.Context(), s.Offer(lot, s.ann, "1010"))
			if err != nil || o.Verdict != c.want || !o.Auction.Now.Equal(at) || !o.Auction.EndTime.Equal(lot.EndTime.Add(c.extended)) {
				t.Errorf("%q at %v, %v; the end moved by %v, want %q and %v", o.Verdict, o.Auction.Now, err, o.Auction.EndTime.Sub(lot.EndTime), c.want, c.extended)
			}
		})
	}
	for _, last := range []bool{false, true} { // the bid of the end's own instant is refused, and the lot closed
		set(s.lot.EndTime.Add(-time.Microsecond))
		if last {
			set(s.lot.EndTime)
		}
		n, err := closer(stopped).Once(t.Context())
		if a := s.now(t); err != nil || (a.Status == auction.Closed) != last || last && !a.ClosedAt.Equal(a.EndTime) {
			t.Errorf("at the end: %v: closed %d, %v; %+v", last, n, err, a)
		}
	}
}
