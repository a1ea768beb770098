package report_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"rostrum/cmd/bench/report"
)

// upTo are 1 ms to n ms, the longest first.
func upTo(n int) report.Latencies {
	var times []time.Duration
	for i := n; i > 0; i-- {
		times = append(times, time.Duration(i)*time.Millisecond)
	}
	return report.NewLatencies("bids", times)
}

func TestAPercentileIsTheNearestRank(t *testing.T) {
	for _, c := range []struct {
		n     int
		share float64
		want  int // ms
	}{
		{1, 0, 1}, {1, 0.5, 1}, {1, 0.99, 1}, {1, 1, 1},
		{2, 0.5, 1}, {2, 0.51, 2}, {3, 0.5, 2},
		{100, 0.5, 50}, {100, 0.07, 7}, {100, 0.9, 90}, {100, 0.99, 99}, {100, 0.991, 100}, {100, 1, 100},
		{1000, 0.99, 990}, {1000, 0.999, 999}, {101, 0.99, 100},
	} {
		if got := upTo(c.n).At(c.share); got != time.Duration(c.want)*time.Millisecond {
			t.Errorf("of 1 to %d ms, %v is %s, want %d ms", c.n, c.share, got, c.want)
		}
	}
	if none := report.NewLatencies("none", nil); none.At(0.99) != 0 || none.Max() != 0 {
		t.Error("of no times there is a percentile")
	}
}

func sample() report.Report {
	return report.Report{
		Command: "bench bids --rate 2 <&>", Machine: []report.Line{report.Word("load", "0.1")},
		Figures:   []report.Line{report.Number("bids accepted a second", 12345.6, "1/s"), report.Number("small", 0.123, "s")},
		Latencies: []report.Latencies{upTo(1000), report.NewLatencies("refused", nil)},
		Audit:     report.Audit{Checked: []string{"one lot"}},
	}
}

func TestTheTableHasTheFigures(t *testing.T) {
	var b strings.Builder
	if err := sample().Write(&b); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range []string{"bids accepted a second 12,346 1/s", "small 0.12 s", "bids 1,000 500.0 900.0 990.0 1000.0", "one lot nothing is wrong in the books"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, &b)
		}
	}
	wrong := sample()
	wrong.Audit.Wrong = []string{"lot 7: gone"}
	b.Reset()
	if err := wrong.Write(&b); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.Contains(text, "lot 7: gone") || strings.Contains(text, "nothing is wrong") {
		t.Errorf("wrong books are told as\n%s", text)
	}
}

func TestTheJSONHasTheFigures(t *testing.T) {
	var b strings.Builder
	if err := sample().WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var told struct {
		Command string
		Figures []struct {
			Name  string
			Value float64
		}
		LatencyMs []struct {
			Kind               string
			N                  int
			P50, P90, P99, Max float64
		}
		Audit struct{ Checked, Wrong []string }
	}
	if err := json.Unmarshal([]byte(b.String()), &told); err != nil {
		t.Fatal(err)
	}
	if told.Command != sample().Command || told.Figures[0].Value != 12345.6 || told.LatencyMs[0].P99 != 990 || told.LatencyMs[0].N != 1000 || len(told.Audit.Checked) != 1 {
		t.Errorf("read as %+v", told)
	}
}

func TestThePlotIsAnSVGForLightAndDarkThatDrawsWhatThereIs(t *testing.T) {
	svg := sample().SVG()
	decoder := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("not XML: %v", err)
		}
	}
	if !strings.Contains(svg, "prefers-color-scheme: dark") {
		t.Error("it knows no dark page")
	}
	if n := strings.Count(svg, `<path class="c`); n != 2 { // the curve and its sample
		t.Errorf("%d lines for one curve: nothing is drawn of a kind that has no times", n)
	}
	for _, want := range []string{">99.9%<", ">1 ms<", ">1000 ms<", ">bids<", "bench bids --rate 2 &lt;&amp;&gt;"} {
		if !strings.Contains(svg, want) {
			t.Errorf("%q is missing", want)
		}
	}
	for what, r := range map[string]report.Report{"no latency": {}, "one instant": {Latencies: []report.Latencies{report.NewLatencies("x", []time.Duration{0})}}} {
		if svg := r.SVG(); strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Errorf("%s: %s", what, svg)
		}
	}
}
