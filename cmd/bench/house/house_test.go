package house_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"rostrum/cmd/bench/house"
	"rostrum/store/auction"
)

func in(t *testing.T, code string) *house.House {
	t.Helper()
	currency, err := auction.NewCurrency(code)
	if err != nil {
		t.Fatal(err)
	}
	return house.At("http://127.0.0.1:1", house.Person{}, nil, currency, time.Minute)
}

func TestAmountsAreCountedInTheSmallestUnit(t *testing.T) {
	for _, c := range []struct {
		currency string
		cents    int64
		text     string
	}{
		{"USD", 0, "0.00"}, {"USD", 1, "0.01"}, {"USD", 99, "0.99"}, {"USD", 100, "1.00"}, {"USD", 123456, "1234.56"},
		{"USD", 99_999_999_999_999, "999999999999.99"}, {"JPY", 0, "0"}, {"JPY", 120, "120"},
	} {
		h := in(t, c.currency)
		if text := string(h.AppendCents([]byte("x"), c.cents)); text != "x"+c.text {
			t.Errorf("%d in %s is %q, want %q behind the x", c.cents, c.currency, text, c.text)
		}
		m, err := h.Money(c.cents)
		if err != nil || h.Cents(m) != c.cents || h.Currency.Text(m) != c.text {
			t.Errorf("%d in %s is %v, %v, and back %d", c.cents, c.currency, m, err, h.Cents(m))
		}
	}
}

func TestTokensAreReadAsTheImportPrintsThem(t *testing.T) {
	people, err := house.ReadPeople(strings.NewReader("email,id,token\na@example.com,7,rostrum_x\nb@example.com,8,rostrum_y\n"))
	if want := (house.Person{ID: 8, Token: "rostrum_y"}); err != nil || len(people) != 2 || people[1] != want {
		t.Errorf("read %v, %v", people, err)
	}
	for _, text := range []string{"", "email,name\na,b\n", "email,id,token\na@example.com,seven,rostrum_x\n", "email,id,token\na,1\n", "id,email,token\n1,a,x\n"} {
		if people, err := house.ReadPeople(strings.NewReader(text)); err == nil {
			t.Errorf("%q is read as %v", text, people)
		}
	}
}

func TestALotIsReadFromItsJSON(t *testing.T) {
	const text = `{"id":7,"sellerId":3,"title":"Bench lot","description":"","currency":"USD","startingPrice":"1.00","currentPrice":"1.05",
		"minIncrement":"0.01","minimumBid":"1.06","leaderId":4,"bidCount":5,"status":"OPEN","startTime":"2026-12-01T10:00:00.000001Z",
		"endTime":"2026-12-01T11:00:00.000000Z","closedAt":null,"version":6,"serverTime":"2026-12-01T10:30:00.000002Z"}`
	h := in(t, "USD")
	lot, err := h.ReadLot([]byte(text))
	if err != nil || lot.ID != 7 || lot.SellerID != 3 || *lot.LeaderID != 4 || lot.BidCount != 5 || lot.Version != 6 || lot.Status != auction.Open ||
		h.Cents(lot.CurrentPrice) != 105 || lot.SoftClose != time.Minute || lot.StartTime.Nanosecond() != 1000 || lot.Now.Nanosecond() != 2000 {
		t.Errorf("read %+v, %v", lot, err)
	}
	for _, wrong := range []string{"", "{}", strings.Replace(text, "1.06", "1.07", 1), strings.Replace(text, "1.05", "1.050", 1)} {
		if lot, err := h.ReadLot([]byte(wrong)); err == nil {
			t.Errorf("%s is read as %+v", wrong, lot)
		}
	}
}

func TestAProcessTellsWhatItUses(t *testing.T) {
	before, err := house.UsageOf(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	block := make([]byte, 16<<20)
	after := before
	for n := 1; after.CPU == before.CPU; n++ { // until a tick of the clock is used up
		for i := range block {
			block[i] += byte(n)
		}
		if after, err = house.UsageOf(os.Getpid()); err != nil {
			t.Fatal(err)
		}
	}
	if after.Peak < int64(len(block)) {
		t.Errorf("a peak of %d bytes, with %d in use", after.Peak, len(block))
	}
	if _, err := house.UsageOf(-1); err == nil {
		t.Error("no process uses something")
	}
}

func TestWhatTakesAHouseOfOnesOwnIsRefusedInAnothers(t *testing.T) {
	h := in(t, "USD")
	if err := h.People(1); err == nil {
		t.Error("a bidder was made without a token")
	}
	if _, _, err := h.Lots(t.Context(), 401, time.Now()); err == nil {
		t.Error("401 lots are listed in somebody else's house")
	}
	if _, err := h.Database(t.Context()); err == nil {
		t.Error("somebody else's database was found")
	}
	if _, known := h.Usage(); known || h.Started() || h.OwnDatabase() {
		t.Error("somebody else's house is taken for one's own")
	}
}
