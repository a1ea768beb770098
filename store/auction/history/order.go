package history

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"time"

	"rostrum/store/auction"
)

// placed is an answer, or what made a version, at its place in the order.
type placed struct {
	position  int64
	made      bool // it made the version at which it stands
	call, ret time.Duration
	answer    *Answer
}

// realTime checks that nothing was answered before something was asked for
// that stands ahead of it in the order (B11, B12). What only saw one version
// stands in no order among itself.
func (c *check) realTime() {
	c.placeLeading()
	order := c.order()
	latest := placed{call: math.MinInt64} // of all ahead, the one that was asked for last
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && !order[from].made && !order[to].made && order[to].position == order[from].position {
			to++
		}
		group := order[from:to]
		for _, p := range group {
			if p.ret < latest.call {
				c.contradict("B11", p.answer, latest.answer, "answered before what is ahead of it by version (%d, then %d) was asked for", latest.position, p.position)
			}
		}
		for _, p := range group {
			if p.call > latest.call {
				latest = p
			}
		}
		from = to
	}
}

func (c *check) order() []placed {
	order := make([]placed, 0, len(c.Answers)+len(c.steps))
	for i := range c.steps {
		if s := &c.steps[i]; s.made != unseen {
			order = append(order, placed{c.Begin.Version + int64(i) + 1, true, s.call, s.ret, s.by})
		}
	}
	for i, position := range c.position {
		a := &c.Answers[i]
		if position == nowhere || c.maker(position) == a && c.step(position).ret == a.Return {
			continue // it stands there as what made the version
		}
		order = append(order, placed{position, false, a.Call, a.Return, a})
	}
	slices.SortFunc(order, func(a, b placed) int {
		switch {
		case a.position != b.position:
			return cmp.Compare(a.position, b.position)
		case a.made:
			return -1
		case b.made:
			return 1
		default:
			return 0
		}
	})
	return order
}

// placeLeading gives those who were asked whether they mean to raise their own
// bid their places: any version will do at which they led, from the newest that
// was known to anybody when they asked to the one that they were told.
func (c *check) placeLeading() {
	var asked []int
	for i := range c.Answers {
		if a := &c.Answers[i]; a.Kind == Bid && a.Verdict == auction.Leading && c.isVersion(a.Told.Version) {
			asked = append(asked, i)
		}
	}
	if len(asked) == 0 {
		return
	}
	led := map[int64][]int64{} // the versions at which a person led
	for _, s := range c.states {
		if s.leader != nil {
			led[*s.leader] = append(led[*s.leader], s.version)
		}
	}
	known := c.knownBy()
	for _, i := range asked {
		c.position[i] = c.leading(&c.Answers[i], led[c.Answers[i].Offer.BidderID], known(c.Answers[i].Call))
	}
}

func (c *check) leading(a *Answer, led []int64, from int64) int64 {
	until := a.Told.Version
	if kept := c.keptBid(a.Offer.RequestID); kept != nil {
		until = min(until, kept.Version-1)
	}
	i := sort.Search(len(led), func(i int) bool { return led[i] >= from })
	switch {
	case c.state(a.Told.Version).vague:
		return nowhere
	case i == len(led) || led[i] > until:
		c.contradict("B9", a, c.maker(from), "they led at no version from %d to %d", from, until)
		return nowhere
	}
	offer := a.Offer
	offer.AskLeader = true
	if want := c.state(led[i]).judge(offer, a.Told.Now, nil, false); want != auction.Leading && !c.state(led[i]).vague {
		c.contradict("B9", a, c.maker(led[i]), "it is %q on version %d", want, led[i])
	}
	return led[i]
}

// knownBy tells the newest version that anybody was told of before an instant.
func (c *check) knownBy() func(time.Duration) int64 {
	type known struct {
		at      time.Duration
		version int64
	}
	var list []known
	for i, position := range c.position {
		list = append(list, known{c.Answers[i].Return, max(position, c.Begin.Version)})
	}
	slices.SortFunc(list, func(a, b known) int { return cmp.Compare(a.at, b.at) })
	for i := 1; i < len(list); i++ {
		list[i].version = max(list[i].version, list[i-1].version)
	}
	return func(at time.Duration) int64 {
		i := sort.Search(len(list), func(i int) bool { return list[i].at >= at })
		if i == 0 {
			return c.Begin.Version
		}
		return list[i-1].version
	}
}
