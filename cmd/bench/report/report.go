package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// Report is one run.
type Report struct {
	Command   string // as it was called
	Machine   []Line // where it ran
	Figures   []Line
	Latencies []Latencies
	Usage     []Line   // what house and bench used
	Doubts    []string // why the figures may not be the house's
	Notes     []string
	Audit     Audit
}

// Line is one figure. Value is for machines, in Unit; Text is for people.
type Line struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit,omitempty"`
	Text  string  `json:"text,omitempty"`
}

// Audit is what the books said.
type Audit struct {
	Checked []string `json:"checked"` // what was looked at, in sentences
	Wrong   []string `json:"wrong"`   // what is wrong there
}

// Number is a figure that is written as it is.
func Number(name string, value float64, unit string) Line {
	return Line{Name: name, Value: value, Unit: unit, Text: strings.TrimSpace(digits(value) + " " + unit)}
}

// Word is a figure that is no number.
func Word(name, text string) Line { return Line{Name: name, Text: text} }

// digits writes a number with three digits at least, and commas.
func digits(v float64) string {
	switch {
	case v == float64(int64(v)) || v >= 100:
		return commas(fmt.Sprintf("%.0f", v))
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	default:
		return fmt.Sprintf("%.2f", v)
	}
}

func commas(text string) string {
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Write writes the table.
func (r Report) Write(to io.Writer) error {
	t := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\n", r.Command)
	lines(t, "the machine", r.Machine)
	lines(t, "measured", r.Figures)
	if len(r.Latencies) > 0 {
		fmt.Fprintf(t, "\nlatency, ms\tn\tp50\tp90\tp99\tmax\n")
	}
	for _, l := range r.Latencies {
		if l.N() == 0 {
			continue
		}
		fmt.Fprintf(t, "  %s\t%s", l.Kind, commas(fmt.Sprint(l.N())))
		for _, share := range []float64{0.5, 0.9, 0.99, 1} {
			fmt.Fprintf(t, "\t%.1f", milliseconds(l.At(share)))
		}
		fmt.Fprintln(t)
	}
	lines(t, "used", r.Usage)
	texts(t, "DOUBTFUL", r.Doubts)
	texts(t, "how", r.Notes)
	texts(t, "the books", r.Audit.Checked)
	if len(r.Audit.Wrong) > 0 {
		texts(t, "WRONG IN THE BOOKS", r.Audit.Wrong)
	} else if len(r.Audit.Checked) > 0 {
		fmt.Fprintln(t, "  nothing is wrong in the books")
	}
	return t.Flush()
}

func lines(t io.Writer, title string, lines []Line) {
	if len(lines) > 0 {
		fmt.Fprintf(t, "\n%s\n", title)
	}
	for _, l := range lines {
		fmt.Fprintf(t, "  %s\t%s\n", l.Name, l.Text)
	}
}

func texts(t io.Writer, title string, texts []string) {
	if len(texts) > 0 {
		fmt.Fprintf(t, "\n%s\n", title)
	}
	for _, text := range texts {
		fmt.Fprintf(t, "  %s\n", text)
	}
}

// WriteJSON writes all of it as one object.
func (r Report) WriteJSON(to io.Writer) error {
	type latency struct {
		Kind string  `json:"kind"`
		N    int     `json:"n"`
		P50  float64 `json:"p50"`
		P90  float64 `json:"p90"`
		P99  float64 `json:"p99"`
		Max  float64 `json:"max"`
	}
	latencies := make([]latency, len(r.Latencies))
	for i, l := range r.Latencies {
		latencies[i] = latency{l.Kind, l.N(), milliseconds(l.At(0.5)), milliseconds(l.At(0.9)), milliseconds(l.At(0.99)), milliseconds(l.Max())}
	}
	encoder := json.NewEncoder(to)
	encoder.SetIndent("", "  ")
	return encoder.Encode(map[string]any{"command": r.Command, "machine": r.Machine, "figures": r.Figures, "latencyMs": latencies,
		"usage": r.Usage, "doubts": append([]string{}, r.Doubts...), "notes": r.Notes, "audit": r.Audit})
}
