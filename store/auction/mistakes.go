package auction

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Mistakes tells for each field, by its name in JSON, one sentence about what
// is wrong with it. It is the error of a request that was read but cannot be
// carried out as it is.
type Mistakes map[string]string

// Error lists the fields and sentences.
func (m Mistakes) Error() string {
	var lines []string
	for _, field := range slices.Sorted(maps.Keys(m)) {
		lines = append(lines, field+": "+m[field])
	}
	return strings.Join(lines, " ")
}

func (m Mistakes) orNil() Mistakes {
	if len(m) == 0 {
		return nil
	}
	return m
}

// note notes a sentence about a field, "" being none.
func (m Mistakes) note(field, sentence string) {
	if sentence != "" {
		m[field] = sentence
	}
}

// text notes what is wrong with a line that must say something.
func (m Mistakes) text(field, value string, most int) {
	switch {
	case !strings.ContainsFunc(value, visible):
		m[field] = "Please fill this in."
	case strings.ContainsFunc(value, misleading):
		m[field] = "Please write this in one line of plain text."
	default:
		m.length(field, value, most)
	}
}

// visible says whether there is something to see, or to click, of a character.
// Fillers are letters that show nothing, and so is Braille without a dot.
func visible(r rune) bool {
	const brailleBlank = '\u2800'
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != brailleBlank &&
		!unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// misleading says whether a character breaks the line or turns what stands
// around it (Unicode Standard Annex 9, explicit directional formatting).
func misleading(r rune) bool {
	return unicode.IsControl(r) || r >= '\u202A' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069'
}

// length notes a text that is too long or that PostgreSQL could not keep.
func (m Mistakes) length(field, value string, most int) {
	switch {
	case !utf8.ValidString(value) || strings.ContainsRune(value, 0):
		m[field] = "Please use readable text."
	case utf8.RuneCountInString(value) > most:
		m[field] = fmt.Sprintf("Use at most %d characters.", most)
	}
}
