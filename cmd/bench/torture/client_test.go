package torture_test

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"rostrum/cmd/bench/house"
	"rostrum/cmd/bench/wire"
	"rostrum/store/auction"
	"rostrum/store/auction/history"
)

// client bids on one lot by a script, and repeats each bid that was not
// answered, at the next instance, under the same id, until it is.
type client struct {
	*round
	lot    *lot
	who    int // among the lot's clients
	person house.Person
	conns  map[line]*wire.Conn
}

// line is a connection to an instance. A client that gives up soon takes
// another one.
type line struct {
	url       string
	impatient bool
}

const (
	long  = 20 * time.Second     // more than the house takes to say that it cannot
	short = 3 * time.Millisecond // less than a bid takes that others are ahead of
)

func (c *client) bid() {
	defer c.hangUp()
	s := script{seed: c.seed, round: c.number, lot: c.lot.number, client: c.who, clients: c.lot.clients, of: c.lot.offers, pace: c.lot.pace}
	over := 0
	for _, step := range s.steps() {
		if over == 3 {
			return // a few more once it is over are enough
		}
		since := c.began
		if step.afterEnd {
			since = c.lot.begin.EndTime
		}
		time.Sleep(time.Until(since.Add(step.due)))
		if c.offer(step) == auction.Ended {
			over++
		}
		if step.reads {
			c.read(step.instance)
		}
	}
}

func (c *client) offer(s step) auction.Verdict {
	who := c.person
	if s.own {
		who = c.seller
	}
	amount, err := c.Currency.Parse(strconv.Itoa(1000 + 10*s.rise))
	if err != nil {
		c.t.Error(err)
		return ""
	}
	offer := auction.Offer{AuctionID: c.lot.begin.ID, BidderID: who.ID, Amount: amount, RequestID: s.id}
	path := fmt.Sprintf("/auctions/%d/bids", c.lot.begin.ID)
	body := []byte(`{"amount":"` + c.Currency.Text(amount) + `"}`)
	headers := "Idempotency-Key: " + s.id.String() + "\r\nAuthorization: Bearer " + who.Token + "\r\n"
	for began, try := time.Now(), 0; time.Since(began) < patience; try++ {
		conn := c.conn(s.instance+try, s.impatient && try == 0)
		if conn == nil || conn.Open() != nil { // nothing was asked for
			time.Sleep(retry)
			continue
		}
		a := history.Answer{Kind: history.Bid, Client: c.who, Offer: offer, Call: c.recorder.Now()}
		status, answer, err := conn.Do("POST", path, headers, body)
		a.Return = c.recorder.Now()
		if err == nil {
			if err := c.hear(&a, status, answer); err != nil {
				c.t.Errorf("seed %d: %v", c.seed, err)
				return ""
			}
		}
		c.recorder.Add(c.lot.begin.ID, a)
		if !a.Unknown() {
			return a.Verdict
		}
		time.Sleep(min(time.Duration(try+1)*retry, 10*retry))
	}
	c.t.Errorf("seed %d: a bid on lot %d, id %s, was not answered within %v", c.seed, c.lot.begin.ID, s.id, patience)
	return ""
}

func (c *client) read(instance int) {
	conn := c.conn(instance, false)
	if conn == nil {
		return
	}
	a := history.Answer{Kind: history.Read, Client: c.who, Call: c.recorder.Now()}
	status, body, err := conn.Do("GET", fmt.Sprintf("/auctions/%d", c.lot.begin.ID), "Accept: application/json\r\n", nil)
	a.Return = c.recorder.Now()
	switch {
	case err != nil || status == http.StatusServiceUnavailable:
	case status != http.StatusOK:
		c.t.Errorf("seed %d: a read was answered %d %s", c.seed, status, body)
	default:
		lot, err := c.ReadLot(body)
		if err != nil {
			c.t.Errorf("seed %d: %v", c.seed, err)
		}
		a.Told = lot.State()
		c.recorder.Add(c.lot.begin.ID, a)
	}
}

func (c *client) conn(instance int, impatient bool) *wire.Conn {
	l := line{c.instances[instance%len(c.instances)].at(), impatient}
	if c.conns[l] == nil {
		timeout := long
		if impatient {
			timeout = short
		}
		conn, err := wire.New(l.url, timeout)
		if err != nil {
			c.t.Error(err)
			return nil
		}
		c.conns[l] = conn
	}
	return c.conns[l]
}

func (c *client) hangUp() {
	for _, conn := range c.conns {
		conn.Close()
	}
}

// pause waits a moment, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
