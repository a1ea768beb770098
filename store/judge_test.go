package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"rostrum/store/auction"
)

func TestTheFloorIsThePriceAndTheIncrement(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.bid(t, s.ann, "1000", auction.TooLow)
	s.bid(t, s.ann, "1009.99", auction.TooLow)
	s.bid(t, s.ann, "1010", auction.Accepted)
	s.bid(t, s.ben, "1010", auction.TooLow) // an equal amount
	s.bid(t, s.ben, "1019.99", auction.TooLow)
	s.bid(t, s.ben, "1020", auction.Accepted)
	s.bid(t, s.ben, "1029.99", auction.TooLow) // the leader's own raise is judged like anybody's
	o := s.bid(t, s.ben, "2500.55", auction.Accepted)
	if text := s.Currency.Text(o.Auction.MinimumBid()); text != "2510.55" || !o.Auction.State().LedBy(s.ben.ID) || o.Auction.BidCount != 3 {
		t.Errorf("floor %s, %+v", text, o.Auction)
	}
	s.bid(t, s.ann, "999999999999.99", auction.Accepted)
	s.bid(t, s.ben, "999999999999.99", auction.TooLow)
}

func TestALotMayStartAtNothing(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.Exec(`UPDATE auction SET starting_price = 0, current_price = 0, min_increment = 0.01`)
	s.bid(t, s.ann, "0", auction.TooLow)
	s.bid(t, s.ann, "0.01", auction.Accepted)
}

// B14: of all that is wrong with a bid, the first in this order is told.
func TestTheOrderOfTheChecks(t *testing.T) {
	t.Parallel()
	const (
		withdrawn = `UPDATE auction SET status = 'WITHDRAWN', closed_at = clock_timestamp() WHERE id = LOT`
		closed    = `UPDATE auction SET status = 'CLOSED', closed_at = clock_timestamp() WHERE id = LOT`
		over      = `UPDATE auction SET start_time = start_time - interval '1 day', end_time = clock_timestamp() - interval '1 second' WHERE id = LOT`
		scheduled = `UPDATE auction SET start_time = clock_timestamp() + interval '1 minute' WHERE id = LOT`
		open      = `SELECT`
	)
	s := setup(t)
	suspendedSeller, suspended := s.Person(true), s.Person(false)
	s.suspend(t, suspended, true)
	for _, c := range []struct {
		name   string
		who    auction.Person
		state  string
		amount string
		want   auction.Verdict
	}{
		{"everything is wrong", suspendedSeller, over, "1", auction.Suspended},
		{"suspended, low", suspended, open, "1", auction.Suspended},
		{"suspended, not started", suspended, scheduled, "1010", auction.Suspended},
		{"the seller's own, over and low", s.seller, over, "1", auction.OwnAuction},
		{"the seller's own, not started", s.seller, scheduled, "1010", auction.OwnAuction},
		{"the seller's own, withdrawn", s.seller, withdrawn, "1010", auction.OwnAuction},
		{"the seller's own", s.seller, open, "1010", auction.OwnAuction},
		{"not started and low", s.ann, scheduled, "1", auction.NotStarted},
		{"not started", s.ann, scheduled, "1010", auction.NotStarted},
		{"over and low", s.ann, over, "1", auction.Ended},
		{"over, whatever the status says", s.ann, over, "1010", auction.Ended},
		{"closed before its end", s.ann, closed, "1010", auction.Ended},
		{"withdrawn", s.ann, withdrawn, "1010", auction.Ended},
		{"withdrawn before its start", s.ann, scheduled + ";" + withdrawn, "1010", auction.Ended},
		{"low", s.ann, open, "1009.99", auction.TooLow},
	} {
		t.Run(c.name, func(t *testing.T) {
			seller := s.seller
			if c.who.Seller {
				seller = c.who
			}
			s.suspend(t, suspendedSeller, false)
			s.lot = s.Lot(seller, time.Hour)
			s.suspend(t, suspendedSeller, true)
			s.hold(t, c.state).run("COMMIT")
			before := s.now(t)
			o := s.bid(t, c.who, c.amount, c.want)
			after, log := s.now(t), s.log(t)
			if after.Version != before.Version || !after.EndTime.Equal(before.EndTime) || after.BidCount != 0 || len(log) != 0 {
				t.Errorf("a refused bid left something: %+v, log %v", after, log)
			}
			if o.Bid != (auction.Bid{}) || o.Auction.Version != before.Version || o.Auction.CurrentPrice.Cmp(before.CurrentPrice) != 0 {
				t.Errorf("the refusal tells %+v", o)
			}
			if events := s.count(t, `SELECT count(*) FROM outbox`); events != 0 {
				t.Errorf("%d events", events)
			}
		})
	}
}

func TestAnAcceptedBidIsTheRowThatWasWritten(t *testing.T) {
	t.Parallel()
	s := setup(t)
	before := s.clock(t)
	offer := s.Offer(s.lot, s.ann, "1010.10")
	o := s.place(t, offer, auction.Accepted)
	after := s.clock(t)
	log := s.log(t)
	if len(log) != 1 {
		t.Fatalf("%d bids", len(log))
	}
	b := log[0]
	if b.ID != o.Bid.ID || b.Version != 2 || b.BidderID != s.ann.ID || b.Amount.Cmp(offer.Amount) != 0 || b.RequestID != offer.RequestID ||
		!b.CreatedAt.Equal(o.Bid.CreatedAt) || !o.Bid.CreatedAt.Equal(o.Auction.Now) || o.Bid.Version != 2 || o.Bid.AuctionID != s.lot.ID || o.Bid.RequestID != offer.RequestID {
		t.Errorf("told %+v, written %+v", o.Bid, b)
	}
	if b.CreatedAt.Before(before) || b.CreatedAt.After(after) {
		t.Errorf("judged at %v, between %v and %v", b.CreatedAt, before, after)
	}
	a := s.now(t)
	a.Now = o.Auction.Now
	if told := o.Auction; told.Version != a.Version || told.CurrentPrice.Cmp(a.CurrentPrice) != 0 || *told.LeaderID != *a.LeaderID ||
		told.BidCount != a.BidCount || !told.EndTime.Equal(a.EndTime) || told.Title != a.Title || told.Status != a.Status {
		t.Errorf("told %+v, stands %+v", told, a)
	}
}

func TestAnUnknownLotIsNotFoundAndAnUnknownPersonMayNotBid(t *testing.T) {
	t.Parallel()
	s := setup(t)
	nobody := auction.Person{ID: 1 << 40}
	s.bid(t, nobody, "1010", auction.Suspended)
	offer := s.Offer(s.lot, s.ann, "1010")
	offer.AuctionID = 1 << 40
	if o, err := s.PlaceBid(t.Context(), offer); err != auction.ErrNotFound {
		t.Errorf("%+v, %v", o, err)
	}
}

// Whoever was suspended or restored while their bid waited is judged by that.
func TestAPersonIsJudgedAsTheyAreAfterTheWait(t *testing.T) {
	t.Parallel()
	s := setup(t)
	cat := s.Person(false)
	s.suspend(t, cat, true)
	h := s.hold(t, aLock)
	ann, cats, ben := placing(t.Context(), s.Store, s.Offer(s.lot, s.ann, "1010")), placing(t.Context(), s.Store, s.Offer(s.lot, cat, "1500")), placing(t.Context(), s.Store, s.Offer(s.lot, s.ben, "2000"))
	s.waiting(t, 1)
	gathered(t, s.Store, 3)
	s.suspend(t, s.ann, true)
	s.suspend(t, cat, false)
	h.run("ROLLBACK")
	expect(t, ann, auction.Suspended)
	expect(t, ben, auction.Accepted)
	if a := receive(t, cats); a.err != nil || a.Verdict == auction.Suspended {
		t.Errorf("restored during the wait: %q, %v", a.Verdict, a.err)
	}
}

// A slow write to an account holds up nobody's bid: no row of a person is locked.
func TestNobodysAccountHoldsUpABid(t *testing.T) {
	t.Parallel()
	s := setup(t)
	h := s.hold(t, `SELECT FROM account FOR UPDATE; UPDATE account SET name = name || '!'`)
	s.bid(t, s.ann, "1010", auction.Accepted)
	s.bid(t, s.ben, "1020", auction.Accepted)
	s.bid(t, s.seller, "1030", auction.OwnAuction)
	h.run("COMMIT")
}

func TestJudgeWantsToSeeWhatWasCommittedDuringItsWait(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for _, level := range []pgx.TxIsoLevel{pgx.RepeatableRead, pgx.Serializable} {
		err := pgx.BeginTxFunc(t.Context(), s.SQL, pgx.TxOptions{IsoLevel: level}, func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), `SELECT judge_bids($1, ARRAY[$2]::bigint[], ARRAY[1010], ARRAY[gen_random_uuid()])`, s.lot.ID, s.ann.ID)
			return err
		})
		if err == nil || len(s.log(t)) > 0 {
			t.Errorf("%s: %v", level, err)
		}
	}
}

func TestTheLogIsOnlyEverAddedTo(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.bid(t, s.ann, "1010", auction.Accepted)
	for _, statement := range []string{
		`UPDATE bid SET amount = 9999`, `UPDATE bid SET bidder_id = 1 WHERE false`, `DELETE FROM bid`, `TRUNCATE bid`, `TRUNCATE bid, auction CASCADE`,
		`INSERT INTO bid SELECT * FROM bid ON CONFLICT (auction_id, version) DO UPDATE SET amount = 9999`,
	} {
		if _, err := s.SQL.Exec(t.Context(), statement); err == nil {
			t.Errorf("%s went through", statement)
		}
	}
	if log := s.log(t); len(log) != 1 || s.Currency.Text(log[0].Amount) != "1010.00" {
		t.Errorf("%+v", log)
	}
}

// One that accepts has a durable commit, also when it refused others; one that
// wrote nothing need not wait for the disk.
func TestWhatIsAcceptedIsCommittedDurably(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for _, c := range []struct {
		name, amounts, want string
	}{
		{"refused", "{1}", "off"},
		{"accepted", "{1010}", "on"},
		{"one of three accepted", "{1,1020,2}", "on"},
	} {
		err := pgx.BeginFunc(t.Context(), s.SQL, func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), `SELECT judge_bids($1, array_fill($2::bigint, ARRAY[cardinality(amounts)]), amounts,
				(SELECT array_agg(gen_random_uuid()) FROM unnest(amounts))) FROM (SELECT $3::numeric[] AS amounts) o`, s.lot.ID, s.ann.ID, c.amounts)
			ok(t, err)
			var setting string
			ok(t, tx.QueryRow(t.Context(), `SELECT current_setting('synchronous_commit')`).Scan(&setting))
			if setting != c.want {
				t.Errorf("%s: synchronous_commit is %s, want %s", c.name, setting, c.want)
			}
			return nil
		})
		ok(t, err)
		if setting := value[string](t, s.House, `SELECT current_setting('synchronous_commit')`); setting != "on" {
			t.Errorf("%s: synchronous_commit stays %s", c.name, setting)
		}
	}
	if n := len(s.log(t)); n != 2 {
		t.Errorf("%d bids", n)
	}
}

// A plan made while the log was empty would read the whole of it for ever.
func TestTheLogAndTheAccountsAreNeverReadWhole(t *testing.T) {
	t.Parallel()
	s := setup(t)
	conn, err := pgx.Connect(t.Context(), s.URL)
	ok(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	amount := 1000
	judge := func(n int) {
		for range n {
			amount += 10
			_, err := conn.Exec(t.Context(), `SELECT judge_bids($1, ARRAY[$2]::bigint[], ARRAY[$3]::numeric[], ARRAY[gen_random_uuid()])`, s.lot.ID, s.ann.ID, amount)
			ok(t, err)
		}
	}
	scans := func() (whole, indexed, versions int) {
		_, err := conn.Exec(t.Context(), `SELECT pg_stat_force_next_flush()`)
		ok(t, err)
		ok(t, conn.QueryRow(t.Context(), `SELECT sum(seq_scan), sum(idx_scan),
				(SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'bid_pkey')
			FROM pg_stat_user_tables WHERE relname IN ('bid', 'account', 'auction')`).Scan(&whole, &indexed, &versions))
		return whole, indexed, versions
	}
	s.Exec(`VACUUM ANALYZE bid`)
	judge(1) // the plan is made while PostgreSQL knows that there is nothing to read
	wholeBefore, indexedBefore, versionsBefore := scans()
	judge(50)
	whole, indexed, versions := scans()
	if versions != versionsBefore {
		t.Errorf("ids were looked for among a lot's versions %d times", versions-versionsBefore)
	}
	if whole != wholeBefore || indexed < indexedBefore+150 {
		t.Errorf("50 bids read tables whole %d times, and by index %d times", whole-wholeBefore, indexed-indexedBefore)
	}
}

func TestALateBidIsToldApartByTheDatabasesClockOnly(t *testing.T) {
	t.Parallel()
	s := setup(t)
	o := s.bid(t, s.ann, "1", auction.TooLow)
	if early, late := s.lot.Now, s.clock(t).Add(time.Microsecond); o.Auction.Now.Before(early) || o.Auction.Now.After(late) {
		t.Errorf("judged at %v, between %v and %v", o.Auction.Now, early, late)
	}
}
