package main

import (
	"slices"
	"strings"
	"testing"
)

func TestStreamsAreMeasuredWhileBidsArrive(t *testing.T) {
	t.Parallel()
	for _, page := range [][]string{nil, {"--html"}} {
		r := measure(t, append([]string{"watch", "--streams", "20", "--stalled", "2", "--rate", "40", "--bidders", "8", "--for", "1s"}, page...)...)
		if least := r.figure(t, "frames a second, the stream with least"); least < 1 {
			t.Errorf("%v: a stream had %v frames a second", page, least)
		}
		if n, all := r.n("age of a frame when it was read"), r.figure(t, "frames a second, all streams"); float64(n) != all || n < 18 {
			t.Errorf("%v: %d ages of %v frames", page, n, all)
		}
		if dropped, open := r.figure(t, "streams dropped, of those that read"), r.figure(t, "streams open at the end, as the house counts"); dropped != 0 || open != 20 {
			t.Errorf("%v: %v streams were dropped, %v are open", page, dropped, open)
		}
		if r.figure(t, "goroutines before the streams") < 1 || r.figure(t, "goroutines after they left") < 1 {
			t.Errorf("%v: no goroutines", page)
		}
		if !slices.ContainsFunc(r.Notes, func(note string) bool { return strings.Contains(note, "2 never read") }) {
			t.Errorf("%v: the notes: %q", page, r.Notes)
		}
	}
}
