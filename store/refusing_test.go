package store_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"rostrum/store/auction"
)

// An offer below the known floor is refused while somebody holds the lot; all
// that is not certainly too low waits for the judge.
func TestWhatIsTooLowIsRefusedWithoutTheLotsRow(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.RememberFloors()
	cat := s.Person(false)
	s.suspend(t, cat, true)
	first := s.Offer(s.lot, s.ann, "1010")
	s.place(t, first, auction.Accepted)
	last := s.bid(t, s.ben, "2000", auction.Accepted)
	reused := s.Offer(s.lot, s.ben, "1500")
	reused.RequestID = first.RequestID

	h := s.hold(t, aLock)
	for range 3 {
		o := s.bid(t, s.ann, "2009.99", auction.TooLow)
		if o.Auction.Version != last.Auction.Version || !o.Auction.State().LedBy(s.ben.ID) || o.Auction.Now.Before(last.Auction.Now) || o.Bid != (auction.Bid{}) {
			t.Errorf("refused with %+v", o)
		}
	}
	waits := map[auction.Verdict]<-chan answer{}
	for want, offer := range map[auction.Verdict]auction.Offer{
		auction.Replayed:   first,
		auction.Reused:     reused,
		auction.Suspended:  s.Offer(s.lot, cat, "1"),
		auction.OwnAuction: s.Offer(s.lot, s.seller, "1"),
		auction.Accepted:   s.Offer(s.lot, s.ann, "2010"),
	} {
		waits[want] = placing(t.Context(), s.Store, offer)
	}
	gathered(t, s.Store, len(waits))
	s.bid(t, s.ann, "1", auction.TooLow) // still
	h.run("ROLLBACK")
	for want, answers := range waits {
		expect(t, answers, want)
	}
}

// Only the row says that a lot is over; one past its end may still be moved by
// a bid under way, and is the judge's.
func TestAnEndIsToldEarlyOnlyWhereTheRowSaysSo(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.RememberFloors()
	for _, c := range []struct {
		state string
		early bool
	}{
		{`UPDATE auction SET status = 'CLOSED', closed_at = clock_timestamp() WHERE id = LOT`, true},
		{`UPDATE auction SET status = 'WITHDRAWN', closed_at = clock_timestamp() WHERE id = LOT`, true},
		{`UPDATE auction SET start_time = start_time - interval '1 day', end_time = clock_timestamp() WHERE id = LOT`, false},
		{`UPDATE auction SET start_time = clock_timestamp() + interval '1 minute' WHERE id = LOT`, false},
	} {
		s.lot = s.Lot(s.seller, time.Hour)
		s.bid(t, s.ann, "2000", auction.Accepted)
		s.hold(t, c.state).run("COMMIT")
		h := s.hold(t, aLock)
		low := placing(t.Context(), s.Store, s.Offer(s.lot, s.ben, "1"))
		if c.early {
			expect(t, low, auction.Ended)
			h.run("ROLLBACK")
			continue
		}
		gathered(t, s.Store, 1)
		h.run("ROLLBACK")
		if a := receive(t, low); a.err != nil || a.Verdict != auction.Ended && a.Verdict != auction.NotStarted {
			t.Errorf("%s: %q, %v", c.state, a.Verdict, a.err)
		}
	}
}

// What is known of a floor decides nothing: it may be wrong both ways.
func TestAFloorThatWasLoweredRefusesNobody(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.RememberFloors()
	s.bid(t, s.ann, "1", auction.TooLow) // the floor of 1010 is known now
	s.Exec(`UPDATE auction SET starting_price = 100, current_price = 100, version = version + 1 WHERE id = $1`, s.lot.ID)
	s.bid(t, s.ann, "110", auction.Accepted)
	o := s.bid(t, s.ben, "119", auction.TooLow)
	if text := s.Currency.Text(o.Auction.MinimumBid()); text != "120.00" || o.Auction.Version != 3 {
		t.Errorf("floor %s, version %d", text, o.Auction.Version)
	}
}

// Lots that somebody holds take turns on the lane's connections.
func TestHeldLotsDelayNoOther(t *testing.T) {
	t.Parallel()
	s := setup(t)
	free := s.lot
	h := s.hold(t, `SELECT`)
	var held []<-chan answer
	for range 20 { // the lane has 8 connections
		s.lot = s.Lot(s.seller, time.Hour)
		h.run(fmt.Sprintf(`SELECT FROM auction WHERE id = %d FOR UPDATE`, s.lot.ID))
		held = append(held, placing(t.Context(), s.Store, s.Offer(s.lot, s.ann, "1010")))
	}
	s.waiting(t, 8)
	s.place(t, s.Offer(free, s.ann, "1010"), auction.Accepted)
	if n := s.Waiting(); n != len(held) {
		t.Errorf("%d bids of %d still wait", n, len(held))
	}
	h.run("ROLLBACK")
	for _, a := range held {
		expect(t, a, auction.Accepted)
	}
}

// An offer that makes the database fail fails alone, and its neighbours are
// judged in their order.
func TestAPoisonousOfferFailsAlone(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.Exec(`CREATE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'poison'; END $$`)
	s.Exec(`CREATE TRIGGER poison BEFORE INSERT ON bid FOR EACH ROW WHEN (NEW.amount = 1666) EXECUTE FUNCTION poison()`)
	h := s.hold(t, aLock)
	var answers []<-chan answer
	amounts := []string{"1010", "1020", "1666", "1030", "1040", "1050"}
	for i, amount := range amounts {
		answers = append(answers, placing(t.Context(), s.Store, s.Offer(s.lot, s.ann, amount)))
		gathered(t, s.Store, i+1)
	}
	h.run("ROLLBACK")
	for i, a := range answers {
		if amounts[i] != "1666" {
			expect(t, a, auction.Accepted)
			continue
		}
		if got := receive(t, a); got.err == nil || errors.Is(got.err, auction.ErrUnavailable) {
			t.Errorf("the poison: %q, %v", got.Verdict, got.err)
		}
	}
	for i, b := range s.log(t) {
		if want := []string{"1010.00", "1020.00", "1030.00", "1040.00", "1050.00"}[i]; s.Currency.Text(b.Amount) != want {
			t.Errorf("bid %d is %s", i+1, s.Currency.Text(b.Amount))
		}
	}
}
