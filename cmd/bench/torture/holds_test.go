package torture_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"rostrum/store/auction/history"
)

const (
	aChange = `UPDATE auction SET current_price = current_price WHERE id = LOT`
	aLock   = `SELECT FROM auction WHERE id = LOT FOR UPDATE`
	aShare  = `SELECT FROM auction WHERE id = LOT FOR SHARE`
	aBid    = `SELECT judge_bids(LOT, ARRAY[BIDDER], ARRAY[(SELECT current_price + 10 * min_increment FROM auction WHERE id = LOT)], ARRAY[gen_random_uuid()])`
	aLowBid = `SELECT judge_bids(LOT, ARRAY[BIDDER], ARRAY[0.01], ARRAY[gen_random_uuid()])`
)

// holdings are what somebody may do with a lot's row that leaves nothing and
// lets the usual statement accept bids after the end: a change undone, a lock
// alone, a bid that lost and whose transaction stays open.
var holdings = []struct{ hold, release string }{
	{aChange, "ROLLBACK"},
	{"SAVEPOINT s;" + aChange, "ROLLBACK TO SAVEPOINT s;COMMIT"},
	{aLock, "COMMIT"},
	{aLock, "ROLLBACK"},
	{aShare, "COMMIT"},
	{aLowBid, "COMMIT"},
	{aBid, "ROLLBACK"},
	{"SAVEPOINT s;" + aBid, "ROLLBACK TO SAVEPOINT s;COMMIT"},
}

// holdAll holds each of the lots over its end.
func (r *round) holdAll() {
	random := rand.New(rand.NewPCG(r.seed, uint64(r.number)|1<<62))
	for _, l := range r.lots {
		h := holdings[(l.number+r.number)%len(holdings)]
		from := l.begin.EndTime.Add(-time.Duration(60+random.IntN(80)) * time.Millisecond)
		until := l.begin.EndTime.Add(time.Duration(1+random.IntN(80)) * time.Millisecond)
		r.crowd.Go(func() {
			time.Sleep(time.Until(from))
			if err := r.hold(l, h.hold, h.release, until); err != nil && len(r.faults) == 1 {
				r.t.Errorf("seed %d: hold lot %d: %v", r.seed, l.begin.ID, err)
			}
		})
	}
}

func (r *round) hold(l *lot, hold, release string, until time.Time) error {
	ctx := r.t.Context()
	conn, err := r.sql.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	run := func(statements string) (err error) {
		for statement := range strings.SplitSeq(statements, ";") {
			statement = strings.NewReplacer("LOT", fmt.Sprint(l.begin.ID), "BIDDER", fmt.Sprint(r.bidders[0].ID)).Replace(statement)
			if _, err = conn.Exec(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	}
	var held history.Hold
	if err := run("BEGIN;" + hold); err != nil {
		return err
	}
	if err := conn.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&held.From); err != nil {
		return err
	}
	time.Sleep(time.Until(until))
	if err := conn.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&held.Until); err != nil {
		return err
	}
	r.mu.Lock()
	l.holds = append(l.holds, held)
	r.mu.Unlock()
	return run(release)
}
