package store

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"rostrum/store/auction"
)

// Sort is the order of a list.
type Sort string

// The orders. ByEnd is the soonest first for open lots and the latest first for
// closed ones. Those by price and bids are of a moment, see RefreshRanks.
const (
	ByEnd     Sort = "ending"
	Newest    Sort = "newest"
	PriceLow  Sort = "price-low"
	PriceHigh Sort = "price-high"
	MostBids  Sort = "bids"
)

// Query says which auctions to list, and in which order.
type Query struct {
	Closed   bool
	Text     string         // words that all stand in title or description, or begin a word there
	From, To *auction.Money // the price, both included; nil: any
	EndFrom  time.Time      // the end lies at or behind this,
	EndTo    time.Time      // and before this; zero: any
	Sort     Sort           // "": ByEnd
	After    *Mark          // nil: from the beginning
	Limit    int
	ReaderID int64 // 0: nobody is signed in
}

// Page is a page of a list. Gathered is how many lots there are from it on,
// where that was found on the way, else 0.
type Page struct {
	Lots     []Listed
	Gathered int
}

// window is how many lots of an order are looked through for those that are
// wanted. With a million lots, a page of 50 and wanted ones spread evenly, this
// is where both ways to find them take as long: along the order, past 6,000
// others, or from all the 6,000 that have the word.
const window = 6000

// Auctions lists auctions in a stable order: whoever reads it page by page
// while bids arrive misses none that was there when they began. By end, a bid
// can move a lot back, and it is met again. By price and bids, the order stays
// that of the first page's moment for a quarter of an hour; after that, a lot
// that rises past the reader is missed by those who read downwards. The prices
// told are always the present ones.
//
// What is common is found by going along the order. What is rare would be a
// long way to go: it is gathered and then sorted. The planner knows how common
// a word is; whether it is right is tried out.
func (s *Store) Auctions(ctx context.Context, q Query) (Page, error) {
	f, err := s.search(ctx, q)
	if err != nil {
		return Page{}, err
	}
	if f.words != "" && f.estimate < window {
		return f.page(ctx, (*search).gathered)
	}
	page, err := f.page(ctx, (*search).along)
	if err != nil || len(page.Lots) == q.Limit || !f.sparse() {
		return page, err
	}
	if end, err := f.ends(ctx); err != nil || end {
		return page, err
	}
	return f.page(ctx, (*search).gathered)
}

// Count counts the auctions of a query, as far as most.
func (s *Store) Count(ctx context.Context, q Query, most int) (int, error) {
	q.After, q.Sort = nil, ByEnd
	f, err := s.search(ctx, q)
	if err != nil {
		return 0, err
	}
	if f.words != "" && !f.common() {
		return f.count(ctx, (*search).gathered, most)
	}
	n, err := f.count(ctx, (*search).along, most)
	if err != nil || n == most || !f.sparse() {
		return n, err
	}
	return f.count(ctx, (*search).gathered, most)
}

// search is a query that is being answered, and the statement for it in the
// making.
type search struct {
	store *Store
	q     Query
	words string    // a tsquery, "" where nothing is searched
	at    time.Time // the moment of the order, for those that have one
	args  []any

	estimate float64 // how many lots have the words, as the planner sees it
}

func (s *Store) search(ctx context.Context, q Query) (*search, error) {
	f := &search{store: s, q: q}
	if q.Sort == "" {
		f.q.Sort = ByEnd
	}
	if q.Text != "" {
		var err error
		if f.words, err = s.searchFor(ctx, q.Text); err != nil {
			return nil, err
		}
	}
	if f.words != "" {
		if err := f.guess(ctx); err != nil {
			return nil, err
		}
	}
	if !f.ranked() {
		return f, nil
	}
	var asked *time.Time // nil: the newest moment
	if q.After != nil {
		at := time.UnixMicro(q.After.At)
		asked = &at
	}
	moments, err := collect(ctx, s, pgx.RowTo[time.Time], `
		SELECT CASE WHEN $1::timestamptz BETWEEN kept_since AND refreshed_at THEN $1 ELSE refreshed_at END FROM lot_rank_moment`, asked)
	if err != nil {
		return nil, fault("look for the moment of an order", err)
	}
	f.at = moments[0]
	return f, nil
}

// searchFor is the tsquery that a text is searched with, "" where it has no words.
func (s *Store) searchFor(ctx context.Context, text string) (string, error) {
	queries, err := collect(ctx, s, pgx.RowTo[string], `SELECT coalesce(search_for($1)::text, '')`, text)
	if err != nil {
		return "", fault("read the words of a search", err)
	}
	return queries[0], nil
}

// guess asks the planner how many lots have the words. What is rarer than its
// statistics tell, it takes for one in 200.
func (f *search) guess(ctx context.Context) error {
	f.args = []any{pgx.QueryExecModeSimpleProtocol} // EXPLAIN takes no parameters
	sql := `EXPLAIN (FORMAT JSON) SELECT FROM lot_search s WHERE ` + f.sought()
	plans, err := collect(ctx, f.store, pgx.RowTo[[]struct{ Plan map[string]any }], sql, f.args...)
	if err != nil {
		return fault("ask how common words are", err)
	}
	f.estimate, _ = plans[0][0].Plan["Plan Rows"].(float64)
	return nil
}

// common says that so many lots have the words that they are better counted
// along the order than by the index, which reads where all of them are before
// it counts any. It matters where there are many lots: a million closed ones,
// a tenth of that open.
func (f *search) common() bool {
	if f.q.Closed {
		return f.estimate > 200_000
	}
	return f.estimate > 20_000
}

// page reads the page of what a statement finds.
func (f *search) page(ctx context.Context, found func(*search) string) (Page, error) {
	f.args = []any{pgx.QueryExecModeCacheDescribe, f.q.ReaderID} // planned for these very words, prices and places
	o := f.order()
	sql := fmt.Sprintf(`
		WITH found AS (%s),
		page AS MATERIALIZED (SELECT id, key, gathered FROM found ORDER BY key %[2]s, id %[2]s LIMIT %[3]s)
		SELECT %[4]s, %[5]s, page.gathered
		FROM page JOIN auction a ON a.id = page.id %[6]s
		ORDER BY page.key %[2]s, page.id %[2]s`,
		found(f), o.direction(), f.arg(f.q.Limit), listedColumns, o.mark, listedJoins)
	var page Page
	var err error
	page.Lots, err = collect(ctx, f.store, scanPlaced(&page.Gathered), sql, f.args...)
	for i := range page.Lots {
		if f.ranked() {
			page.Lots[i].place.At = f.at.UnixMicro()
		}
		if lagAllowed(ctx) {
			page.Lots[i].Now = f.store.Now() // a replica has a clock of its own
		}
	}
	return page, fault("list auctions", err)
}

func (f *search) count(ctx context.Context, found func(*search) string, most int) (int, error) {
	f.args = []any{pgx.QueryExecModeCacheDescribe}
	sql := `SELECT count(*) FROM (` + found(f) + ` LIMIT ` + f.arg(most) + `) counted`
	return f.number(ctx, sql)
}

// ends says whether the order ends within the window.
func (f *search) ends(ctx context.Context) (bool, error) {
	f.args = []any{pgx.QueryExecModeCacheDescribe}
	n, err := f.number(ctx, `SELECT count(*) FROM (`+f.stretch()+`) stretch`)
	return n < window, err
}

func (f *search) number(ctx context.Context, sql string) (int, error) {
	n, err := collect(ctx, f.store, pgx.RowTo[int], sql, f.args...)
	if err != nil {
		return 0, fault("count auctions", err)
	}
	return n[0], nil
}

// along finds what is wanted in the order's next stretch, or in all of it where
// the order's own index tells what is wanted.
func (f *search) along() string {
	if o := f.order(); !f.sparse() {
		lots, condition := f.lots()
		if f.ranked() {
			lots += ` JOIN auction a ON a.id = r.auction_id`
			condition += ` AND ` + f.status() + f.priceOf("a.current_price")
		}
		return `SELECT ` + o.id + ` AS id, ` + o.key + ` AS key, 0 AS gathered FROM ` + lots + ` WHERE ` + condition + f.behind(o.key, o.id)
	}
	sql := `SELECT k.id, k.key, 0 AS gathered FROM (` + f.stretch() + `) k`
	if f.ranked() {
		sql += ` CROSS JOIN LATERAL (SELECT FROM auction a WHERE a.id = k.id AND ` + f.status() +
			f.priceOf("a.current_price") + f.endOf("a.end_time") + ` LIMIT 1) lot`
	}
	if f.words != "" {
		sql += ` CROSS JOIN LATERAL (SELECT FROM lot_search s WHERE s.auction_id = k.id AND ` + f.sought() + ` LIMIT 1) sought`
	}
	if f.ranked() {
		return sql
	}
	return sql + ` WHERE true` + f.priceOf("k.current_price") + f.endOf("k.end_time")
}

// stretch is the order from the place on, as far as the window. From here on
// it is one lot after the other (LIMIT 1 in along keeps it so): to the planner
// a join of everything may look cheaper.
func (f *search) stretch() string {
	o := f.order()
	lots, condition := f.lots()
	more := ""
	if !f.ranked() && (f.priced() || f.dated()) {
		more = `, a.current_price, a.end_time`
	}
	return fmt.Sprintf(`SELECT %s AS id, %s AS key%[8]s FROM %[3]s WHERE %s%s ORDER BY %[2]s %[6]s, %[1]s %[6]s LIMIT %[7]d`,
		o.id, o.key, lots, condition, f.behind(o.key, o.id), o.direction(), window, more)
}

// gathered finds everything that is wanted, by the best index for that.
func (f *search) gathered() string {
	o := f.order()
	ranks, price := "", ""
	if f.ranked() || f.priced() {
		ranks, price = ` JOIN lot_rank r ON r.auction_id = a.id AND `+f.rankThen(), f.priceOf("r.price")
	}
	return `SELECT id, key, count(*) OVER () AS gathered FROM (SELECT a.id, ` + o.key + ` AS key FROM auction a` + ranks + f.wanted(price) + ` OFFSET 0) gathered
		WHERE true` + f.behind("key", "id")
}

// wanted joins what is needed to tell whether a lot is wanted, and tells it.
func (f *search) wanted(more string) string {
	join := ""
	if f.words != "" {
		join = ` JOIN lot_search s ON s.auction_id = a.id AND ` + f.sought()
	}
	return join + ` WHERE ` + f.status() + f.priceOf("a.current_price") + f.endOf("a.end_time") + more
}

func (f *search) sought() string {
	return f.open("s.open") + ` AND s.words @@ ` + f.arg(f.words) + `::tsquery`
}

func (f *search) arg(value any) string {
	f.args = append(f.args, value)
	return "$" + strconv.Itoa(len(f.args)-1) // the first one is no argument but the mode
}
