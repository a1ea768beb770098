package handlers

import (
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strings"

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

// readYesNo reads what a form says by "true" or "false". What cannot be read
// is neither: it switches nothing.
func readYesNo(text string) (bool, error) {
	if text != "true" && text != "false" {
		return false, errUnreadable
	}
	return text == "true", nil
}

// typed keeps what was typed into a form but passwords, with the mistakes in it.
func typed(r *http.Request, mistakes auction.Mistakes) views.Fields {
	values := map[string]string{}
	for name := range r.PostForm {
		if !strings.Contains(name, "password") {
			values[name] = r.PostForm.Get(name)
		}
	}
	return views.Fields{Values: values, Mistakes: mistakes}
}

// valuesOf are a form's values as a browser would send them.
func valuesOf(values map[string]string) url.Values {
	sent := url.Values{}
	for name, value := range values {
		sent.Set(name, value)
	}
	return sent
}
