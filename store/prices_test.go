package store_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"rostrum/store"
	"rostrum/store/auction"
)

// fillLog writes a log of n bids of one a second behind the judge's back.
func (s *scene) fillLog(n int) {
	s.Exec(`INSERT INTO bid (auction_id, version, bidder_id, amount, request_id, created_at)
		SELECT $1, 1 + i, $2, 1000 + 10 * i, gen_random_uuid(), $3::timestamptz + i * interval '1 second' FROM generate_series(1, $4::int) i`,
		s.lot.ID, s.ann.ID, s.lot.StartTime, n)
	s.Exec(`UPDATE auction SET version = 1 + $2, bid_count = $2, current_price = 1000 + 10 * $2, leader_id = $3 WHERE id = $1`, s.lot.ID, n, s.ann.ID)
	s.Exec(`ANALYZE bid`)
}

func (s *scene) prices(t *testing.T, state auction.State, most int) []string {
	t.Helper()
	points, err := s.Prices(t.Context(), state, most)
	ok(t, err)
	texts := make([]string, len(points))
	for i, p := range points {
		texts[i] = s.Currency.Text(p.Price)
		if i > 0 && !points[i-1].Since.Before(p.Since) {
			t.Errorf("%v does not come before %v", points[i-1].Since, p.Since)
		}
	}
	return texts
}

func TestTheHistoryOfAPriceHasItsFirstAndLastAndNotMoreThanAsked(t *testing.T) {
	t.Parallel()
	s := setup(t)
	if got := s.prices(t, s.lot.State(), 10); len(got) != 0 {
		t.Errorf("without a bid: %v", got)
	}
	s.fillLog(500)
	lot := s.now(t)
	for _, c := range []struct {
		bids, most int
		want       string
	}{
		{1, 10, "[1010.00]"},
		{3, 10, "[1010.00 1020.00 1030.00]"},
		{9, 10, "[1010.00 1020.00 1030.00 1040.00 1050.00 1060.00 1070.00 1080.00 1090.00]"},
		{10, 10, "[1010.00 1030.00 1050.00 1070.00 1090.00 1100.00]"},
		{19, 10, "[1010.00 1050.00 1090.00 1130.00 1170.00 1190.00]"},
	} {
		state := lot.State() // as it was after so many bids
		state.BidCount, state.Version = int64(c.bids), int64(1+c.bids)
		if got := fmt.Sprint(s.prices(t, state, c.most)); got != c.want {
			t.Errorf("%d bids in %d points: %s, want %s", c.bids, c.most, got, c.want)
		}
	}
	var before []string
	for bids := 3; bids <= 500; bids++ {
		state := lot.State()
		state.BidCount, state.Version = int64(bids), int64(1+bids)
		got := s.prices(t, state, 16)
		if len(got) > 16 || got[0] != "1010.00" || got[len(got)-1] != fmt.Sprintf("%d.00", 1000+10*bids) {
			t.Fatalf("%d bids: %v", bids, got)
		}
		if n := len(before); n > 0 && len(got) >= n && !slices.Equal(before[:n-1], got[:n-1]) {
			t.Fatalf("%d bids: other points were picked, %v after %v", bids, got, before)
		}
		before = got
	}
}

func TestTheHistoryOfAHundredThousandBidsReadsAHandful(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.fillLog(100_000)
	state := s.now(t).State()
	got := s.prices(t, state, 150)
	if len(got) < 75 || len(got) > 150 || got[0] != "1010.00" || got[len(got)-1] != "1001000.00" {
		t.Errorf("%d points from %s to %s", len(got), got[0], got[len(got)-1])
	}
	rows, err := s.SQL.Query(t.Context(), "EXPLAIN (ANALYZE) "+store.PricesQuery, state.AuctionID, state.Version, 1024)
	ok(t, err)
	plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
	ok(t, err)
	read := 0.0
	for _, line := range plan {
		if strings.Contains(line, "Seq Scan on bid") {
			t.Error("the log is read whole")
		}
		if found := reads.FindStringSubmatch(line); found != nil {
			each, err1 := strconv.ParseFloat(found[1], 64)
			times, err2 := strconv.ParseFloat(found[2], 64)
			ok(t, errors.Join(err1, err2))
			read += each * times
		}
	}
	if read < 75 || read > 150 {
		t.Errorf("%v rows of the log were read:\n%s", read, strings.Join(plan, "\n"))
	}
}

var reads = regexp.MustCompile(`on bid.*actual.*rows=([\d.]+) loops=(\d+)`)

func TestWhoWatchesALotIsCountedUpToABound(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.Exec(`INSERT INTO account (email, name, alias) SELECT 'w' || i, 'w', 'w' || i FROM generate_series(1, 1500) i`)
	for _, c := range []struct{ watch, want int64 }{{0, 0}, {1, 1}, {1000, 1000}, {1001, 1001}, {1500, 1001}} {
		s.Exec(`INSERT INTO watch (account_id, auction_id) SELECT id, $1 FROM account WHERE name = 'w' ORDER BY id LIMIT $2 ON CONFLICT DO NOTHING`, s.lot.ID, c.watch)
		if n, err := s.Watchers(t.Context(), s.lot.ID); n != c.want || err != nil {
			t.Errorf("%d watch: counted %d, %v", c.watch, n, err)
		}
	}
}
