package main

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"rostrum/store"
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

func TestTheDemoFillsAHouseThatIsOpen(t *testing.T) {
	t.Parallel()
	h := open(t, 2*time.Minute)
	if n := h.logs("the house is empty"); n != 1 {
		t.Errorf("an empty house offers the demo %d times", n)
	}
	said := h.run("", "demo", "--url="+h.url)
	openBooks(t, h.dir).furnished()
	h.stop()
	h.start()
	if n := h.logs("the house is empty"); n != 1 {
		t.Errorf("a house with lots offers the demo %d times", n-1)
	}
	roles := ""
	if strings.Contains(said, "Open it with") {
		t.Errorf("the demo does not see that the house is open: %s", said)
	}
	for _, key := range keysIn(said) {
		roles += key[0] + " "
		if status := signIn(t, h.url, key[1], key[2]); status != http.StatusSeeOther {
			t.Errorf("the %s cannot sign in with what was printed: %d", key[0], status)
		}
		if status := signIn(t, h.url, key[1], key[2]+"x"); status != http.StatusUnauthorized {
			t.Errorf("the %s signs in with another password: %d", key[0], status)
		}
	}
	if roles != "buyer buyer seller admin " {
		t.Errorf("there are keys for %s", roles)
	}
}

// logs counts the lines of the house's log that hold this.
func (h *house) logs(part string) int {
	n := 0
	eventually(h.t, "the house has logged that it is open", func() bool { // and the offer comes before that
		h.mu.Lock()
		defer h.mu.Unlock()
		text := strings.Join(h.log, "\n")
		n = strings.Count(text, part)
		return strings.Contains(text, "the house is open")
	})
	return n
}

// keysIn are the lines of a role, an address and a password.
func keysIn(said string) [][]string {
	var keys [][]string
	for line := range strings.Lines(said) {
		if fields := strings.Fields(line); len(fields) == 3 && strings.Contains(fields[1], "@") {
			keys = append(keys, fields)
		}
	}
	return keys
}

func signIn(t *testing.T, at, email, password string) int {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.PostForm(at+"/login", url.Values{"email": {email}, "password": {password}})
	must(t, err)
	response.Body.Close()
	return response.StatusCode
}

func TestTheDemoFillsAHouseThatTradesInYenOnce(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	books := openBooks(t, dir)
	demo := func() (string, string, int) {
		var out, complaint bytes.Buffer
		code := run([]string{"demo"}, environment("ROSTRUM_DATA_DIR", dir, "ROSTRUM_CURRENCY", "JPY", "ROSTRUM_URL", "http://127.0.0.1:1", "ROSTRUM_ADDR", "127.0.0.1:2"),
			strings.NewReader(""), &out, &complaint)
		return out.String(), complaint.String(), code
	}
	out, complaint, code := demo()
	if code != 0 || !strings.Contains(out, "http://127.0.0.1:1/login") || !strings.Contains(out, "ROSTRUM_CURRENCY=JPY") {
		t.Fatalf("exit %d, %s%s", code, out, complaint)
	}
	books.furnished()
	if n := books.count(`SELECT count(*) FROM auction WHERE starting_price BETWEEN 1 AND 1000 OR min_increment < 100`); n != 0 {
		t.Errorf("%d lots cost no more yen than they would dollars", n)
	}
	lots, people := books.count(`SELECT count(*) FROM auction`), books.count(`SELECT count(*) FROM account`)
	out, complaint, code = demo()
	if code != 1 || out != "" || strings.Count(complaint, "\n") != 1 || !strings.Contains(complaint, "has lots already") {
		t.Errorf("a second time: exit %d, %s%s", code, out, complaint)
	}
	if lots != books.count(`SELECT count(*) FROM auction`) || people != books.count(`SELECT count(*) FROM account`) {
		t.Error("a refused demo has left something behind")
	}
}

func TestTheDemoTakesNobodysAccount(t *testing.T) {
	t.Parallel()
	s := shell{t, t.TempDir()}
	s.succeeds("", "user", "add", "--email", demoAdmin, "--name", "Somebody")
	s.fails(demoAdmin+" has an account already", "", "demo")
	books := openBooks(t, filepath.Join(s.dir, "data"))
	if n := books.count(`SELECT count(*) FROM account WHERE admin OR email = $1 AND password_hash IS NOT NULL`, demoAdmin); n != 0 {
		t.Error("an account that was there became the demo's")
	}
}

func TestTheHintNamesTheHouse(t *testing.T) {
	t.Parallel()
	for want, pairs := range map[string][]string{
		" demo":                                    {"DATABASE_URL", "postgres://me:secret@db/house"},
		"ROSTRUM_DATA_DIR=data ":                   {"ROSTRUM_DATA_DIR", "data"},
		"ROSTRUM_DATA_DIR='it'\\''s here' ":        {"ROSTRUM_DATA_DIR", "it's here"},
		"ROSTRUM_ADDR=:9000 ROSTRUM_CURRENCY=JPY ": {"ROSTRUM_CURRENCY", "JPY", "ROSTRUM_ADDR", ":9000"},
	} {
		s, err := readSettings(environment(pairs...))
		must(t, err)
		if hint := s.hint("demo"); !strings.Contains(hint, want) || strings.Contains(hint, "secret") || !strings.HasSuffix(hint, " demo") {
			t.Errorf("%v: %q, want %q in it", pairs, hint, want)
		}
	}
}

// openStoreAt opens a house's store as another process would.
func openStoreAt(t *testing.T, url string) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), store.Options{URL: url})
	must(t, err)
	t.Cleanup(s.Close)
	return s
}
