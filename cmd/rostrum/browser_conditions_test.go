package main

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// browserTest is how a test with the browser begins.
func browserTest(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes its time")
	}
	t.Parallel()
}

func script(text string) chromedp.Action[chromedp.Void] {
	return chromedp.Evaluate[chromedp.Void](text)
}

func command[P any](name cdp.Command[P, cdp.Empty], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, name, params)
		return err
	})
}

// zone sets the clocks of this tab to a zone.
func (b *tab) zone(name string) {
	b.t.Helper()
	b.within("set the zone", command(emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: name}))
}

// clockAhead makes this tab's clock wrong, on the pages that come.
func (b *tab) clockAhead(d time.Duration) {
	b.t.Helper()
	b.before(fmt.Sprintf(`{ const right = Date.now; Date.now = () => right() + %d }`, d.Milliseconds()))
}

// before runs a script on each page that comes, ahead of the page's own.
func (b *tab) before(text string) {
	b.t.Helper()
	b.within("prepare pages", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: text})
		return err
	}))
}

// withoutScripts is a tab in which no script runs.
func (b *tab) withoutScripts() {
	b.t.Helper()
	b.within("switch scripts off", command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
}

// size makes this tab's window as wide and as high.
func (b *tab) size(width, height int64) {
	b.t.Helper()
	b.within("set the size", command(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: height, DeviceScaleFactor: 1, Mobile: width < 500}))
}

// prefers sets a wish of the person at this tab: "prefers-color-scheme" "dark".
func (b *tab) prefers(feature, value string) {
	b.t.Helper()
	b.within("set "+feature, command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: feature, Value: value}}}))
}

// toFront shows the tab again that another one hides.
func (b *tab) toFront() {
	b.t.Helper()
	b.within("come to the front", command(page.BringToFront, cdp.Empty{}))
}

// stays marks the page, for stayed to know it again.
func (b *tab) stays() { b.t.Helper(); b.within("mark the page", script("window.stays = true")) }

func (b *tab) stayed() {
	b.t.Helper()
	if !eval[bool](b, "window.stays === true") {
		b.t.Errorf("%s's page was loaded anew", b.net.name)
	}
}
