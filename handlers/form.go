package handlers

import (
	"errors"
	"mime"
	"net/http"

	"rostrum/store/auction"
	"rostrum/views"
)

func isForm(r *http.Request) bool {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return kind == "application/x-www-form-urlencoded"
}

// readForm reads the fields of a form into r.PostForm.
func readForm(r *http.Request) error {
	var large *http.MaxBytesError
	err := r.ParseForm()
	if err == nil || errors.As(err, &large) {
		return err
	}
	return errUnreadable
}

// typed keeps what was typed into a form, with the mistakes in it.
func typed(r *http.Request, mistakes auction.Mistakes) views.Fields {
	values := map[string]string{}
	for name := range r.PostForm {
		values[name] = r.PostForm.Get(name)
	}
	delete(values, "password")
	return views.Fields{Values: values, Mistakes: mistakes}
}
