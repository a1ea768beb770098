package auction_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"rostrum/store/auction"
)

func currency(t testing.TB, code string) auction.Currency {
	t.Helper()
	c, err := auction.NewCurrency(code)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func money(t testing.TB, text string) auction.Money {
	t.Helper()
	m, err := currency(t, "USD").Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestACurrencyHasItsOwnNumberOfDecimals(t *testing.T) {
	t.Parallel()
	for code, digits := range map[string]int{"USD": 2, "EUR": 2, "GBP": 2, "JPY": 0, "VND": 0, "KRW": 0} {
		if c := currency(t, code); c.Digits != digits || c.Code != code {
			t.Errorf("%s: %+v", code, c)
		}
	}
	for _, code := range []string{"KWD", "BHD", "", "usd", "US", "XYZ", "dollars"} {
		if c, err := auction.NewCurrency(code); err == nil {
			t.Errorf("%q was taken as %+v", code, c)
		}
	}
}

func TestAnAmountOfAMachineIsReadStrictly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ code, text, want string }{
		{"USD", "1010", "1010.00"},
		{"USD", "1010.5", "1010.50"},
		{"USD", "1010.50", "1010.50"},
		{"USD", "0", "0.00"},
		{"USD", "0.6", "0.60"},
		{"USD", "0.01", "0.01"},
		{"USD", "220", "220.00"},
		{"USD", "007", "7.00"},
		{"USD", "000000000000", "0.00"},
		{"USD", "999999999999.99", "999999999999.99"},
		{"JPY", "1000", "1000"},
		{"JPY", "999999999999", "999999999999"},
		{"VND", "250000", "250000"},
	} {
		m, err := currency(t, c.code).Parse(c.text)
		if err != nil || currency(t, c.code).Text(m) != c.want {
			t.Errorf("%s %q: %q, %v; want %q", c.code, c.text, currency(t, c.code).Text(m), err, c.want)
		}
	}
	refused := []string{"", " ", ".", "1.", ".5", "-1", "+1", "-0", "1e3", "1E3", "0x10", "1_000", "1,000", "1 000", " 1", "1 ", "1\n",
		"1.005", "1.000", "1.2.3", "NaN", "Inf", "∞", "١٢", "１２", "½", "1000000000000", "0000000000001", "$5", "5$", "1.5f", "1/2", "\x00", "1\x00"}
	for _, text := range refused {
		if m, err := currency(t, "USD").Parse(text); !errors.Is(err, auction.ErrAmount) {
			t.Errorf("USD %q was read as %q, %v", text, currency(t, "USD").Text(m), err)
		}
	}
	for _, text := range append(refused, "1000.0", "1000.5", "1000.00") {
		if m, err := currency(t, "JPY").Parse(text); !errors.Is(err, auction.ErrAmount) {
			t.Errorf("JPY %q was read as %q, %v", text, currency(t, "JPY").Text(m), err)
		}
	}
}

func TestAnAmountInAFormMayBeGroupedWhereThatIsUnambiguous(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"1234.5":                "1234.50",
		" 1010 ":                "1010.00",
		"\u00a01010\t":          "1010.00",
		"1,234.50":              "1234.50",
		"1,234":                 "1234.00",
		"2,000":                 "2000.00",
		"12,345":                "12345.00",
		"999,999,999,999.99":    "999999999999.99",
		"0.50":                  "0.50",
		"100,000.0":             "100000.00",
		"1,000,000":             "1000000.00",
		"\n1,000,000.00\r\n   ": "1000000.00",
	} {
		m, err := currency(t, "USD").ParseForm(text)
		if err != nil || currency(t, "USD").Text(m) != want {
			t.Errorf("%q: %q, %v; want %q", text, currency(t, "USD").Text(m), err, want)
		}
	}
	for _, text := range []string{
		"", " ", ",", ",123", ",123.00", "1,", "1,2", "12,34", "1,23", "1,2345", "1234,567", "1,234,56", "1,,234", "1,234,",
		"0,500", "0,123", "00,123", "000,123", "012,345", // a decimal comma, or nothing that anybody writes
		"1.234,50", "1.234,567", "1,234.5,0", "1.5,000", "1,234.", "1,234.567", "1,234.5 0", "1 234", "1'234", "1.234.567",
		"$1,234", "1,234 USD", "-1,234", "1,000,000,000,000", "1, 234", "1,\u00a0234", "a,bcd", "1,23x", "１,２３４",
	} {
		if m, err := currency(t, "USD").ParseForm(text); !errors.Is(err, auction.ErrAmount) {
			t.Errorf("%q was read as %q, %v", text, currency(t, "USD").Text(m), err)
		}
	}
	yen, err := currency(t, "JPY").ParseForm("1,000")
	if err != nil || currency(t, "JPY").Text(yen) != "1000" {
		t.Errorf("a thousand yen: %v", err)
	}
	if _, err := currency(t, "JPY").ParseForm("1,000.00"); !errors.Is(err, auction.ErrAmount) {
		t.Errorf("yen have no decimals: %v", err)
	}
}

// Whatever Parse takes has the form the specification gives, and what it was
// read as is written back without a loss.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"", "0", "1", "1010.50", "999999999999.99", "1.005", "1e3", "-1", "1,000", ".5", "1.", "0000", "1.0", "９", "1 "} {
		f.Add(text)
	}
	forms := map[string]*regexp.Regexp{
		"USD": regexp.MustCompile(`\A[0-9]{1,12}(\.[0-9]{1,2})?\z`),
		"JPY": regexp.MustCompile(`\A[0-9]{1,12}\z`),
	}
	f.Fuzz(func(t *testing.T, text string) {
		for code, form := range forms {
			c := currency(t, code)
			m, err := c.Parse(text)
			if (err == nil) != form.MatchString(text) {
				t.Fatalf("%s %q: %v", code, text, err)
			}
			if err != nil {
				if !errors.Is(err, auction.ErrAmount) {
					t.Fatalf("%s %q: %v", code, text, err)
				}
				continue
			}
			whole, fraction, _ := strings.Cut(text, ".")
			if whole = strings.TrimLeft(whole, "0"); whole == "" {
				whole = "0"
			}
			want := whole
			if c.Digits > 0 {
				want += "." + (fraction + "00")[:c.Digits]
			}
			if c.Text(m) != want {
				t.Fatalf("%s %q was read as %q", code, text, c.Text(m))
			}
			again, err := c.Parse(c.Text(m))
			if err != nil || again.Cmp(m) != 0 {
				t.Fatalf("%s %q does not come back: %v", code, text, err)
			}
			if form, err := c.ParseForm(" " + text + " "); err != nil || form.Cmp(m) != 0 {
				t.Fatalf("%s %q in a form: %v", code, text, err)
			}
		}
	})
}

// Whatever a form takes is what is left without its blanks and commas, and
// every comma stands where English puts it.
func FuzzParseForm(f *testing.F) {
	for _, text := range []string{"1,234.50", "12,34", "0,500", ",123", " 1,000,000 ", "1.234,50", "1,,234"} {
		f.Add(text)
	}
	form := regexp.MustCompile(`\A([0-9]+|[1-9][0-9]{0,2}(,[0-9]{3})+)(\.[0-9]{1,2})?\z`)
	f.Fuzz(func(t *testing.T, text string) {
		c := currency(t, "USD")
		m, err := c.ParseForm(text)
		if err != nil {
			return
		}
		bare := strings.TrimSpace(text)
		plain, err := c.Parse(strings.ReplaceAll(bare, ",", ""))
		if !form.MatchString(bare) || err != nil || plain.Cmp(m) != 0 {
			t.Fatalf("%q was read as %q", text, c.Text(m))
		}
	})
}

func TestAnAmountIsWrittenForPeople(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ code, text, want, symbol string }{
		{"USD", "1010", "$1,010.00", "$"},
		{"USD", "0.6", "$0.60", "$"},
		{"EUR", "999999999999.99", "€999,999,999,999.99", "€"},
		{"JPY", "1000", "¥1,000", "¥"},
		{"VND", "250000", "₫250,000", "₫"},
	} {
		m, err := currency(t, c.code).Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := currency(t, c.code).Format(m); got != c.want {
			t.Errorf("%s %s is written %q, want %q", c.code, c.text, got, c.want)
		}
		if got := currency(t, c.code).Symbol(); got != c.symbol {
			t.Errorf("%s has the symbol %q, want %q", c.code, got, c.symbol)
		}
	}
}
