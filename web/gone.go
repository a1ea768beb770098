package web

import (
	"context"
	"errors"
	"net/http"
)

// Gone tells whether err only says that the visitor left, or stopped reading: there is nobody to answer
// and nothing to log. It goes by where the error arose, not by its kind: a reset or closed connection
// may as well be the database's, and then the visitor is still waiting for an answer.
func Gone(err error) bool {
	var gone visitorLeft
	return errors.As(err, &gone) || errors.Is(err, context.Canceled)
}

// visitorLeft marks an error of writing to the visitor.
type visitorLeft struct{ error }

func (v visitorLeft) Unwrap() error { return v.error }

// writing marks what a write to the visitor returned, save what is the program's own mistake.
func writing(err error) error {
	for _, ours := range []error{http.ErrBodyNotAllowed, http.ErrContentLength, http.ErrHijacked, http.ErrNotSupported} {
		if errors.Is(err, ours) {
			return err
		}
	}
	if err == nil {
		return nil
	}
	return visitorLeft{err}
}
