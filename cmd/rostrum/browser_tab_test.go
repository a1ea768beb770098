package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// patience is how long anything may take on a machine that is busy with
// other tests. What waits, waits for a condition.
const patience = 40 * time.Second

// browsers are the names under which Chromium is found.
var browsers = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "/snap/bin/chromium",
	"/Applications/Chromium.app/Contents/MacOS/Chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
	"headless_shell", "headless-shell"}

// browser is the one browser of all tests.
var browser struct {
	once   sync.Once
	ctx    context.Context
	cancel context.CancelFunc
	err    error
}

func openBrowser() {
	var path string
	for _, name := range browsers {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		browser.err = errors.New("the browser test needs Chromium or Chrome, and none is here: install it (Debian: apt-get install chromium)")
		return
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path), chromedp.WindowSize(1280, 900),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium's sandbox refuses root
	}
	allocator, _ := chromedp.NewExecAllocator(context.Background(), options...)
	browser.ctx, browser.cancel = chromedp.NewContext(allocator)
	browser.err = chromedp.Do(browser.ctx)
}

func closeBrowser() {
	if browser.cancel == nil {
		return
	}
	if err := chromedp.Cancel(browser.ctx); err != nil {
		fmt.Fprintln(os.Stderr, "the browser did not close well:", err)
	}
	browser.cancel()
}

// tab is a window of a person's browser. Each has cookies of its own.
type tab struct {
	t    *testing.T
	ctx  context.Context
	base string
	net  traffic
}

// tab opens a window at an address of this house.
func (h *house) tab(name, base string) *tab {
	h.t.Helper()
	if browser.once.Do(openBrowser); browser.err != nil {
		h.t.Fatal(browser.err)
	}
	return openTab(h.t, browser.ctx, name, base, chromedp.WithNewBrowserContext())
}

// beside opens another tab in the same window, which hides this one.
func (b *tab) beside() *tab {
	b.t.Helper()
	return openTab(b.t, b.ctx, b.net.name+"'s other tab", b.base, chromedp.WithNewWindow(false))
}

func openTab(t *testing.T, in context.Context, name, base string, options ...chromedp.ContextOption) *tab {
	t.Helper()
	b := &tab{t: t, base: base, net: traffic{name: name, streams: map[string]bool{}, paths: map[string]string{}}}
	ctx, cancel := chromedp.NewContext(in, append(options, chromedp.WithListener(b.net.hear))...)
	b.ctx = ctx
	must(t, chromedp.Do(ctx))
	t.Cleanup(func() {
		b.net.check(t)
		if t.Failed() {
			now, ever := b.net.open()
			t.Logf("%s, with %d streams of %d, saw %s, %s", name, now, ever, eval[string](b, "location.href"), eval[string](b, "document.visibilityState"))
			t.Log(eval[string](b, "document.body.innerText"))
		}
		cancel()
	})
	return b
}

// within runs what the browser is to do, in bounded time.
func (b *tab) within(what string, actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.t.Fatalf("%s: %s: %v", b.net.name, what, err)
	}
}

func (b *tab) open(path string) {
	b.t.Helper()
	b.within("open "+path, chromedp.Navigate(b.base+path))
}

// ready waits for an element on a page that has come whole: an element of one
// that is still coming is another one a moment later.
func (b *tab) ready(css string) {
	b.t.Helper()
	b.see(css, "")
	b.until("the page is whole", `document.readyState === "complete"`)
}

func (b *tab) click(css string) {
	b.t.Helper()
	b.ready(css)
	b.within("click "+css, chromedp.Click(chromedp.CSS(css)))
}

// fill types text in the place of what a field holds.
func (b *tab) fill(css, text string) {
	b.t.Helper()
	b.ready(css)
	b.within("fill "+css, chromedp.Focus(chromedp.CSS(css)), chromedp.Evaluate[chromedp.Void](fmt.Sprintf("document.querySelector(%s).select()", quote(css))))
	if text == "" {
		text = kb.Backspace
	}
	b.press(text)
}

// choose sets a field whose keys depend on the language of the browser.
func (b *tab) choose(css, value string) {
	b.t.Helper()
	b.ready(css)
	b.within("choose "+css, chromedp.Evaluate[chromedp.Void](fmt.Sprintf("document.querySelector(%s).value = %s", quote(css), quote(value))))
}

func (b *tab) press(keys string) {
	b.t.Helper()
	b.within("press keys", chromedp.KeyEvent(keys))
}

// see waits until a visible element holds the text, as it is drawn.
func (b *tab) see(css, text string) {
	b.t.Helper()
	b.until(fmt.Sprintf("%s with %q is seen", css, text), fmt.Sprintf(
		`[...document.querySelectorAll(%s)].some(e => e.checkVisibility() && e.innerText.replace(/\s+/g, " ").includes(%s))`, quote(css), quote(text)))
}

// miss waits until no visible element holds the text.
func (b *tab) miss(css, text string) {
	b.t.Helper()
	b.until(fmt.Sprintf("%s with %q is not seen", css, text), fmt.Sprintf(
		`![...document.querySelectorAll(%s)].some(e => e.checkVisibility() && e.innerText.replace(/\s+/g, " ").includes(%s))`, quote(css), quote(text)))
}

// holds waits until a field holds the value.
func (b *tab) holds(css, value string) {
	b.t.Helper()
	b.until(fmt.Sprintf("%s holds %q", css, value), fmt.Sprintf(`document.querySelector(%s)?.value === %s`, quote(css), quote(value)))
}

// until waits until an expression of the page is true. The page may be on the
// way to another one meanwhile.
func (b *tab) until(what, expression string) {
	b.t.Helper()
	eventually(b.t, b.net.name+": "+what, func() bool {
		ctx, cancel := context.WithTimeout(b.ctx, patience)
		defer cancel()
		yes, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression))
		return err == nil && yes
	})
}

// attribute is an attribute of the first such element, "" where it has none.
func (b *tab) attribute(css, name string) string {
	b.t.Helper()
	return eval[string](b, fmt.Sprintf(`document.querySelector(%s)?.getAttribute(%s) ?? ""`, quote(css), quote(name)))
}

func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.t.Errorf("%s: %s: %v", b.net.name, expression, err)
	}
	return value
}

// eventually looks again and again until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(40 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(patience); !holds(); <-tick.C {
		if time.Now().After(end) {
			t.Fatal("never: ", what)
		}
	}
}

// quote writes a text as JavaScript has it.
func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return strings.ReplaceAll(string(quoted), "\u2028", `\u2028`)
}
