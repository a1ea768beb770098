package auction

import (
	"fmt"
	"strings"

	"github.com/bojanz/currency"
	"github.com/govalues/decimal"
)

// maxWhole is the number of digits before the point that NUMERIC(14,2) holds.
const maxWhole = 12

// Currency is the currency of a house. It reads amounts strictly and writes
// them with its own number of decimals (two for USD, none for JPY).
type Currency struct {
	Code   string // ISO 4217
	Digits int    // decimals: 0, 1 or 2
}

// NewCurrency looks a currency up by its ISO 4217 code. One with more than two
// decimals does not fit the database's NUMERIC(14,2) and is refused.
func NewCurrency(code string) (Currency, error) {
	digits, known := currency.GetDigits(code)
	if !known {
		return Currency{}, fmt.Errorf("%q is not an ISO 4217 currency code", code)
	}
	if digits > 2 {
		return Currency{}, fmt.Errorf("%s has %d decimals; Rostrum keeps two at most", code, digits)
	}
	return Currency{Code: code, Digits: int(digits)}, nil
}

// Parse reads `[0-9]{1,12}(\.[0-9]{1,d})?` with the currency's d and nothing
// else: no sign, space, exponent or grouping. More decimals than the currency
// has are refused, never rounded.
func (c Currency) Parse(text string) (Money, error) {
	whole, fraction, point := strings.Cut(text, ".")
	if !isDigits(whole, maxWhole) || point && !isDigits(fraction, c.Digits) {
		return Money{}, ErrAmount
	}
	amount, err := decimal.ParseExact(text, c.Digits)
	if err != nil {
		return Money{}, fmt.Errorf("%w: %w", ErrAmount, err)
	}
	return Money{amount}, nil
}

// ParseForm reads what a person typed into a field of an English page: as
// Parse, and with blanks around it and commas between each three digits
// ("1,234.50"). A comma anywhere else is ambiguous and refused, as it is behind
// a leading zero: "0,500" is half of something for half of the world.
func (c Currency) ParseForm(text string) (Money, error) {
	text = strings.TrimSpace(text)
	whole, _, _ := strings.Cut(text, ".")
	first, more, grouped := strings.Cut(whole, ",")
	if !grouped {
		return c.Parse(text)
	}
	if first == "" || first[0] == '0' || len(first) > 3 {
		return Money{}, ErrAmount
	}
	for group := range strings.SplitSeq(more, ",") {
		if len(group) != 3 {
			return Money{}, ErrAmount
		}
	}
	return c.Parse(strings.ReplaceAll(whole, ",", "") + text[len(whole):])
}

// Text writes an amount for machines: "1010.00", "1010" for yen.
func (c Currency) Text(m Money) string {
	return m.amount.Rescale(c.Digits).String()
}

// Format writes an amount for people: "$1,010.00".
func (c Currency) Format(m Money) string {
	amount, err := currency.NewAmount(c.Text(m), c.Code)
	if err != nil {
		return c.Text(m) + " " + c.Code
	}
	return currency.NewFormatter(currency.NewLocale("en")).Format(amount)
}

// Symbol is what stands before an amount: "$".
func (c Currency) Symbol() string {
	symbol, ok := currency.GetSymbol(c.Code, currency.NewLocale("en"))
	if !ok {
		return c.Code
	}
	return symbol
}

func isDigits(text string, most int) bool {
	for _, b := range []byte(text) {
		if b < '0' || b > '9' {
			return false
		}
	}
	return len(text) >= 1 && len(text) <= most
}
