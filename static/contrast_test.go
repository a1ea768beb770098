package static_test

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"
)

// pairs of colours as they meet in the stylesheet: text on a ground, and what
// must be told from it without being text, with the least contrast that WCAG
// 2.2 asks for at level AA (success criteria 1.4.3 and 1.4.11).
var pairs = []struct {
	fore, ground string
	least        float64
}{
	{"ink", "paper", 4.5}, {"ink", "sheet", 4.5}, {"ink", "glow", 4.5}, {"ink", "told-tint", 4.5},
	{"soft", "paper", 4.5}, {"soft", "sheet", 4.5}, {"soft", "told-tint", 4.5},
	{"accent", "paper", 4.5}, {"accent", "sheet", 4.5}, {"accent-ink", "accent", 4.5},
	{"good", "paper", 4.5}, {"good", "sheet", 4.5}, {"good", "good-tint", 4.5},
	{"warn", "paper", 4.5}, {"warn", "sheet", 4.5}, {"warn", "warn-tint", 4.5},
	{"paper", "ink", 4.5}, {"edge", "paper", 3}, {"edge", "sheet", 3},
}

func TestColoursCanBeToldApart(t *testing.T) {
	t.Parallel()
	sheet, err := os.ReadFile("style.css")
	if err != nil {
		t.Fatal(err)
	}
	colours := map[string][2]float64{}
	for _, match := range regexp.MustCompile(`--([a-z-]+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\)`).FindAllStringSubmatch(string(sheet), -1) {
		colours[match[1]] = [2]float64{luminance(t, match[2]), luminance(t, match[3])}
	}
	for _, p := range pairs {
		for i, scheme := range []string{"light", "dark"} {
			fore, ground := colours[p.fore], colours[p.ground]
			if fore == [2]float64{} && ground == [2]float64{} {
				t.Fatalf("no colours %s and %s", p.fore, p.ground)
			}
			lighter, darker := max(fore[i], ground[i]), min(fore[i], ground[i])
			if ratio := (lighter + 0.05) / (darker + 0.05); ratio < p.least {
				t.Errorf("%s on %s, %s: %.2f:1, not %v:1", p.fore, p.ground, scheme, ratio, p.least)
			}
		}
	}
}

// luminance is the relative luminance of WCAG 2.2.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	linear := func(shift int) float64 {
		c := float64(n>>shift&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(16) + 0.7152*linear(8) + 0.0722*linear(0)
}
