package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"rostrum/store/auction"
	"rostrum/store/auction/history"
)

// judging is the function that judges bids in the database.
const judging = "judge_bids"

// trouble is one act of making trouble, which is over when it returns.
type trouble func(ctx context.Context, p *proof, random *rand.Rand)

// troubles are made while the lots are bid on; lines says how many of the three
// instances have a line that can be cut.
var troubles = []struct {
	name  string
	lines int
	make  []trouble
}{
	{"no trouble", 0, nil},
	{"backends are killed", 0, []trouble{killBackend}},
	{"statements are cancelled", 0, []trouble{cancelStatement}},
	{"lots are held", 0, []trouble{holdLot, holdLot}},
	{"answers are lost", 2, []trouble{loseAnswers}},
	{"requests are lost", 2, []trouble{loseRequests}},
	{"lines are cut and slow", 2, []trouble{cutLine, slowLine}},
	{"all of that", 2, []trouble{killBackend, cancelStatement, holdLot, loseAnswers, loseRequests, cutLine, slowLine}},
}

// makeTrouble makes one after the other, each kind by itself, until ctx ends.
func (p *proof) makeTrouble(ctx context.Context, kinds []trouble, round int) (wait *sync.WaitGroup) {
	wait = &sync.WaitGroup{}
	for i, kind := range kinds {
		wait.Go(func() {
			random := rand.New(rand.NewPCG(p.seed, uint64(round)<<8|uint64(i)))
			for ctx.Err() == nil {
				kind(ctx, p, random)
				pause(ctx, millis(random, 1, 15*len(kinds)))
			}
		})
	}
	return wait
}

// backend is one of the house's, preferably at work.
const backend = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'rostrum'
	ORDER BY state = 'active' AND query LIKE '%` + judging + `%' DESC, state = 'active' DESC, random() LIMIT 1`

func killBackend(ctx context.Context, p *proof, _ *rand.Rand) {
	_, err := p.SQL.Exec(p.t.Context(), `SELECT pg_terminate_backend(pid) FROM (`+backend+`) b`)
	ok(p.t, err)
}

// cancelStatement does what a statement_timeout does.
func cancelStatement(ctx context.Context, p *proof, _ *rand.Rand) {
	_, err := p.SQL.Exec(p.t.Context(), `SELECT pg_cancel_backend(pid) FROM (`+backend+`) b`)
	ok(p.t, err)
}

// holdings are what somebody else may do with a lot's row: the whole of what
// lets a usual statement accept bids after the end.
var holdings = []struct{ hold, release string }{
	{aChange, "ROLLBACK"},
	{aChange, "COMMIT"},
	{"SAVEPOINT s;" + aChange, "ROLLBACK TO SAVEPOINT s"},
	{aLock, "COMMIT"},
	{aLock, "ROLLBACK"},
	{aShareLock, "COMMIT"},
	{"LOW BID", "COMMIT"},
	{"BID", "COMMIT"},
	{"BID", "ROLLBACK"},
	{"SAVEPOINT s;BID", "ROLLBACK TO SAVEPOINT s"},
}

func holdLot(ctx context.Context, p *proof, random *rand.Rand) {
	p.mu.Lock()
	l := p.lots[random.IntN(len(p.lots))]
	p.mu.Unlock()
	h := holdings[random.IntN(len(holdings))]
	held := millis(random, 2, 80)
	if p.long && random.IntN(50) == 0 {
		held = 3300 * time.Millisecond // longer than anybody waits
	}
	released := make(chan struct{})
	go func() {
		defer close(released)
		pause(context.Background(), held)
	}()
	p.hold(l, h.hold, h.release, nil, released)
}

// hold does something with a lot's row in a transaction that it ends once it is
// released; held is closed while it holds the row. What it bids and commits is
// recorded like anybody's bid, and when it held the row.
func (p *proof) hold(l *proofLot, hold, release string, held chan<- struct{}, released <-chan struct{}) {
	ctx := p.t.Context()
	conn, err := p.holders.Acquire(ctx)
	ok2(p, err)
	defer conn.Release()
	run := func(statement string) {
		_, err := conn.Exec(ctx, statement)
		ok2(p, err)
	}
	run("BEGIN")
	run("SET LOCAL lock_timeout = '10s'")
	var bid *history.Answer
	for statement := range strings.SplitSeq(hold, ";") {
		switch statement {
		case "BID":
			bid = p.bidAndHold(conn, l, "current_price + min_increment")
		case "LOW BID":
			bid = p.bidAndHold(conn, l, "current_price")
		default:
			run(strings.ReplaceAll(statement, "LOT", fmt.Sprint(l.begin.ID)))
		}
	}
	var during history.Hold
	ok2(p, conn.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&during.From))
	if held != nil {
		close(held)
	}
	<-released
	ok2(p, conn.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&during.Until))
	run(release)
	if release != "COMMIT" && release != "ROLLBACK" {
		run("COMMIT")
	}
	if bid != nil && release == "COMMIT" {
		bid.Return = p.recorder.Now()
		p.recorder.Add(l.begin.ID, *bid)
	}
	p.mu.Lock()
	l.holds = append(l.holds, during)
	p.mu.Unlock()
}

// bidAndHold places a bid in a transaction that stays open.
func (p *proof) bidAndHold(conn *pgxpool.Conn, l *proofLot, amount string) *history.Answer {
	ctx := p.t.Context()
	bidder := p.people[len(p.people)-1]
	a := &history.Answer{Kind: history.Bid, Client: 1000, Call: p.recorder.Now(),
		Offer: auction.Offer{AuctionID: l.begin.ID, BidderID: bidder.ID, RequestID: auction.NewRequestID()}}
	ok2(p, conn.QueryRow(ctx, `SELECT `+amount+` FROM auction WHERE id = $1 FOR NO KEY UPDATE`, l.begin.ID).Scan(&a.Offer.Amount))
	var id, version *int64
	ok2(p, conn.QueryRow(ctx, `
		SELECT verdicts[1], bid_ids[1], bid_versions[1], judged_at, (lot).version, (lot).current_price, (lot).current_price + (lot).min_increment, (lot).end_time
		FROM `+judging+`($1, ARRAY[$2::bigint], ARRAY[$3::numeric], ARRAY[$4::uuid])`,
		l.begin.ID, bidder.ID, a.Offer.Amount, [16]byte(a.Offer.RequestID)).
		Scan(&a.Verdict, &id, &version, &a.Told.Now, &a.Told.Version, &a.Told.CurrentPrice, &a.Told.MinimumBid, &a.Told.EndTime))
	a.Told.AuctionID = l.begin.ID
	if id != nil {
		a.Bid = auction.Bid{ID: *id, AuctionID: l.begin.ID, Version: *version, BidderID: bidder.ID, Amount: a.Offer.Amount, RequestID: a.Offer.RequestID, CreatedAt: a.Told.Now}
	}
	return a
}

// ok2 is ok for other goroutines than the test's.
func ok2(p *proof, err error) {
	if err != nil {
		p.t.Errorf("seed %d: %v", p.seed, err)
	}
}

func loseAnswers(ctx context.Context, p *proof, random *rand.Rand) {
	p.lines[random.IntN(len(p.lines))].toxic(ctx, `{"type": "reset_peer", "stream": "downstream", "toxicity": 0.7, "attributes": {"timeout": 0}}`, millis(random, 5, 40))
}

func loseRequests(ctx context.Context, p *proof, random *rand.Rand) {
	p.lines[random.IntN(len(p.lines))].toxic(ctx, `{"type": "reset_peer", "stream": "upstream", "toxicity": 0.7, "attributes": {"timeout": 0}}`, millis(random, 5, 40))
}

func slowLine(ctx context.Context, p *proof, random *rand.Rand) {
	stream := []string{"upstream", "downstream"}[random.IntN(2)]
	p.lines[random.IntN(len(p.lines))].toxic(ctx, `{"type": "latency", "stream": "`+stream+`", "attributes": {"latency": 8, "jitter": 7}}`, millis(random, 20, 100))
}

func cutLine(ctx context.Context, p *proof, random *rand.Rand) {
	p.lines[random.IntN(len(p.lines))].cut(ctx, millis(random, 1, 40))
}
