package handlers

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/views"
)

// live reads what belongs to a state, for the parts of a lot's page that are
// the same for every reader.
func (h *house) live(ctx context.Context, s auction.State) (views.Live, error) {
	bids, err := h.Store.Bids(ctx, s.AuctionID, s.Version+1, lastBids)
	if err != nil {
		return views.Live{}, err
	}
	prices, err := h.Store.Prices(ctx, s, chartPoints)
	if err != nil {
		return views.Live{}, err
	}
	watching, err := h.Store.Watchers(ctx, s.AuctionID)
	if err != nil {
		return views.Live{}, err
	}
	live := views.Live{
		State: s, Price: h.Currency.Format(s.CurrentPrice), Bids: h.bidLines(bids), Steps: h.steps(s), Watching: people(watching), Chart: h.history(s, prices),
	}
	live.Floor, live.FloorText = h.floor(s)
	if len(bids) > 0 && s.ExtendedBy(bids[0]) {
		live.ExtendedAt = &bids[0].CreatedAt
	}
	return live, nil
}

// people counts those who watch, as far as the store does.
func people(n int64) string {
	switch {
	case n == 0:
		return ""
	case n > store.MostWatchers:
		return fmt.Sprintf("more than %d", store.MostWatchers)
	default:
		return strconv.FormatInt(n, 10)
	}
}

// floor is the lowest bid, as one reads it and as one types it; both are ""
// where nobody can bid more.
func (h *house) floor(s auction.State) (price, amount string) {
	if !s.CanRise() {
		return "", ""
	}
	return h.Currency.Format(s.MinimumBid), h.Currency.Text(s.MinimumBid)
}

// steps are the amounts to bid by one press.
func (h *house) steps(s auction.State) []views.Step {
	var steps []views.Step
	for _, m := range s.Steps() {
		steps = append(steps, views.Step{Price: h.Currency.Format(m), Amount: h.Currency.Text(m)})
	}
	return steps
}

// The picture of prices. It is part of each frame, so it has no more points
// than a line of its width can show, and its table no more rows than one reads.
const (
	chartPoints = 150
	chartRows   = 12
	chartWide   = 600
	chartHigh   = 100
	chartRim    = 4 // above and below, for half the line's own width
)

// history draws how the price came to be what it is, from the start to now.
func (h *house) history(s auction.State, prices []store.PricePoint) views.History {
	points := append([]store.PricePoint{{Price: s.StartingPrice, Since: s.StartTime}}, prices...)
	drawn := views.History{Line: stepLine(points, s), StartPrice: h.Currency.Format(s.StartingPrice)}
	rows := min(len(points), chartRows)
	for i := range rows {
		p := points[i*(len(points)-1)/max(rows-1, 1)]
		drawn.Rows = append(drawn.Rows, views.HistoryRow{Since: p.Since, Price: h.Currency.Format(p.Price)})
	}
	return drawn
}

// stepLine is an SVG path in whole units. Steps that fall on one place are one
// step, to the last of their prices.
func stepLine(points []store.PricePoint, s auction.State) string {
	end := s.Now
	if end.After(s.EndTime) {
		end = s.EndTime
	}
	across := func(t time.Time) int64 {
		span := end.Sub(s.StartTime).Microseconds()
		if span <= 0 {
			return 0
		}
		return min(max(chartWide*t.Sub(s.StartTime).Microseconds()/span, 0), chartWide)
	}
	down := func(m auction.Money) int64 {
		return chartRim + chartHigh - m.Share(s.StartingPrice, s.CurrentPrice, chartHigh)
	}
	x, y := int64(0), down(points[0].Price)
	line := fmt.Appendf(nil, "M0 %d", y)
	for i, p := range points {
		px, py := across(p.Since), down(p.Price)
		if i+1 < len(points) && across(points[i+1].Since) == px {
			continue
		}
		if px > x {
			line = fmt.Appendf(line, "h%d", px-x)
		}
		if py != y {
			line = fmt.Appendf(line, "v%d", py-y)
		}
		x, y = px, py
	}
	return string(fmt.Appendf(line, "H%d", chartWide))
}
