package store

import (
	"context"
	"fmt"

	"rostrum/store/auction"
)

// Settle writes the house's currency into the database at the first start. A
// database that was begun with another currency is refused: all its amounts
// are in that one.
func (s *Store) Settle(ctx context.Context, c auction.Currency) error {
	_, err := s.pool.Exec(ctx, `INSERT INTO house (currency, digits) VALUES ($1, $2) ON CONFLICT DO NOTHING`, c.Code, c.Digits)
	if err != nil {
		return fault("write the house's currency", err)
	}
	var settled string
	if err := s.pool.QueryRow(ctx, `SELECT currency FROM house`).Scan(&settled); err != nil {
		return fault("read the house's currency", err)
	}
	if settled != c.Code {
		return fmt.Errorf("the currency of this house is %s and cannot become %s", settled, c.Code)
	}
	return nil
}

// Empty says whether the house has no lots and never had any.
func (s *Store) Empty(ctx context.Context) (bool, error) {
	var empty bool
	err := s.pool.QueryRow(ctx, `SELECT NOT EXISTS (SELECT FROM auction)`).Scan(&empty)
	return empty, fault("look for lots", err)
}
