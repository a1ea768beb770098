package store_test

import (
	"context"
	"time"

	"rostrum/store/auction"
)

// bidOverTheEnd has a bid wait for a lot over its end.
func (p *proof) bidOverTheEnd(hold string) (*proofLot, auction.Verdict) {
	p.t.Helper()
	s := p.scene()
	for patience := 500 * time.Millisecond; ; patience = 2 * time.Second { // less than the statement_timeout of judging
		l := p.list(patience, 0, 1, 1)
		held, released, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
		go func() {
			p.hold(l, hold, "COMMIT", held, released)
			close(done)
		}()
		<-held
		answers := p.placing(0, p.Offer(l.begin, p.people[0], "1010"))
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
func (p *proof) placing(instance int, offer auction.Offer) <-chan answer {
	answers := make(chan answer, 1)
	go func() {
		o, err := p.recorder.Bid(instance, offer, func(o auction.Offer) (auction.Outcome, error) {
			return p.instances[instance].PlaceBid(context.Background(), o)
		})
		answers <- answer{o, err}
	}()
	return answers
}

func (p *proof) someoneWaits() {
	p.t.Helper()
	p.scene().waiting(p.t, 1)
}

// closeWhatWaits has a closer wait for the last bid on a lot. False: the machine
// was so slow that the bid came after the end.
func (p *proof) closeWhatWaits(patience time.Duration) (inTime bool) {
	p.t.Helper()
	s := p.scene()
	l := p.list(patience, 0, 1, 1)
	p.Exec(`UPDATE auction SET soft_close = '0' WHERE id = $1`, l.begin.ID)
	if a := receive(p.t, p.placing(0, p.Offer(l.begin, p.people[0], "1010"))); a.err != nil || a.Verdict != auction.Accepted {
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
