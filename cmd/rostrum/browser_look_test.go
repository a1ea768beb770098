package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// look is how a page is looked at.
type look struct {
	width  int64
	scheme string
}

// looks are the four in which every page must be right.
func looks() []look {
	return []look{{1280, "light"}, {1280, "dark"}, {390, "light"}, {390, "dark"}}
}

func (l look) String() string { return fmt.Sprintf("%d-%s", l.width, l.scheme) }

// looks shows the pages that come, and the one that is there, in a certain way.
func (b *tab) looks(l look) {
	b.t.Helper()
	options := []chromedp.EmulateViewportOption{}
	if l.width < 600 {
		options = append(options, chromedp.EmulateMobile)
	}
	b.within("look at "+l.String(), chromedp.EmulateViewport(l.width, 900, options...),
		command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: l.scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}}))
}

//go:embed testdata/axe.min.js
var axeScript string

// finding is something that axe has against a page.
type finding struct {
	Rule, Impact, Help string
	Nodes              []string
}

// axe has a page examined by axe-core and complains of what is serious: by all
// its rules on a wide light page and a narrow dark one, by those that depend on
// the look on the others.
func (b *tab) axe(what string, l look) {
	b.t.Helper()
	rules := "{}"
	if (l.width > 600) != (l.scheme == "light") {
		rules = `{runOnly: {type: "rule", values: ["color-contrast", "target-size", "scrollable-region-focusable"]}}`
	}
	text := evalPromise[string](b, axeScript+`;
		axe.run(document, `+rules+`).then(found => JSON.stringify(found.violations.map(v =>
			({Rule: v.id, Impact: v.impact, Help: v.help, Nodes: v.nodes.map(n => n.target.join(" ") + ": " + n.failureSummary)}))))`)
	var findings []finding
	if err := json.Unmarshal([]byte(text), &findings); err != nil {
		b.t.Fatalf("%s: axe says %q: %v", what, text, err)
	}
	for _, f := range findings {
		if slices.Contains([]string{"serious", "critical"}, f.Impact) {
			b.t.Errorf("%s: %s (%s): %s\n%s", what, f.Rule, f.Impact, f.Help, strings.Join(f.Nodes, "\n"))
		} else {
			b.t.Logf("%s: %s (%s): %s", what, f.Rule, f.Impact, f.Help)
		}
	}
}

// fits complains of a page that is wider than the screen.
func (b *tab) fits(what string) {
	b.t.Helper()
	if over := eval[float64](b, "document.documentElement.scrollWidth - document.documentElement.clientWidth"); over > 0 {
		b.t.Errorf("%s: the page is %v pixels wider than the screen", what, over)
	}
}

// evalPromise waits for the promise that an expression is.
func evalPromise[T any](b *tab, expression string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Errorf("%s: a promise was not kept: %v", b.net.name, err)
	}
	return value
}
