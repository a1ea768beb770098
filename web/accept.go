package web

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// PrefersJSON tells whether the answer should be JSON rather than HTML: what Accept values higher, by
// its q; at the same value what it names rather than covers by a wildcard. Who has no preference (no
// Accept, */*) gets JSON for a JSON body or a bearer token, else HTML.
func PrefersJSON(r *http.Request) bool {
	ranges := accepted(r)
	html := best(ranges, func(t string) bool { return t == "text/html" || t == "application/xhtml+xml" }, "text/*")
	json := best(ranges, isJSON, "application/*")
	switch {
	case json.q != html.q:
		return json.q > html.q
	case json.named != html.named:
		return json.named
	}
	return speaksJSON(r)
}

// AcceptsHTML tells whether Accept names text/html; */* does not. A page's script asks for its live
// frames in this way, an API client does not.
func AcceptsHTML(r *http.Request) bool {
	html := best(accepted(r), func(t string) bool { return t == "text/html" }, "")
	return html.named && html.q > 0
}

// IsHTMX tells whether htmx asks, and so takes a fragment.
func IsHTMX(r *http.Request) bool { return r.Header.Get("HX-Request") == "true" }

// speaksJSON tells whether the request looks like a program's.
func speaksJSON(r *http.Request) bool {
	scheme, _, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") {
		return true
	}
	body, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return isJSON(body)
}

func isJSON(t string) bool {
	return t == "application/json" || strings.HasPrefix(t, "application/") && strings.HasSuffix(t, "+json")
}

// mediaRange is one element of Accept.
type mediaRange struct {
	name string
	q    float64
}

// accepted reads Accept, however many lines it has. What cannot be read is left out.
func accepted(r *http.Request) []mediaRange {
	var ranges []mediaRange
	for element := range strings.SplitSeq(strings.Join(r.Header.Values("Accept"), ","), ",") {
		name, params, err := mime.ParseMediaType(element)
		if err != nil {
			continue
		}
		q := 1.0
		if text, ok := params["q"]; ok {
			if q, err = strconv.ParseFloat(text, 64); err != nil || !(q >= 0 && q <= 1) {
				continue
			}
		}
		ranges = append(ranges, mediaRange{name, q})
	}
	return ranges
}

// preference is how much a kind of answer is wanted, and whether by name.
type preference struct {
	q     float64
	named bool
}

// best finds the preference for a kind: the most specific range counts (RFC 9110, 12.5.1), so that
// "text/html;q=0, */*" is no HTML. Of several names of one kind the best counts.
func best(ranges []mediaRange, kind func(string) bool, group string) preference {
	var named, grouped, any *float64
	for _, r := range ranges {
		switch {
		case kind(r.name):
			named = higher(named, r.q)
		case r.name == group:
			grouped = higher(grouped, r.q)
		case r.name == "*/*":
			any = higher(any, r.q)
		}
	}
	switch {
	case named != nil:
		return preference{*named, true}
	case grouped != nil:
		return preference{*grouped, false}
	case any != nil:
		return preference{*any, false}
	}
	return preference{}
}

func higher(have *float64, q float64) *float64 {
	if have != nil && *have >= q {
		return have
	}
	return &q
}
