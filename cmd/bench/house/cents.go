package house

import (
	"strconv"
	"strings"

	"rostrum/store/auction"
)

// Cents is an amount as a whole number of the currency's smallest unit, with
// which a crowd counts.
func (h *House) Cents(m auction.Money) int64 {
	n, err := strconv.ParseInt(strings.Replace(h.Currency.Text(m), ".", "", 1), 10, 64)
	if err != nil {
		panic(err) // 14 digits always fit
	}
	return n
}

// AppendCents writes an amount of so many of the smallest unit.
func (h *House) AppendCents(to []byte, cents int64) []byte {
	unit := int64(1)
	for range h.Currency.Digits {
		unit *= 10
	}
	to = strconv.AppendInt(to, cents/unit, 10)
	if unit == 1 {
		return to
	}
	point := len(to)
	to = strconv.AppendInt(to, unit+cents%unit, 10) // its 1 keeps the zeros, and becomes the point
	to[point] = '.'
	return to
}

func (h *House) text(cents int64) string { return string(h.AppendCents(nil, cents)) }

// Money is the amount of so many of the smallest unit.
func (h *House) Money(cents int64) (auction.Money, error) {
	return h.Currency.Parse(h.text(cents))
}
