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

// String is the amount as it was written, for the database and for logs;
// Currency writes it for people and programs.
func (m Money) String() string { return m.amount.String() }

// canonical is the same text for the same amount, however it was written.
func (m Money) canonical() string { return m.amount.Trim(0).String() }

// Share is how far m lies on the way from low to high, in parts of so many,
// rounded down; 0 where there is no way. low <= m <= high.
func (m Money) Share(low, high Money, parts int64) int64 {
	if high.Cmp(low) == 0 {
		return 0
	}
	done, err1 := m.amount.SubAbs(low.amount)
	all, err2 := high.amount.SubAbs(low.amount)
	scale, err3 := decimal.New(parts, 0)
	scaled, err4 := done.Mul(scale)
	share, _, err5 := scaled.QuoRem(all)
	whole, _, fits := share.Int64(0)
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil || !fits {
		panic(fmt.Sprintf("auction: %v between %v and %v: %v", m.amount, low.amount, high.amount, err))
	}
	return whole
}

// roundUp is the next whole multiple of step, m itself where it is one.
func (m Money) roundUp(step Money) Money {
	_, over, err := m.amount.QuoRem(step.amount)
	if err != nil {
		panic(fmt.Sprintf("auction: %v in steps of %v: %v", m.amount, step.amount, err))
	}
	if over.IsZero() {
		return m
	}
	missing, err := step.amount.SubAbs(over)
	if err != nil {
		panic(fmt.Sprintf("auction: %v - %v: %v", step.amount, over, err))
	}
	return m.Add(Money{missing})
}

// fits says whether it is an amount that can be written and kept: one of at
// most the 12 digits before the point that NUMERIC(14,2) has.
func (m Money) fits() bool { return m.amount.Trunc(0).Prec() <= maxWhole }

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
