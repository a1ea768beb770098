package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"rostrum/store/embedded"
)

// books looks into a house's database behind the program's back.
type books struct {
	t   *testing.T
	url string
	sql *pgxpool.Pool
}

// openBooks shares the PostgreSQL of a data directory, started if need be.
func openBooks(t *testing.T, dir string) books {
	t.Helper()
	cluster, err := embedded.Open(t.Context(), embedded.Options{Dir: dir})
	must(t, err)
	sql, err := pgxpool.New(t.Context(), cluster.URL())
	must(t, err)
	t.Cleanup(func() {
		sql.Close()
		if err := cluster.Close(); err != nil {
			t.Error(err)
		}
	})
	return books{t, cluster.URL(), sql}
}

func (b books) count(query string, arguments ...any) int {
	b.t.Helper()
	var n int
	must(b.t, b.sql.QueryRow(b.t.Context(), query, arguments...).Scan(&n))
	return n
}

// audit checks each lot against its log, and each closed one against its
// result and its event.
func (b books) audit() {
	b.t.Helper()
	for wrong, query := range map[string]string{
		"price, leader or count is not its log's": `SELECT a.id FROM auction a
			LEFT JOIN LATERAL (SELECT amount, bidder_id FROM bid WHERE auction_id = a.id ORDER BY version DESC LIMIT 1) last ON true
			WHERE a.current_price <> coalesce(last.amount, a.starting_price) OR a.leader_id IS DISTINCT FROM last.bidder_id
				OR a.bid_count <> (SELECT count(*) FROM bid WHERE auction_id = a.id)`,
		"log has a bid outside its time or by its seller": `SELECT a.id FROM auction a JOIN bid b ON b.auction_id = a.id
			WHERE b.created_at < a.start_time OR b.created_at >= a.end_time OR b.bidder_id = a.seller_id`,
		"log has a bid below the floor": `SELECT id FROM (
			SELECT a.id, b.amount < lag(b.amount, 1, a.starting_price) OVER (PARTITION BY a.id ORDER BY b.version) + a.min_increment AS low
			FROM auction a JOIN bid b ON b.auction_id = a.id) steps WHERE low`,
		"result is not the row's": `SELECT a.id FROM auction a LEFT JOIN result r ON r.auction_id = a.id
			WHERE a.status = 'CLOSED' AND (r.outcome IS NULL OR r.winner_id IS DISTINCT FROM a.leader_id OR r.bid_count <> a.bid_count
				OR r.price IS DISTINCT FROM CASE WHEN a.leader_id IS NOT NULL THEN a.current_price END)
			OR a.status <> 'CLOSED' AND r.outcome IS NOT NULL`,
		"closing is not told once": `SELECT a.id FROM auction a WHERE (a.status = 'CLOSED')::int <>
			(SELECT count(*) FROM outbox o WHERE o.topic = 'auction-closed' AND o.aggregate_id = a.id)`,
		"price is nothing for people": `SELECT id FROM auction CROSS JOIN house WHERE current_price <> round(current_price, digits)`,
	} {
		rows, _ := b.sql.Query(b.t.Context(), query)
		lots, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		must(b.t, err)
		if len(lots) > 0 {
			b.t.Errorf("lots whose %s: %v", wrong, lots)
		}
	}
}

// restored is a copy of the house that came by a dump.
func (b books) restored(dir string) books {
	b.t.Helper()
	if _, err := exec.LookPath("pg_dump"); err != nil {
		b.t.Log("not tried: a dump and its restoring, for which this PostgreSQL has no programs")
		return b
	}
	dump := filepath.Join(b.t.TempDir(), "house.dump")
	for _, program := range [][]string{
		{"pg_dump", "--format=custom", "--file=" + dump},
		{"createdb", "rostrum_check"},
		{"pg_restore", "--exit-on-error", "--no-owner", "--dbname=rostrum_check", dump},
	} {
		var said bytes.Buffer
		code := run(append([]string{"db", "exec"}, program...), environment("ROSTRUM_DATA_DIR", dir), strings.NewReader(""), &said, &said)
		if code != 0 {
			b.t.Fatalf("%v: exit %d, %s", program, code, said.String())
		}
	}
	config := b.sql.Config()
	config.ConnConfig.Database = "rostrum_check"
	sql, err := pgxpool.NewWithConfig(b.t.Context(), config)
	must(b.t, err)
	b.t.Cleanup(sql.Close)
	return books{b.t, b.url, sql}
}

// furnished checks that the house is as the demo fills it.
func (b books) furnished() {
	b.t.Helper()
	var sold, unsold, scheduled, running, bids int
	for _, lot := range demoLots() {
		bids += lot.bids
		switch {
		case lot.ends == 0 && lot.bids > 0:
			sold++
		case lot.ends == 0:
			unsold++
		case lot.opens > 0:
			scheduled++
		default:
			running++
		}
	}
	if len(demoLots()) < 55 || min(sold, unsold, scheduled, running) < 4 {
		b.t.Errorf("the demo has %d sold, %d unsold, %d scheduled and %d running lots", sold, unsold, scheduled, running)
	}
	for query, want := range map[string]int{
		`SELECT count(*) FROM result WHERE outcome = 'sold'`:                                     sold,
		`SELECT count(*) FROM result WHERE outcome = 'unsold'`:                                   unsold,
		`SELECT count(*) FROM auction WHERE status = 'OPEN' AND start_time > clock_timestamp()`:  scheduled,
		`SELECT count(*) FROM auction WHERE status = 'OPEN' AND start_time <= clock_timestamp()`: running,
		`SELECT count(*) FROM bid`: bids,
		`SELECT count(*) FROM auction WHERE status NOT IN ('OPEN', 'CLOSED')`:                          0,
		`SELECT count(*) FROM account WHERE admin`:                                                     1,
		`SELECT count(*) FROM account WHERE seller AND id NOT IN (SELECT seller_id FROM auction)`:      0,
		`SELECT count(*) FROM account WHERE seller AND (admin OR id IN (SELECT bidder_id FROM bid))`:   0,
		`SELECT count(*) FROM (SELECT lower(title) FROM auction GROUP BY 1 HAVING count(*) > 1) twice`: 0,
	} {
		if n := b.count(query); n != want {
			b.t.Errorf("%s: %d, want %d", query, n, want)
		}
	}
	b.audit()
}
