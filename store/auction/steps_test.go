package auction_test

import (
	"fmt"
	"testing"
	"time"

	"rostrum/store/auction"
)

func TestQuickStepsAreTheFloorAndWholeIncrementsAboveIt(t *testing.T) {
	t.Parallel()
	usd := currency(t, "USD")
	for _, c := range []struct{ price, increment, want string }{
		{"1380", "20", "[1400.00 1420.00 1480.00]"},
		{"0", "1", "[1.00 2.00 5.00]"},
		{"1383.27", "10", "[1393.27 1410.00 1440.00]"},
		{"0.6", "0.05", "[0.65 0.70 0.85]"},
		{"0.01", "0.03", "[0.04 0.09 0.18]"},
		{"7", "2.50", "[9.50 12.50 20.00]"},
		{"999999999980", "10", "[999999999990.00]"},
		{"999999999999.99", "0.01", "[]"},
		{"500000000000", "300000000000", "[800000000000.00]"},
	} {
		a := auction.Auction{CurrentPrice: money(t, c.price), MinIncrement: money(t, c.increment)}
		texts := []string{}
		for _, step := range a.State().Steps() {
			texts = append(texts, usd.Text(step))
			if _, err := usd.Parse(usd.Text(step)); err != nil {
				t.Errorf("from %s by %s: %s cannot be bid", c.price, c.increment, usd.Text(step))
			}
		}
		if got := fmt.Sprint(texts); got != c.want {
			t.Errorf("from %s by %s: %s, want %s", c.price, c.increment, got, c.want)
		}
	}
}

func TestAYenHasNoQuickStepBetweenTwoYen(t *testing.T) {
	t.Parallel()
	jpy := currency(t, "JPY")
	price, err := jpy.Parse("1005")
	if err != nil {
		t.Fatal(err)
	}
	increment, err := jpy.Parse("10")
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, step := range (auction.Auction{CurrentPrice: price, MinIncrement: increment}).State().Steps() {
		texts = append(texts, jpy.Text(step))
	}
	if got := fmt.Sprint(texts); got != "[1015 1030 1060]" {
		t.Error(got)
	}
}

func TestALateBidIsKnownByTheEndThatItMade(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 30, 14, 3, 12, 345_678_000, time.UTC)
	s := auction.State{SoftClose: 2 * time.Minute, EndTime: at.Add(2 * time.Minute)}
	if !s.ExtendedBy(auction.Bid{CreatedAt: at.In(time.FixedZone("", 3600))}) {
		t.Error("the bid that moved the end is not known")
	}
	for _, other := range []time.Duration{-time.Hour, -time.Microsecond, time.Microsecond} {
		if s.ExtendedBy(auction.Bid{CreatedAt: at.Add(other)}) {
			t.Errorf("a bid %v beside is taken for it", other)
		}
	}
}

func TestAShareIsExact(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		at, low, high string
		want          int64
	}{
		{"10", "10", "20", 0}, {"20", "10", "20", 100}, {"15", "10", "20", 50}, {"10", "10", "10", 0},
		{"10.09", "10", "20", 0}, {"10.10", "10", "20", 1}, {"19.99", "10", "20", 99},
		{"999999999999.98", "0", "999999999999.99", 99}, {"999999999999.99", "0", "999999999999.99", 100},
	} {
		if got := money(t, c.at).Share(money(t, c.low), money(t, c.high), 100); got != c.want {
			t.Errorf("%s from %s to %s: %d, want %d", c.at, c.low, c.high, got, c.want)
		}
	}
}
