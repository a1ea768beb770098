package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	random "math/rand/v2"
	"strconv"
	"strings"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
)

const (
	demoAdmin = "admin@demo.example"
	demoMail  = "@demo.example" // RFC 2606: a domain that is nobody's
	lastCall  = 6 * time.Second // how long the lots are open that close while the house is filled
)

// guest is somebody of the sample house; who has a password can sign in.
type guest struct{ role, name, email, password string }

// The sellers, in the order of their constants. The first of them and the
// first two buyers can sign in, so that one can outbid the other.
func demoSellers() []string {
	return []string{"Marta Kowalska", "Tobias Brenner", "Aiko Tanaka", "Claire Fournier", "Owen Hughes"}
}

func demoBuyers() []string {
	return []string{"Nora Lindqvist", "Samir Haddad", "Grace Okafor", "Luca Moretti", "Ewa Zielińska", "Daniel Roth", "Mei Chen", "Ruth Adeyemi"}
}

// demo fills one house.
type demo struct {
	store    *store.Store
	sudden   *store.Store // with no soft close
	currency auction.Currency
	guests   []guest
	sellers  []int64
	buyers   []int64
	lots     []demoLot
	ids      []int64 // of the lots
}

// fill makes the people and the lots, has the bids placed, and waits until
// what should be closed is. Lots that end at once are listed with no soft
// close: each bid on them would move the end.
func (d *demo) fill(ctx context.Context) error {
	if err := d.people(ctx); err != nil {
		return err
	}
	d.lots = demoLots()
	var contests []*contest
	for i, lot := range d.lots {
		by := d.store
		if lot.ends == 0 {
			by = d.sudden
		}
		listed, err := d.list(ctx, by, lot)
		if err != nil {
			return fmt.Errorf("%s: %w", lot.title, err)
		}
		d.ids = append(d.ids, listed.ID)
		c := &contest{lot: listed, bids: lot.bids, chance: random.New(random.NewPCG(1, uint64(i)))}
		contests = append(contests, c)
		for lot.ends == 0 && c.bids > 0 { // while it is open
			if err := d.bid(ctx, c); err != nil {
				return err
			}
		}
	}
	if err := d.contest(ctx, contests); err != nil {
		return err
	}
	if err := d.watch(ctx); err != nil {
		return err
	}
	return d.closing(ctx)
}

// watch puts lots on the buyers' watch lists, of some lots more than of others.
func (d *demo) watch(ctx context.Context) error {
	for i, buyer := range d.buyers {
		for j, lot := range d.ids {
			if (i*5+j*3)%7 < 2 {
				if _, err := d.store.Watch(ctx, buyer, lot); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// contest is the bidding on one lot. Who bids and how much is the same in each
// sample house.
type contest struct {
	lot    auction.Auction
	bids   int // still to be placed
	who    int // the last bidder, an index of demo.buyers
	chance *random.Rand
}

// contest has all bids placed, a bid on each lot at a time, so that the log of
// a lot does not tell of one instant. What is to be closed takes as long.
func (d *demo) contest(ctx context.Context, contests []*contest) error {
	for {
		placed := 0
		for _, c := range contests {
			if c.bids == 0 {
				continue
			}
			if err := d.bid(ctx, c); err != nil {
				return err
			}
			placed++
		}
		if placed == 0 || ctx.Err() != nil {
			return ctx.Err()
		}
		pause(ctx, lastCall/8)
	}
}

func (d *demo) people(ctx context.Context) error {
	for i, name := range demoBuyers() {
		id, err := d.enter(ctx, guestOf("buyer", name, i < 2))
		if err != nil {
			return err
		}
		d.buyers = append(d.buyers, id)
	}
	for i, name := range demoSellers() {
		id, err := d.enter(ctx, guestOf("seller", name, i < 1))
		if err != nil {
			return err
		}
		d.sellers = append(d.sellers, id)
	}
	_, err := d.enter(ctx, guest{"admin", "Helen Marsh", demoAdmin, newPassword()})
	return err
}

func guestOf(role, name string, signsIn bool) guest {
	first, _, _ := strings.Cut(strings.ToLower(name), " ")
	g := guest{role: role, name: name, email: first + demoMail}
	if signsIn {
		g.password = newPassword()
	}
	return g
}

// enter makes an account. One that is there is nobody of ours: its owner
// would be locked out by our password, or be made a seller.
func (d *demo) enter(ctx context.Context, g guest) (int64, error) {
	person := auction.Person{Email: g.email, Name: g.name, Seller: g.role == "seller", Admin: g.role == "admin"}
	added, err := d.store.AddPerson(ctx, person, g.password)
	if errors.Is(err, auction.ErrEmailTaken) {
		return 0, fmt.Errorf("%s has an account already; the demo needs a fresh database", g.email)
	}
	if err == nil && g.password != "" {
		d.guests = append(d.guests, g)
	}
	return added.ID, err
}

// newPassword makes twelve random letters and digits: 60 bits.
func newPassword() string {
	text := strings.ToLower(rand.Text())
	return text[:4] + "-" + text[4:8] + "-" + text[8:12]
}

// list puts a lot up.
func (d *demo) list(ctx context.Context, by *store.Store, lot demoLot) (auction.Auction, error) {
	now := by.Now()
	listing := auction.Listing{SellerID: d.sellers[lot.seller], Title: lot.title, Description: lot.description, EndTime: now.Add(lot.ends)}
	if lot.ends == 0 {
		listing.EndTime = now.Add(lastCall)
	}
	if lot.opens > 0 {
		start := now.Add(lot.opens)
		listing.StartTime = &start
	}
	var err1, err2 error
	listing.StartingPrice, err1 = d.money(lot.price)
	listing.MinIncrement, err2 = d.money(stepFrom(lot.price))
	if err := errors.Join(err1, err2); err != nil {
		return auction.Auction{}, err
	}
	listing = listing.Tidy()
	if mistakes := listing.Check(auction.Mistakes{}); mistakes != nil {
		return auction.Auction{}, mistakes
	}
	return by.List(ctx, listing)
}

// bid has one of the buyers outbid the leader, by a step or a few.
func (d *demo) bid(ctx context.Context, c *contest) error {
	c.who = (c.who + 1 + c.chance.IntN(len(d.buyers)-1)) % len(d.buyers) // never the leader
	amount := c.lot.MinimumBid()
	for range max(0, c.chance.IntN(5)-2) { // mostly the floor
		amount = amount.Add(c.lot.MinIncrement)
	}
	outcome, err := d.store.PlaceBid(ctx, auction.Offer{AuctionID: c.lot.ID, BidderID: d.buyers[c.who], Amount: amount, RequestID: auction.NewRequestID()})
	if err != nil {
		return err
	}
	switch c.lot = outcome.Auction; outcome.Verdict {
	case auction.Accepted:
		c.bids--
	case auction.TooLow: // a visitor of the open house was quicker
	case auction.Ended: // the machine was too slow
		c.bids = 0
	default:
		return fmt.Errorf("a bid on %s was answered %q", c.lot.Title, outcome.Verdict)
	}
	return nil
}

// stepFrom is the increment that suits a price.
func stepFrom(price int) int {
	steps := []struct{ below, step int }{{50, 2}, {200, 5}, {500, 10}, {1000, 25}, {2500, 50}}
	for _, s := range steps {
		if price < s.below {
			return s.step
		}
	}
	return 100
}

// money is an amount of the house's currency; one without decimals gets two
// more digits before the point: a hundred dollars are about ten thousand yen.
func (d *demo) money(units int) (auction.Money, error) {
	if d.currency.Digits == 0 {
		units *= 100
	}
	return d.currency.Parse(strconv.Itoa(units))
}

// closing waits until every lot that ended is closed. The server's closer may
// be quicker where the house is open.
func (d *demo) closing(ctx context.Context) error {
	ending := map[int64]bool{}
	for i, lot := range d.lots {
		if lot.ends == 0 {
			ending[d.ids[i]] = true
		}
	}
	closer := d.store.NewCloser(func(time.Duration) {})
	for {
		if _, err := closer.Once(ctx); err != nil {
			return err
		}
		states, err := d.store.States(ctx, d.ids)
		if err != nil {
			return err
		}
		open := 0
		for _, state := range states {
			if ending[state.AuctionID] && !state.Over() {
				open++
			}
		}
		if open == 0 {
			return nil
		}
		pause(ctx, 100*time.Millisecond)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// counts says how many lots are closed, open and to come.
func (d *demo) counts() string {
	closed, scheduled := 0, 0
	for _, lot := range d.lots {
		if lot.ends == 0 {
			closed++
		} else if lot.opens > 0 {
			scheduled++
		}
	}
	return fmt.Sprintf("%d lots: %d open, %d to come, %d closed", len(d.lots), len(d.lots)-closed-scheduled, scheduled, closed)
}
