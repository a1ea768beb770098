package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"rostrum/store/auction"
)

const crowd = 200

// 200 people bid 1010, 1020, … 3000 at the same moment.
func TestACrowdIsJudgedAsIfOneCameAfterTheOther(t *testing.T) {
	t.Parallel()
	s := setup(t)
	people := s.People(crowd)
	verdicts := map[auction.Verdict]int{}
	var mu sync.Mutex
	rush(t, func(i int) error {
		o, err := s.PlaceBid(t.Context(), s.Offer(s.lot, people[i-1], fmt.Sprint(1000+10*i)))
		mu.Lock()
		defer mu.Unlock()
		verdicts[o.Verdict]++
		return err
	})
	if verdicts[auction.Accepted]+verdicts[auction.TooLow] != crowd {
		t.Errorf("verdicts %v", verdicts)
	}
	if wrong := s.wrongs(t, people[crowd-1], verdicts[auction.Accepted]); len(wrong) > 0 {
		t.Error(strings.Join(wrong, "; "))
	}
	told := s.count(t, `SELECT coalesce(sum((payload->>'toVersion')::int - (payload->>'fromVersion')::int + 1), 0) FROM outbox
		WHERE topic = 'bids-accepted' AND aggregate_id = $1`, s.lot.ID)
	if told != verdicts[auction.Accepted] {
		t.Errorf("the events tell of %d bids, %d were accepted", told, verdicts[auction.Accepted])
	}
}

// The same crowd before a copy of the judge that reads the price, decides in Go
// and writes. All read before anyone writes, and the highest writes first, so
// it loses updates every time, and the checks above must see it.
func TestReadingThenWritingIsSeenToLoseBids(t *testing.T) {
	t.Parallel()
	s := setup(t)
	people := s.People(crowd)
	var read sync.WaitGroup
	read.Add(crowd)
	highest := make(chan struct{})
	accepted := 0
	var mu sync.Mutex
	rush(t, func(i int) error {
		a, err := s.Auction(t.Context(), s.lot.ID)
		read.Done()
		if err != nil {
			return err
		}
		amount := s.Money(fmt.Sprint(1000 + 10*i))
		if amount.Cmp(a.MinimumBid()) < 0 {
			return errors.New("the first to come was refused")
		}
		read.Wait()
		if i == crowd {
			defer close(highest)
		} else {
			<-highest
		}
		mu.Lock()
		accepted++
		mu.Unlock()
		return s.write(t.Context(), people[i-1], amount)
	})
	wrong := s.wrongs(t, people[crowd-1], accepted)
	if len(wrong) < 3 {
		t.Errorf("a judge that reads, then writes, passes most checks: %q", wrong)
	}
	t.Logf("seen: %s", strings.Join(wrong[:min(3, len(wrong))], "; "))
}

func (s *scene) write(ctx context.Context, who auction.Person, amount auction.Money) error {
	_, err := s.SQL.Exec(ctx, `
		WITH a AS (UPDATE auction SET current_price = $2, leader_id = $3, bid_count = bid_count + 1, version = version + 1
			WHERE id = $1 RETURNING version)
		INSERT INTO bid (auction_id, version, bidder_id, amount, request_id, created_at)
		SELECT $1, version, $3, $2, gen_random_uuid(), clock_timestamp() FROM a`, s.lot.ID, amount, who.ID)
	return err
}

// rush calls bid for each of the crowd, all at once.
func rush(t *testing.T, bid func(i int) error) {
	t.Helper()
	start, errs := make(chan struct{}), make(chan error, crowd)
	for i := 1; i <= crowd; i++ {
		go func() {
			<-start
			errs <- bid(i)
		}()
	}
	close(start)
	for range crowd {
		if err := receive(t, errs); err != nil {
			t.Error(err)
		}
	}
}

// wrongs lists what is wrong after the crowd: the highest must lead at their
// price, and the log must be one in which each bid beat the one before.
func (s *scene) wrongs(t *testing.T, highest auction.Person, accepted int) []string {
	t.Helper()
	var wrong []string
	say := func(format string, arguments ...any) { wrong = append(wrong, fmt.Sprintf(format, arguments...)) }
	a, log := s.now(t), s.log(t)
	if text := s.Currency.Text(a.CurrentPrice); text != "3000.00" {
		say("the final price is %s", text)
	}
	if !a.State().LedBy(highest.ID) {
		say("bidder %d leads, not %d", *a.LeaderID, highest.ID)
	}
	if len(log) != accepted || a.BidCount != int64(accepted) || a.Version != int64(accepted)+1 {
		say("%d told that they were accepted, %d bids, count %d, version %d", accepted, len(log), a.BidCount, a.Version)
	}
	floor := s.lot.MinimumBid()
	for i, b := range log {
		if b.Amount.Cmp(floor) < 0 {
			say("version %d is %s where the floor was %s", b.Version, s.Currency.Text(b.Amount), s.Currency.Text(floor))
		}
		if b.Version != int64(i)+2 {
			say("bid %d has version %d", i+1, b.Version)
		}
		if i > 0 && b.CreatedAt.Before(log[i-1].CreatedAt) {
			say("version %d was judged before the one before it", b.Version)
		}
		floor = b.Amount.Add(a.MinIncrement)
	}
	return wrong
}
