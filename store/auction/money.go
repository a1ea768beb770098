package auction

import (
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/govalues/decimal"
)

// Money is an exact amount of the house's one currency, never negative. It is
// NUMERIC(14,2) in the database; Currency reads and writes it.
type Money struct{ amount decimal.Decimal }

// ErrAmount says that a text is no amount of the currency.
var ErrAmount = errors.New("not an amount")

// Add returns m + n. Amounts have at most 12 digits before the point, so the
// sum of two always fits the 19 digits of a decimal.
func (m Money) Add(n Money) Money {
	sum, err := m.amount.Add(n.amount)
	if err != nil {
		panic(fmt.Sprintf("auction: %v + %v: %v", m.amount, n.amount, err))
	}
	return Money{sum}
}

// Cmp is -1, 0 or +1 where m is less than, equal to or more than n.
func (m Money) Cmp(n Money) int { return m.amount.Cmp(n.amount) }

// IsZero says whether the amount is nothing.
func (m Money) IsZero() bool { return m.amount.IsZero() }

// canonical is the same text for the same amount, however it was written.
func (m Money) canonical() string { return m.amount.Trim(0).String() }

// Scan reads a NUMERIC of the database, which comes as a text. No float is an
// amount, though the decimal would read one.
func (m *Money) Scan(value any) error {
	text, ok := value.(string)
	if !ok {
		return fmt.Errorf("%w: %T", ErrAmount, value)
	}
	return m.amount.Scan(text)
}

// Value writes a NUMERIC of the database.
func (m Money) Value() (driver.Value, error) { return m.amount.Value() }
