package report

import (
	"fmt"
	"html"
	"math"
	"strings"
	"time"
)

// The plot's measures, in its own units.
const (
	width, height            = 720, 400
	left, right, top, bottom = 64, 690, 56, 340
	most                     = 4 // curves, after which nobody tells them apart
)

// Colours that tell apart on white and on near-black, also for most who see
// fewer; dashes tell the curves apart without any.
var dashes = []string{"", "8 4", "2 4", "10 3 2 3"}

// SVG draws how long each share of the requests took: the share runs towards
// ever rarer ones (each step to the right is ten times as rare), the time
// grows by tens. It is readable on a light and on a dark page.
func (r Report) SVG() string {
	var curves []Latencies
	for _, l := range r.Latencies {
		if l.N() > 0 && len(curves) < most {
			curves = append(curves, l)
		}
	}
	a := axesFor(curves)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="Latency percentiles">`+"\n", width, height)
	b.WriteString(`<style>
svg { --ink: #1a1a1a; --line: #d8d8d8; --c0: #0b62c4; --c1: #1c7a43; --c2: #b3261e; --c3: #7a4bb5; color-scheme: light dark }
@media (prefers-color-scheme: dark) { svg { --ink: #ececec; --line: #444; --c0: #7ab8ff; --c1: #6fd49a; --c2: #ff9a8f; --c3: #c9a4f5 } }
text { font: 13px system-ui, sans-serif; fill: var(--ink) }
.end { text-anchor: end } .mid { text-anchor: middle }
path { fill: none; stroke-width: 2 }
.grid { stroke: var(--line); stroke-width: 1 }
`)
	for i := range most {
		fmt.Fprintf(&b, ".c%d { stroke: var(--c%d) }\n", i, i)
	}
	b.WriteString("</style>\n")
	fmt.Fprintf(&b, `<text x="%d" y="22">%s</text>`+"\n", left, html.EscapeString(r.Command))
	a.draw(&b)
	for i, l := range curves {
		fmt.Fprintf(&b, `<path class="c%d" stroke-dasharray="%s" d="%s"/>`+"\n", i, dashes[i], a.curve(l))
		y := bottom - 14 - 18*(len(curves)-1-i) // the curves rise, so that this corner is the emptiest
		fmt.Fprintf(&b, `<path class="c%d" stroke-dasharray="%s" d="M%d %dh32"/><text x="%d" y="%d">%s</text>`+"\n",
			i, dashes[i], right-200, y-4, right-160, y, html.EscapeString(l.Kind))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// axes are the ranges that are drawn: shares up to one in 10^nines, times from
// 10^low to 10^high milliseconds.
type axes struct{ nines, low, high float64 }

func axesFor(curves []Latencies) axes {
	a := axes{1, math.Inf(1), math.Inf(-1)}
	for _, l := range curves {
		a.nines = max(a.nines, math.Ceil(math.Log10(float64(l.N()))))
		a.low = min(a.low, math.Floor(decade(l.At(0))))
		a.high = max(a.high, math.Ceil(decade(l.Max())))
	}
	if len(curves) == 0 {
		a.low, a.high = 0, 1
	}
	a.high = max(a.high, a.low+1)
	return a
}

// decade is the power of ten of a time in milliseconds; nothing is under 10 µs.
func decade(d time.Duration) float64 { return math.Log10(max(milliseconds(d), 0.01)) }

func (a axes) x(nines float64) float64 { return left + (right-left)*nines/a.nines }
func (a axes) y(d float64) float64     { return bottom - (bottom-top)*(d-a.low)/(a.high-a.low) }

func (a axes) draw(b *strings.Builder) {
	for n := 0.0; n <= a.nines; n++ {
		fmt.Fprintf(b, `<path class="grid" d="M%.1f %dV%d"/><text class="mid" x="%.1f" y="%d">%s</text>`+"\n", a.x(n), top, bottom, a.x(n), bottom+20, share(int(n)))
	}
	for d := a.low; d <= a.high; d++ {
		fmt.Fprintf(b, `<path class="grid" d="M%d %.1fH%d"/><text class="end" x="%d" y="%.1f">%g ms</text>`+"\n", left, a.y(d), right, left-8, a.y(d)+4, math.Pow(10, d))
	}
	fmt.Fprintf(b, `<text class="mid" x="%d" y="%d">share of the requests that took no longer</text>`+"\n", (left+right)/2, bottom+46)
}

// share writes 0 nines as 0%, 1 as 90%, 2 as 99%, 3 as 99.9%.
func share(nines int) string {
	if nines == 0 {
		return "0%"
	}
	text := strings.Repeat("9", nines)
	switch nines {
	case 1:
		return "90%"
	case 2:
		return "99%"
	default:
		return text[:2] + "." + text[2:] + "%"
	}
}

// curve is the path of one curve: a point for each step that can be seen.
func (a axes) curve(l Latencies) string {
	var b strings.Builder
	const steps = 240
	for i := range steps + 1 {
		nines := a.nines * float64(i) / steps
		fmt.Fprintf(&b, "%s%.1f %.1f", map[bool]string{true: "M", false: "L"}[i == 0], a.x(nines), a.y(decade(l.At(1-math.Pow(10, -nines)))))
	}
	return b.String()
}
