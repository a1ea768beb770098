package auction_test

import (
	"testing"

	"rostrum/store/auction"
)

func TestAmountsAddAndCompareExactly(t *testing.T) {
	t.Parallel()
	usd := currency(t, "USD")
	for _, c := range []struct{ a, b, sum string }{
		{"0.1", "0.2", "0.30"},
		{"1000", "10", "1010.00"},
		{"0.6", "0", "0.60"},
		{"999999999999.99", "999999999999.99", "1999999999999.98"},
	} {
		if sum := usd.Text(money(t, c.a).Add(money(t, c.b))); sum != c.sum {
			t.Errorf("%s + %s = %s, want %s", c.a, c.b, sum, c.sum)
		}
	}
	for _, c := range []struct {
		a, b string
		want int
	}{{"1", "1.00", 0}, {"1.01", "1", 1}, {"0.99", "1", -1}, {"10", "9", 1}} {
		if got := money(t, c.a).Cmp(money(t, c.b)); got != c.want {
			t.Errorf("%s against %s: %d, want %d", c.a, c.b, got, c.want)
		}
	}
	var nothing auction.Money
	if !nothing.IsZero() || !money(t, "0.00").IsZero() || money(t, "0.01").IsZero() || usd.Text(nothing) != "0.00" {
		t.Error("nothing is not nothing")
	}
}

func TestAnAmountOfTheDatabaseIsReadExactly(t *testing.T) {
	t.Parallel()
	var m auction.Money
	if err := m.Scan("999999999999.99"); err != nil || currency(t, "USD").Text(m) != "999999999999.99" {
		t.Errorf("%v, %v", m, err)
	}
	if err := m.Scan("1000.00"); err != nil || currency(t, "JPY").Text(m) != "1000" {
		t.Errorf("yen: %v, %v", m, err)
	}
	if value, err := money(t, "0.6").Value(); err != nil || value != "0.60" {
		t.Errorf("written as %v, %v", value, err)
	}
	for _, value := range []any{nil, true, "ten", 0.1, float32(0.1)} {
		if err := m.Scan(value); err == nil {
			t.Errorf("%T %v was read as %v", value, value, m)
		}
	}
}
