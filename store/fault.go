package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"rostrum/store/auction"
)

// fault says what failed, and what that means: no row is ErrNotFound, and what
// may go well another time is ErrUnavailable.
func fault(what string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pgx.ErrNoRows):
		return auction.ErrNotFound
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("%s: %w", what, err)
	case transient(err):
		return fmt.Errorf("%s: %w: %w", what, auction.ErrUnavailable, oneLine{err})
	default:
		return fmt.Errorf("%s: %w", what, oneLine{err})
	}
}

// oneLine tells an error in one line: that of a refused connection has a line
// for each address that was tried.
type oneLine struct{ error }

func (e oneLine) Error() string { return strings.Join(strings.Fields(e.error.Error()), " ") }
func (e oneLine) Unwrap() error { return e.error }

// transient says whether the database was out of reach, overloaded or kept
// waiting. The classes are of PostgreSQL's manual, appendix A.
func transient(err error) bool {
	var answer *pgconn.PgError
	if !errors.As(err, &answer) {
		return lost(err)
	}
	switch answer.Code[:2] {
	case "08", "53", "57", "40": // connection, resources, operator intervention (also statement_timeout), rolled back
		return true
	}
	switch answer.Code {
	case "55P03", "25P03", "25006": // lock_timeout, idle in transaction, read-only for now
		return true
	}
	return false
}

// lost says whether the connection broke, so that nobody knows what became of
// the statement that was under way.
func lost(err error) bool {
	var answer *pgconn.PgError
	if errors.As(err, &answer) {
		return answer.Code[:2] == "08" || strings.HasPrefix(answer.Code, "57P0") // ended by an administrator or a crash
	}
	var network net.Error
	var connect *pgconn.ConnectError
	return errors.As(err, &network) || errors.As(err, &connect) || pgconn.Timeout(err) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, pgconn.ErrConnClosed)
}
