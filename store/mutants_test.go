package store_test

import (
	"errors"
	"regexp"
	"slices"

	"rostrum/store/auction/history"
)

// The proofs are worth what they catch. Each of these is how it is usually
// done, in place of a piece of ours, before a schedule that shows what comes of
// it; the same schedule with nothing replaced must find no fault.
type mutation struct {
	function string
	pieces   []piece
}

// piece is a regular expression that is found in one place, and what comes there.
type piece struct{ is, becomes string }

var (
	judgesBeforeTheLock = mutation{judging, []piece{
		{`judged_at\s+:= clock_timestamp\(\);`, ``},
		{`SELECT a\.\* INTO (\w+) FROM auction a WHERE a\.id = lot_id FOR NO KEY UPDATE;`, `SELECT a.* INTO $1 FROM auction a WHERE a.id = lot_id;
			judged_at := clock_timestamp();
			PERFORM FROM auction a WHERE a.id = lot_id FOR NO KEY UPDATE;`},
	}}
	judgesByNow = mutation{judging, []piece{
		{`judged_at\s+:= clock_timestamp\(\);`, `judged_at := now();`},
	}}
	readsPeopleBeforeTheLock = mutation{judging, []piece{
		{`\nDECLARE\n`, "\nDECLARE early bigint[];\n"},
		{`(SELECT a\.\* INTO \w+ FROM auction a WHERE a\.id = lot_id FOR NO KEY UPDATE;)`, `early := ARRAY(SELECT p.id FROM account p WHERE p.suspended_at IS NOT NULL); $1`},
		{`bidders\[place\] = ANY \(barred\)`, `bidders[place] = ANY (early)`},
	}}
	readsIDsBeforeTheLock = mutation{judging, []piece{
		{`\nDECLARE\n`, "\nDECLARE used uuid[];\n"},
		{`(SELECT a\.\* INTO \w+ FROM auction a WHERE a\.id = lot_id FOR NO KEY UPDATE;)`, `used := ARRAY(SELECT b.request_id FROM bid b WHERE b.auction_id = lot_id); $1`},
		{`bid\.request_id = o\.request`, `bid.request_id = o.request AND bid.request_id = ANY (used)`},
	}}
	winnerFromTheLog = mutation{"close_one", []piece{
		{`PERFORM 1 FROM auction a WHERE a\.id = lot_id FOR NO KEY UPDATE;`, `SELECT b.bidder_id INTO winner FROM auction a
			LEFT JOIN LATERAL (SELECT * FROM bid WHERE bid.auction_id = a.id ORDER BY bid.version DESC LIMIT 1) b ON true
			WHERE a.id = lot_id FOR NO KEY UPDATE OF a;`},
		{`(RETURN QUERY [^;]+;)`, `$1 UPDATE result SET winner_id = winner WHERE auction_id = lot_id;`},
		{`\nBEGIN\n`, "\nDECLARE winner bigint;\nBEGIN\n"},
		{`lock_timeout TO '300ms'`, `lock_timeout TO '10s'`},
	}}
	refusesWithoutLookingUp = mutation{"refuse_bids", []piece{
		{`IF lot\.bid_count > 0 THEN`, `IF false THEN`},
	}}

	// waitsLong is no mutation: bids wait for a lot for as long as a schedule needs.
	waitsLong = mutation{judging, []piece{{`\nAS \$function\$\n`, "\n SET lock_timeout TO '10s'\nAS $$function$$\n"}}}
)

// mutate replaces pieces of a function in the test's own database.
func (p *proof) mutate(m mutation) {
	p.t.Helper()
	text := value[string](p.t, p.House, `SELECT pg_get_functiondef($1::regproc)`, m.function)
	for _, piece := range m.pieces {
		found := regexp.MustCompile(piece.is)
		if n := len(found.FindAllString(text, -1)); n != 1 {
			p.t.Fatalf("%s has %d places like %q", m.function, n, piece.is)
		}
		text = found.ReplaceAllString(text, piece.becomes)
	}
	p.Exec(text)
}

// caught expects that the oracle finds the rules broken, or nothing.
func (p *proof) caught(l *proofLot, want bool, rules ...string) {
	p.t.Helper()
	lot, _ := p.told(l)
	_, err := lot.Check()
	var found history.Contradictions
	if errors.As(err, &found) != want {
		p.t.Errorf("found: %v", err)
	}
	for _, rule := range rules {
		if want && !slices.ContainsFunc(found, func(c history.Contradiction) bool { return c.Rule == rule }) {
			p.t.Errorf("%s is not found to be broken: %v", rule, err)
		}
	}
}
