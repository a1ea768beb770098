package store

import (
	"fmt"
	"time"
)

// order is what SQL has to know of a sort.
type order struct {
	id    string
	key   string
	mark  string // page.key as it stands in a Mark
	falls bool
}

func (o order) direction() string {
	if o.falls {
		return "DESC"
	}
	return "ASC"
}

func (f *search) order() order {
	switch f.q.Sort {
	case Newest:
		return order{id: `a.id`, key: `a.id`, mark: `page.key`, falls: true}
	case PriceLow, PriceHigh:
		return order{id: `r.auction_id`, key: `r.price`, mark: `(page.key * 100)::bigint`, falls: f.q.Sort == PriceHigh}
	case MostBids:
		return order{id: `r.auction_id`, key: `r.bid_count`, mark: `page.key`, falls: true}
	default:
		return order{id: `a.id`, key: `a.end_time`, mark: `(extract(epoch FROM page.key) * 1000000)::bigint`, falls: f.q.Closed}
	}
}

// lots are those of the order, as far as its own index can tell what is wanted:
// a table, and a condition on it.
func (f *search) lots() (table, condition string) {
	switch f.q.Sort {
	case PriceLow, PriceHigh:
		return `lot_rank r`, f.rankThen() + f.priceOf("r.price")
	case MostBids:
		return `lot_rank r`, f.rankThen()
	case ByEnd:
		return `auction a`, f.status() + f.endOf("a.end_time")
	default:
		return `auction a`, f.status()
	}
}

// ranked says whether the order is by what bids change.
func (f *search) ranked() bool {
	return f.q.Sort == PriceLow || f.q.Sort == PriceHigh || f.q.Sort == MostBids
}

func (f *search) priced() bool { return f.q.From != nil || f.q.To != nil }

func (f *search) dated() bool { return !f.q.EndFrom.IsZero() || !f.q.EndTo.IsZero() }

// sparse says whether lots of the order may be unwanted: where its own index
// does not answer everything that is asked.
func (f *search) sparse() bool {
	return f.words != "" || f.priced() && f.q.Sort != PriceLow && f.q.Sort != PriceHigh || f.dated() && f.q.Sort != ByEnd
}

func (f *search) status() string {
	if f.q.Closed {
		return `a.status = 'CLOSED'`
	}
	return `a.status = 'OPEN'`
}

func (f *search) open(column string) string {
	if f.q.Closed {
		return `NOT ` + column
	}
	return column
}

// rankThen are the ranks at the moment of the order, or the newest ones.
func (f *search) rankThen() string {
	if !f.ranked() {
		return f.open(`r.open`) + ` AND r.until = 'infinity'`
	}
	at := f.arg(f.at)
	return f.open(`r.open`) + ` AND r.since <= ` + at + ` AND ` + at + ` < r.until`
}

// priceOf and endOf are conditions on a price and on an end.
func (f *search) priceOf(column string) (sql string) {
	if f.q.From != nil {
		sql += ` AND ` + column + ` >= ` + f.arg(*f.q.From) + `::numeric`
	}
	if f.q.To != nil {
		sql += ` AND ` + column + ` <= ` + f.arg(*f.q.To) + `::numeric`
	}
	return sql
}

func (f *search) endOf(column string) (sql string) {
	if !f.q.EndFrom.IsZero() {
		sql += ` AND ` + column + ` >= ` + f.arg(f.q.EndFrom) + `::timestamptz`
	}
	if !f.q.EndTo.IsZero() {
		sql += ` AND ` + column + ` < ` + f.arg(f.q.EndTo) + `::timestamptz`
	}
	return sql
}

// behind is what lies behind the place where the page begins.
func (f *search) behind(key, id string) string {
	if f.q.After == nil {
		return ""
	}
	sign, value := ">", ""
	switch f.q.Sort {
	case PriceLow, PriceHigh:
		value = `(` + f.arg(f.q.After.Key) + `::bigint / 100.0)`
	case ByEnd:
		value = f.arg(time.UnixMicro(f.q.After.Key)) + `::timestamptz`
	default:
		value = f.arg(f.q.After.Key) + `::bigint`
	}
	if f.order().falls {
		sign = "<"
	}
	return fmt.Sprintf(` AND (%s, %s) %s (%s, %s)`, key, id, sign, value, f.arg(f.q.After.ID))
}
