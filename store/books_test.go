package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"rostrum/store/auction"
	"rostrum/store/storetest"
)

func (s *scene) wrongBooks(t *testing.T) []string {
	t.Helper()
	wrong, err := storetest.WrongBooks(t.Context(), s.SQL)
	ok(t, err)
	return wrong
}

// The oracle of the proofs is right about books in order, and sees each way in
// which they can be out of it.
func TestBooksOutOfOrderAreSeen(t *testing.T) {
	t.Parallel()
	s := setup(t)
	play := func(t *testing.T) auction.Auction {
		s.lot = s.Lot(s.seller, time.Hour)
		s.bid(t, s.ann, "1010", auction.Accepted)
		s.bid(t, s.ben, "1020", auction.Accepted)
		s.bid(t, s.ann, "1500", auction.Accepted)
		return s.lot
	}
	s.Exec(`ALTER TABLE bid DISABLE TRIGGER bid_is_append_only`)
	if wrong := s.wrongBooks(t); len(wrong) != 0 {
		t.Fatal(strings.Join(wrong, "\n"))
	}
	for _, c := range []struct{ name, damage, said string }{
		{"a bid is lost", `DELETE FROM bid WHERE auction_id = LOT AND version = 4`, "3 bids, price 1500.00, leader"},
		{"a bid in the middle is lost", `DELETE FROM bid WHERE auction_id = LOT AND version = 3`, "after version 2"},
		{"a price is another", `UPDATE auction SET current_price = 1501 WHERE id = LOT`, "price 1501.00"},
		{"a leader is another", fmt.Sprintf(`UPDATE auction SET leader_id = %d WHERE id = LOT`, s.ben.ID), fmt.Sprint("leader ", s.ben.ID)},
		{"a version is skipped", `UPDATE auction SET version = version + 1 WHERE id = LOT`, "version 5"},
		{"a bid does not beat the one before it", `UPDATE bid SET amount = 1019.99 WHERE auction_id = LOT AND version = 3`, "1019.99"},
		{"a bid is judged before the one before it", `UPDATE bid SET created_at = created_at - interval '1 minute' WHERE auction_id = LOT AND version = 3`, "judged at"},
		{"a bid is judged before that one was committed", `UPDATE bid SET created_at = (SELECT created_at FROM bid WHERE auction_id = LOT AND version = 2) WHERE auction_id = LOT AND version = 3`, "the one before was committed"},
		{"a bid is judged after its commit", `UPDATE bid SET created_at = created_at + interval '1 minute' WHERE auction_id = LOT AND version = 4`, "and committed at"},
		{"a bid is judged after the end", `UPDATE auction SET end_time = (SELECT created_at FROM bid WHERE auction_id = LOT AND version = 4) WHERE id = LOT`, "the lot ended at"},
		{"a bid is not told of", `DELETE FROM outbox WHERE aggregate_id = LOT AND sequence = 3`, "tell of 2 bids"},
		{"a bid is told of twice", `UPDATE outbox SET payload = payload || '{"fromVersion": 3}' WHERE aggregate_id = LOT AND sequence = 4`, "tell of 4 bids, 1 of them"},
		{"a lot is closed without a result", `UPDATE auction SET status = 'CLOSED', version = 5, closed_at = end_time WHERE id = LOT`, "0 results and 0 events"},
		{"a result without a closing", `INSERT INTO result SELECT id, 'unsold', NULL, NULL, 0, now() FROM auction WHERE id = LOT`, "1 results and 0 events"},
	} {
		t.Run(c.name, func(t *testing.T) {
			lot := play(t)
			s.Exec(strings.ReplaceAll(c.damage, "LOT", fmt.Sprint(lot.ID)))
			wrong := strings.Join(s.wrongBooks(t), "\n")
			if !strings.Contains(wrong, c.said) || !strings.Contains(wrong, fmt.Sprintf("lot %d", lot.ID)) {
				t.Errorf("%q is not said, but %q", c.said, wrong)
			}
			s.Exec(`DELETE FROM result WHERE auction_id = $1`, lot.ID)
			s.Exec(`DELETE FROM outbox WHERE aggregate_id = $1`, lot.ID)
			s.Exec(`DELETE FROM bid WHERE auction_id = $1`, lot.ID)
			s.Exec(`DELETE FROM auction WHERE id = $1`, lot.ID)
			if wrong := s.wrongBooks(t); len(wrong) != 0 {
				t.Error(strings.Join(wrong, "\n"))
			}
		})
	}
}
