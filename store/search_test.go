package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
)

func TestWordsAreFoundHoweverTheyAreWritten(t *testing.T) {
	t.Parallel()
	s := setup(t)
	titles := []string{
		1:  "Café Müller, émaillé sign",
		2:  "Łódź straße œuvre — Đà Nẵng",
		3:  "清朝青花瓷花瓶",
		4:  "日本刀の鍔と時々カメラ",
		5:  "กาน้ำชาโบราณ",
		6:  "ＦＵＬＬ ｗｉｄｔｈ ｶﾒﾗ",
		7:  "Чайник Ёлка, Ελλάδα",
		8:  "📷 camera 100% 'quoted' \"twice\" a&b c|d !e",
		9:  "中",
		10: strings.Repeat("x", 150),
		11: "25年前の時計 No.12345",
	}
	ids := map[int64]int{}
	for i, title := range titles[1:] {
		a, err := s.List(t.Context(), auction.Listing{SellerID: s.seller.ID, Title: title, Description: "Words such as zebra.\nAnd é",
			StartingPrice: s.Money("1"), MinIncrement: s.Money("1"), EndTime: s.Now().Add(time.Hour)})
		ok(t, err)
		ids[a.ID] = i + 1
	}
	for text, want := range map[string][]int{
		"cafe": {1}, "CAFÉ": {1}, "caf": {1}, "muller emaille": {1}, "sign CAFE": {1}, "cafe clock": nil, "afe": nil,
		"lodz": {2}, "ŁÓDŹ": {2}, "strasse": {2}, "STRASSE": {2}, "oeuvre": {2}, "da nang": {2}, "Đà": {2},
		"花瓶": {3}, "青花瓷": {3}, "清": {3}, "瓶": {3}, "清朝 花瓶": {3}, "瓶花": nil, "花朝": nil,
		"日本": {4}, "刀の鍔": {4}, "時々": {4}, "時計": {11}, "時": {4, 11}, "カメラ": {4, 6}, "ｶﾒﾗ": {4, 6}, "メラ": {4, 6},
		"ชา": {5}, "โบราณ": {5}, "กาน้ำ": {5}, "full": {6}, "ＷＩＤＴＨ": {6},
		"чайник": {7}, "ЁЛКА": {7}, "елка": {7}, "ελλαδα": {7}, "Ελλάδα": {7},
		"📷": {8}, "100": {8}, "100%": {8}, "'quoted'": {8}, `"twice"`: {8}, "a&b": {8}, "c|d": {8}, "!e": nil, "camera & !quoted": {8},
		"中": {9}, strings.Repeat("x", 150): {10}, strings.Repeat("x", 199): {10}, "12345": {11}, "no 123": {11}, "25年": {11}, "25": {11},
		"zebra": {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, "e": {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
		"'; DROP TABLE bid; --": nil, `\'`: nil, ":*": nil, "nothing:*": nil, "foo <-> bar": nil, "(((": nil,
	} {
		if text == "!e" {
			want = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11} // a sign is no operator
		}
		page, err := s.Auctions(t.Context(), store.Query{Text: text, Limit: 100})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if strings.Trim(text, ` '"!?:*\(`) == "" {
			if len(page.Lots) != 12 {
				t.Errorf("%q searches for nothing and finds %d lots of 12", text, len(page.Lots))
			}
			continue
		}
		var found []int
		for _, l := range page.Lots {
			found = append(found, ids[l.ID])
		}
		if slices.Sort(found); !slices.Equal(found, want) {
			t.Errorf("%q finds %v, want %v", text, found, want)
		}
	}
}

func TestSearchFollowsALotThroughItsLife(t *testing.T) {
	t.Parallel()
	s := setup(t)
	finds := func(what string, want bool, q store.Query) {
		t.Helper()
		q.Limit = 10
		page, err := s.Auctions(t.Context(), q)
		ok(t, err)
		if found := len(page.Lots) == 1 && page.Lots[0].ID == s.lot.ID; found != want {
			t.Errorf("%s: found is %v: %+v", what, found, page.Lots)
		}
	}
	finds("listed", true, store.Query{Text: "antique"})
	s.Exec(`UPDATE auction SET title = 'Old barometer', description = 'brass' WHERE id = $1`, s.lot.ID)
	finds("by the title before", false, store.Query{Text: "antique"})
	finds("by the new title", true, store.Query{Text: "baro"})
	finds("by the new description", true, store.Query{Text: "brass old"})
	words := value[string](t, s.House, `SELECT xmin::text FROM lot_search`)
	s.bid(t, s.ann, "1010", auction.Accepted)
	if after := value[string](t, s.House, `SELECT xmin::text FROM lot_search`); after != words {
		t.Error("a bid wrote into the search")
	}
	s.endIn(t, -time.Second)
	if n, err := closer(s.Store).Once(t.Context()); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	finds("closed, among open ones", false, store.Query{Text: "baro"})
	finds("closed", true, store.Query{Text: "baro", Closed: true})
	s.Exec(`UPDATE auction SET status = 'WITHDRAWN' WHERE id = $1`, s.lot.ID)
	finds("withdrawn", false, store.Query{Text: "baro", Closed: true})
}

// crowded is a house with 120 lots of several prices, ends and words.
func crowded(t *testing.T) *scene {
	t.Helper()
	s := setup(t)
	s.Exec(`UPDATE auction SET title = 'common first' WHERE id = $1`, s.lot.ID)
	s.Exec(`INSERT INTO auction (seller_id, title, starting_price, min_increment, current_price, start_time, end_time, soft_close)
		SELECT $1, 'common ' || CASE WHEN n % 7 = 0 THEN 'seventh' ELSE 'other' END, n % 10, 1, n % 10,
			clock_timestamp(), date_trunc('hour', clock_timestamp()) + interval '1 day' + n / 5 * interval '1 minute', '2 days'
		FROM generate_series(1, 119) n`, s.seller.ID)
	return s
}

func (s *scene) all(t *testing.T, condition string) []int64 {
	t.Helper()
	return value[[]int64](t, s.House, `SELECT coalesce(array_agg(id ORDER BY id), '{}') FROM auction WHERE `+condition)
}

// Between two pages many lots are bid on and move in every order: prices rise,
// bids are counted, ends move back.
func TestNobodyIsMissedInAnyOrderWhileBidsArrive(t *testing.T) {
	t.Parallel()
	for _, sort := range []store.Sort{store.ByEnd, store.Newest, store.PriceLow, store.PriceHigh, store.MostBids} {
		for _, text := range []string{"", "common", "seventh"} {
			t.Run(string(sort)+" "+text, func(t *testing.T) {
				t.Parallel()
				s := crowded(t)
				want := s.all(t, `title LIKE '%`+text+`%'`)
				random := rand.New(rand.NewPCG(1, 2))
				rounds := 0
				read := s.read(t, store.Query{Sort: sort, Text: text, Limit: 10}, func() {
					for range 12 {
						if rounds++; rounds > 300 {
							return // by end, lots are met again as long as bids arrive
						}
						a, err := s.Auction(t.Context(), want[random.IntN(len(want))])
						ok(t, err)
						who := s.ann
						if a.LeaderID != nil && *a.LeaderID == who.ID {
							who = s.ben
						}
						s.place(t, s.Offer(a, who, fmt.Sprint(1000+rounds*10)), auction.Accepted)
					}
					_, err := s.RefreshRanks(t.Context())
					ok(t, err)
				})
				unique := slices.Clone(read)
				slices.Sort(unique)
				if unique = slices.Compact(unique); !slices.Equal(unique, want) {
					t.Errorf("read %d of %d", len(unique), len(want))
				}
				if sort != store.ByEnd && len(read) != len(want) {
					t.Errorf("%d lots were met in %d lines", len(want), len(read))
				}
			})
		}
	}
}

func TestListsComeInTheirOrder(t *testing.T) {
	t.Parallel()
	s := crowded(t)
	for i, id := range s.all(t, `id % 3 = 0`) {
		a, err := s.Auction(t.Context(), id)
		ok(t, err)
		for j := range i%4 + 1 {
			s.place(t, s.Offer(a, s.ann, fmt.Sprint(2000+100*i+10*j)), auction.Accepted)
		}
	}
	_, err := s.RefreshRanks(t.Context())
	ok(t, err)
	for _, closed := range []bool{false, true} {
		if closed {
			s.Exec(`UPDATE auction SET status = 'CLOSED', closed_at = end_time`)
			_, err := s.RefreshRanks(t.Context())
			ok(t, err)
		}
		for sort, order := range map[store.Sort]string{
			store.ByEnd:  map[bool]string{false: "end_time, id", true: "end_time DESC, id DESC"}[closed],
			store.Newest: "id DESC", store.PriceLow: "current_price, id", store.PriceHigh: "current_price DESC, id DESC", store.MostBids: "bid_count DESC, id DESC",
		} {
			want := value[[]int64](t, s.House, `SELECT array_agg(id ORDER BY `+order+`) FROM auction`)
			if read := s.read(t, store.Query{Closed: closed, Sort: sort, Limit: 7}, func() {}); !slices.Equal(read, want) {
				t.Errorf("closed %v by %s: read %v, want %v", closed, sort, read, want)
			}
			n, err := s.Count(t.Context(), store.Query{Closed: closed, Sort: sort}, 1000)
			if n != 120 || err != nil {
				t.Errorf("closed %v by %s: counted %d, %v", closed, sort, n, err)
			}
		}
	}
}

func TestFiltersNarrowEveryOrder(t *testing.T) {
	t.Parallel()
	s := crowded(t)
	from, to, day := s.Money("3"), s.Money("5"), value[time.Time](t, s.House, `SELECT date_trunc('hour', clock_timestamp()) + interval '1 day 9 minutes'`)
	for condition, q := range map[string]store.Query{
		`current_price >= 3`:                     {From: &from},
		`current_price <= 5`:                     {To: &to},
		`current_price BETWEEN 3 AND 5`:          {From: &from, To: &to},
		`end_time < $DAY`:                        {EndTo: day},
		`end_time >= $DAY`:                       {EndFrom: day},
		`end_time < $DAY AND current_price <= 5`: {EndTo: day, To: &to},
		`title LIKE '%seventh' AND end_time >= $DAY AND current_price BETWEEN 3 AND 5`: {Text: "seventh", EndFrom: day, From: &from, To: &to},
	} {
		want := s.all(t, strings.ReplaceAll(condition, "$DAY", "'"+day.Format(time.RFC3339Nano)+"'"))
		for _, sort := range []store.Sort{store.ByEnd, store.Newest, store.PriceLow, store.PriceHigh, store.MostBids} {
			q.Sort, q.Limit = sort, 4
			read := s.read(t, q, func() {})
			slices.Sort(read)
			if !slices.Equal(read, want) {
				t.Errorf("%s by %s: read %v, want %v", condition, sort, read, want)
			}
			if n, err := s.Count(t.Context(), q, 1000); n != len(want) || err != nil {
				t.Errorf("%s by %s: counted %d, %v, want %d", condition, sort, n, err, len(want))
			}
			if n, err := s.Count(t.Context(), q, 3); n != 3 || err != nil {
				t.Errorf("%s by %s: counted %d, %v, and at most 3 were asked for", condition, sort, n, err)
			}
		}
	}
}

// What the way along an order does not reach is gathered, and counted then.
func TestALotFarDownIsFound(t *testing.T) {
	t.Parallel()
	s := crowded(t)
	s.Exec(`INSERT INTO auction (seller_id, title, starting_price, min_increment, current_price, start_time, end_time, soft_close)
		SELECT $1, CASE WHEN n > 6990 THEN 'needle' ELSE 'hay' END, n, 1, n, clock_timestamp(),
			clock_timestamp() + interval '2 days' + n * interval '1 second', '2 minutes'
		FROM generate_series(1, 7000) n`, s.seller.ID)
	want := s.all(t, `title = 'needle'`)
	from := s.Money("6991")
	for _, q := range []store.Query{{Text: "needle"}, {Text: "needle", Sort: store.PriceLow}, {From: &from}, {From: &from, Sort: store.MostBids}} {
		q.Limit = 4
		page, err := s.Auctions(t.Context(), q)
		ok(t, err)
		n, err := s.Count(t.Context(), q, 1000)
		if n != 10 || err != nil || page.Gathered != 10 && q.Sort != store.MostBids { // by bids they come first
			t.Errorf("%+v: counted %d and %d, %v", q, n, page.Gathered, err)
		}
		read := s.read(t, q, func() {})
		slices.Sort(read)
		if !slices.Equal(read, want) {
			t.Errorf("%+v: read %v, want %v", q, read, want)
		}
	}
}

// After a quarter of an hour the old order is gone; the newest goes on from
// the same place.
func TestAnOrderIsForgottenInTheEnd(t *testing.T) {
	t.Parallel()
	s := crowded(t)
	page, err := s.Auctions(t.Context(), store.Query{Sort: store.PriceHigh, Limit: 5})
	ok(t, err)
	mark := page.Lots[4].Mark()
	s.bid(t, s.ann, "5000", auction.Accepted)
	for range 2 {
		_, err := s.RefreshRanks(t.Context())
		ok(t, err)
		s.Exec(`UPDATE lot_rank SET until = until - interval '16 minutes' WHERE until < 'infinity'`)
	}
	if n := s.count(t, `SELECT count(*) FROM lot_rank`); n != 120 {
		t.Errorf("%d ranks are kept of 120 lots", n)
	}
	page, err = s.Auctions(t.Context(), store.Query{Sort: store.PriceHigh, Limit: 500, After: &mark})
	if err != nil || len(page.Lots) != 115 {
		t.Errorf("%d lots follow, %v", len(page.Lots), err)
	}
}

// However many lots have changed, one statement refreshes so many, and every
// lot has one place in the order after each.
func TestRanksAreRefreshedAFewAtATime(t *testing.T) {
	t.Parallel()
	s := crowded(t)
	refresh := func(wantChanged int, wantMore bool) {
		t.Helper()
		var changed int
		var more bool
		ok(t, s.SQL.QueryRow(t.Context(), `SELECT changed, more FROM refresh_some_ranks('15 minutes', 50)`).Scan(&changed, &more))
		if changed != wantChanged || more != wantMore {
			t.Errorf("refreshed %d, more %v; want %d, %v", changed, more, wantChanged, wantMore)
		}
		if n := s.count(t, `SELECT count(*) FROM (SELECT FROM lot_rank, lot_rank_moment
			WHERE since <= refreshed_at AND refreshed_at < until GROUP BY auction_id HAVING count(*) = 1) AS placed`); n != 120 {
			t.Errorf("%d of 120 lots have one place", n)
		}
	}
	s.Exec(`UPDATE auction SET status = 'CLOSED', closed_at = end_time`)
	refresh(50, true)
	refresh(50, true)
	refresh(20, false)
	refresh(0, false)
	if n := s.count(t, `SELECT count(*) FROM lot_rank WHERE until = 'infinity' AND NOT open`); n != 120 {
		t.Errorf("%d of 120 lots rank among the closed", n)
	}
	s.Exec(`UPDATE lot_rank SET until = until - interval '16 minutes' WHERE until < 'infinity'`)
	refresh(0, true)
	refresh(0, true)
	refresh(0, false)
	if n := s.count(t, `SELECT count(*) FROM lot_rank`); n != 120 {
		t.Errorf("%d ranks are kept of 120 lots", n)
	}
}
