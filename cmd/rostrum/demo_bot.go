package main

import (
	"context"
	"fmt"
	random "math/rand/v2"
	"net/http"
	"slices"
	"time"

	"rostrum/store/auction"
)

// bot is a buyer with a taste and a purse: which lots it wants, and how far it
// goes for each, is drawn from its id and the lot's, and stays so.
type bot struct {
	crowd  *crowd
	id     int64
	token  string
	chance *random.Rand
}

func newBot(c *crowd, id int64, token string) *bot {
	return &bot{crowd: c, id: id, token: token, chance: random.New(random.NewPCG(random.Uint64(), uint64(id)))}
}

// run looks round, bids, and rests, until ctx ends. Its error is that of a
// house that does not know the bot.
func (b *bot) run(ctx context.Context) error {
	b.rest(ctx, 4)
	for ctx.Err() == nil {
		lots, wait, err := b.look(ctx)
		if err != nil {
			return err
		}
		lot, amount, found := b.choose(lots)
		if found {
			b.rest(ctx, 1) // a moment to type
			if wait, err = b.bid(ctx, lot, amount); err != nil {
				return err
			}
		}
		switch {
		case wait > 0:
			pause(ctx, wait)
		case found && lot.left() < hurry:
			b.rest(ctx, 3)
		default:
			b.rest(ctx, 9)
		}
	}
	return nil
}

// rest pauses for about so many seconds, as people do.
func (b *bot) rest(ctx context.Context, about time.Duration) {
	about *= b.crowd.pace
	pause(ctx, about/3+random.N(about*4/3))
}

// hurry is how long before the end of a lot a bot minds nothing else.
const hurry = 2 * time.Minute

// choose picks a lot and what to bid on it. The list comes with what ends
// soonest first, and so the bot prefers what stands higher up.
func (b *bot) choose(lots []shownLot) (shownLot, auction.Money, bool) {
	lots = slices.DeleteFunc(slices.Clone(lots), func(lot shownLot) bool { return !b.wants(lot) })
	if len(lots) == 0 {
		return shownLot{}, auction.Money{}, false
	}
	lot := lots[min(b.chance.IntN(len(lots)), b.chance.IntN(len(lots)))]
	if lots[0].left() < hurry {
		lot = lots[0]
	}
	amount := lot.floor
	for range max(0, b.chance.IntN(6)-3) { // mostly the floor
		if more := amount.Add(lot.step); more.Cmp(b.most(lot)) <= 0 {
			amount = more
		}
	}
	return lot, amount, true
}

func (b *bot) wants(lot shownLot) bool {
	leads := lot.LeaderID != nil && *lot.LeaderID == b.id
	return !leads && lot.SellerID != b.id && !lot.ServerTime.Before(lot.StartTime) && lot.left() > 0 && lot.floor.Cmp(b.most(lot)) <= 0
}

// most is how far the bot would go: up to forty steps above the start when the
// end is near, less as long as there is time to see what others do.
func (b *bot) most(lot shownLot) auction.Money {
	steps := random.New(random.NewPCG(uint64(b.id), uint64(lot.ID))).IntN(40)
	switch left := lot.left(); {
	case left > time.Hour:
		steps /= 4
	case left > 10*time.Minute:
		steps /= 2
	}
	most := lot.start
	for range steps {
		most = most.Add(lot.step)
	}
	return most
}

// look reads the first page of the open lots.
func (b *bot) look(ctx context.Context) ([]shownLot, time.Duration, error) {
	var page struct{ Items []shownLot }
	answer := b.call(ctx, http.MethodGet, "/auctions?status=open", nil, nil, &page)
	switch {
	case answer.status == http.StatusUnauthorized:
		return nil, 0, b.unknown()
	case answer.wait > 0:
		b.crowd.waits(ctx, answer)
		return nil, answer.wait, nil
	}
	for i := range page.Items {
		if err := page.Items[i].read(); err != nil {
			return nil, 0, fmt.Errorf("the house at %s speaks of a lot that cannot be read: %w", b.crowd.url, err)
		}
	}
	return page.Items, 0, nil
}

// impatience is how long a bot waits for a house that does not answer.
const impatience = 2 * time.Second

// bid sends a bid until it is judged, under one id, so that it is one bid
// however often it is sent. A bid under way outlives ctx for as long as one
// request takes: it ends with its answer counted.
func (b *bot) bid(ctx context.Context, lot shownLot, amount auction.Money) (wait time.Duration, err error) {
	path := fmt.Sprintf("/auctions/%d/bids", lot.ID)
	key := map[string]string{"Idempotency-Key": auction.NewRequestID().String()}
	body := map[string]string{"amount": lot.currency.Text(amount)}
	for ctx.Err() == nil {
		var problem struct{ Code string }
		answer := b.call(context.WithoutCancel(ctx), http.MethodPost, path, key, body, &problem)
		switch {
		case answer.status == http.StatusUnauthorized:
			return 0, b.unknown()
		case answer.wait > 0:
			b.crowd.waits(ctx, answer)
			pause(ctx, answer.wait)
			continue
		case answer.status == http.StatusCreated, answer.status == http.StatusOK:
			b.crowd.note(bidAccepted)
		case problem.Code == "price_too_low":
			b.crowd.note(bidTooLow)
		case problem.Code == "auction_closed":
			b.crowd.note(bidTooLate)
		case problem.Code == "suspended":
			b.crowd.note(bidRefused)
			return time.Minute, nil
		default:
			b.crowd.note(bidRefused)
		}
		return 0, nil
	}
	return 0, nil
}

func (b *bot) unknown() error {
	return fmt.Errorf("the house at %s does not know the bots: it uses another database, or their tokens were revoked", b.crowd.url)
}
