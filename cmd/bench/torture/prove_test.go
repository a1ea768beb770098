package torture_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"rostrum/cmd/bench/wire"
	"rostrum/store/auction"
	"rostrum/store/auction/history"
	"rostrum/store/storetest"
)

// counts are what was proved.
type counts struct {
	history.Tally
	Missing      int // acknowledged bids that the log does not have
	Linearizable int // lots that porcupine explained
	Closed       int
	late, slow   time.Duration // the latest commit after a lot's end, and after its judging
}

func (c counts) plus(o counts) counts {
	return counts{c.Tally.Plus(o.Tally), c.Missing + o.Missing, c.Linearizable + o.Linearizable, c.Closed + o.Closed, max(c.late, o.late), max(c.slow, o.slow)}
}

// String tells them in one line.
func (c counts) String() string {
	return fmt.Sprintf("%d answers; %d acknowledged bids, %d of them missing; %d refusals, %d replays, %d reads and frames; %d unknown, of which %d had happened; %d lots closed, porcupine explained %d; committed up to %v after judging, %v after the end",
		c.Answers, c.Acknowledged, c.Missing, c.Refused, c.Replayed, c.Seen, c.Unknown, c.Happened, c.Closed, c.Linearizable, c.slow, c.late)
}

// fewUnknown are few enough for porcupine to try each both ways. Where there are
// more, the log tells it which of them happened.
const fewUnknown = 6

// prove asks all oracles of the round.
func (r *round) prove() (all counts) {
	r.t.Helper()
	for _, l := range r.lots {
		r.closing(l)
		all = all.plus(r.proveLot(l))
	}
	r.until("all lots close", func() bool { // one whose listing was not answered, too
		var open bool
		err := r.sql.QueryRow(r.t.Context(), `SELECT EXISTS (SELECT FROM auction WHERE status = 'OPEN')`).Scan(&open)
		return err == nil && !open
	})
	wrong, err := storetest.WrongBooks(r.t.Context(), r.sql)
	ok(r.t, err)
	if len(wrong) > 0 {
		r.t.Errorf("seed %d: %s", r.seed, strings.Join(wrong, "\n"))
	}
	if all.Acknowledged == 0 || all.Missing > 0 {
		r.t.Errorf("seed %d: of %d acknowledged bids %d are missing", r.seed, all.Acknowledged, all.Missing)
	}
	return all
}

func (r *round) proveLot(l *lot) counts {
	r.t.Helper()
	books, err := storetest.ReadBooks(r.t.Context(), r.sql, l.begin.ID)
	ok(r.t, err)
	told := history.Lot{Begin: l.begin, Answers: r.recorder.Answers(l.begin.ID), Log: books.Log, Logged: true, Holds: l.holds}
	tally, err := told.Check()
	if err != nil {
		r.t.Errorf("seed %d, lot %d: %v", r.seed, l.begin.ID, err)
	}
	c := counts{Tally: tally, Missing: missing(told), Closed: 1}
	told.Logged = false
	if _, err := told.Check(); err != nil {
		r.t.Errorf("seed %d, lot %d, without the log: %v", r.seed, l.begin.ID, err)
	}
	if l.small {
		told.Logged = tally.Unknown > fewUnknown
		if err := told.Linearizable(patience); err != nil {
			r.t.Errorf("seed %d, lot %d: %v", r.seed, l.begin.ID, err)
		}
		c.Linearizable = 1
	}
	c.late, c.slow = books.Lateness(l.begin)
	return c
}

// missing counts the bids that somebody was told are accepted and that the log
// does not have under their ids.
func missing(l history.Lot) (n int) {
	kept := map[auction.RequestID]int64{}
	for _, b := range l.Log {
		kept[b.RequestID] = b.Version
	}
	lost := map[auction.RequestID]bool{}
	for _, a := range l.Answers {
		if (a.Verdict == auction.Accepted || a.Verdict == auction.Replayed) && kept[a.Offer.RequestID] != a.Bid.Version {
			lost[a.Offer.RequestID] = true
		}
	}
	return len(lost)
}

// closing asks each instance how a lot ended, and one for the event: all must
// tell what the lot itself does.
func (r *round) closing(l *lot) {
	r.t.Helper()
	id := l.begin.ID
	for _, in := range r.instances {
		var end auction.Auction
		call := r.recorder.Now()
		r.get(in, fmt.Sprintf("/auctions/%d", id), func(body []byte) (err error) {
			end, err = r.ReadLot(body)
			return err
		})
		r.recorder.Add(id, history.Answer{Kind: history.Read, Client: -1 - in.number, Call: call, Return: r.recorder.Now(), Told: end.State()})
		want := ending{EndTime: end.EndTime.UTC(), ClosedAt: end.ClosedAt.UTC(), BidCount: end.BidCount}
		outcome := "unsold"
		if end.LeaderID != nil {
			price := r.Currency.Text(end.CurrentPrice)
			want.Price, want.WinnerID, outcome = price, *end.LeaderID, "sold"
		}
		r.get(in, fmt.Sprintf("/auctions/%d/result", id), func(body []byte) error {
			var got struct {
				ending
				Outcome string
			}
			err := json.Unmarshal(body, &got)
			got.WinnerID = want.WinnerID // it tells an alias
			if got.utc() != want || got.Outcome != outcome {
				r.t.Errorf("seed %d, lot %d: the result is %s, want %+v", r.seed, id, body, want)
			}
			return err
		})
		r.get(in, fmt.Sprintf("/admin/events?auction=%d", id), func(body []byte) error { return r.event(id, body, want) })
	}
}

// ending is how a lot ended, as its result and its event tell it.
type ending struct {
	WinnerID          int64
	Price             string
	BidCount          int64
	EndTime, ClosedAt time.Time
}

func (e ending) utc() ending {
	e.EndTime, e.ClosedAt = e.EndTime.UTC(), e.ClosedAt.UTC()
	return e
}

func (r *round) event(id int64, body []byte, want ending) error {
	var list struct {
		Items []struct {
			Topic   string
			Payload json.RawMessage
		}
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return err
	}
	n := 0
	for _, item := range list.Items {
		if item.Topic != "auction-closed" {
			continue
		}
		n++
		var got ending
		if err := json.Unmarshal(item.Payload, &got); err != nil {
			return err
		}
		if got.utc() != want {
			r.t.Errorf("seed %d, lot %d: the event is %s, want %+v", r.seed, id, item.Payload, want)
		}
	}
	if n != 1 {
		r.t.Errorf("seed %d, lot %d: %d events of its closing", r.seed, id, n)
	}
	return nil
}

// get asks an instance as the admin.
func (r *round) get(in *instance, path string, read func([]byte) error) {
	r.t.Helper()
	r.ask(in, "GET", path, http.StatusOK, nil, read)
}

// ask asks again where an instance cannot answer yet: after a restart of
// PostgreSQL it may still hold connections to the old one.
func (r *round) ask(in *instance, method, path string, want int, body []byte, read func([]byte) error) {
	r.t.Helper()
	conn, err := wire.New(in.at(), long)
	ok(r.t, err)
	defer conn.Close()
	for {
		status, answer, err := conn.Do(method, path, "Accept: application/json\r\nAuthorization: Bearer "+r.seller.Token+"\r\n", body)
		switch {
		case err != nil || status != want && status != http.StatusServiceUnavailable:
			r.t.Fatalf("seed %d: %s was answered %d %s, %v", r.seed, path, status, answer, err)
		case status == want:
			ok(r.t, read(answer))
			return
		}
		time.Sleep(retry)
	}
}
