package auction

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The lengths of an alias, in characters.
const (
	MinAlias = 2
	MaxAlias = 30
)

// TidyAlias writes an alias as it is kept: composed (Unicode NFKC, which also
// takes a wide or ornamental letter for the plain one), blanks of every kind as
// single ones and none around it.
func TidyAlias(text string) string { return strings.Join(strings.Fields(norm.NFKC.String(text)), " ") }

// CheckAlias returns what is wrong with a tidy alias, "" where nothing is.
// Nobody may seem to be the house, or to have an alias that it gives.
func CheckAlias(alias string) string {
	switch n := utf8.RuneCountInString(alias); {
	case !utf8.ValidString(alias):
		return "Please use readable text."
	case n < MinAlias || n > MaxAlias:
		return "Use 2 to 30 characters."
	case strings.ContainsFunc(alias, unfit) || stacked(alias):
		return "Use letters, digits, blanks and - . ' & only."
	case utf8.RuneCountInString(AliasKey(alias)) < MinAlias:
		return "Use at least 2 letters or digits."
	case mixed(alias):
		return "Use the letters of one alphabet only."
	case looksGiven(alias):
		return "A letter with a number is an alias that the house gives. Choose another, or leave this empty for your own."
	case looksOfficial(alias):
		return "This looks like the house itself. Please choose another."
	default:
		return ""
	}
}

// AliasKey is what aliases that look alike have in common: letters and digits
// only, in lower case, and one for each group of letters that are drawn alike.
func AliasKey(alias string) string { return lookalikes.Replace(plain(alias)) }

// plain is an alias in lower case without blanks and marks, in Latin letters
// where others look the same.
func plain(alias string) string {
	folded := foreign.Replace(strings.ToLower(norm.NFKC.String(alias)))
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return r
		}
		return -1
	}, folded)
}

// Letters that are drawn alike, after Unicode Technical Standard 39: Cyrillic
// and Greek ones as Latin ones, and within Latin.
var (
	foreign = strings.NewReplacer(
		"а", "a", "в", "b", "е", "e", "к", "k", "м", "m", "н", "h", "о", "o", "р", "p", "с", "c", "т", "t", "у", "y", "х", "x",
		"і", "i", "ѕ", "s", "ј", "j", "ԁ", "d", "һ", "h", "ԛ", "q", "ԝ", "w",
		"α", "a", "ε", "e", "ι", "i", "κ", "k", "ν", "v", "ο", "o", "ρ", "p", "τ", "t", "υ", "u", "χ", "x",
		"ı", "i", "ß", "ss", "ς", "σ")
	lookalikes = strings.NewReplacer("0", "o", "1", "l", "i", "l", "rn", "m", "vv", "w")
)

// likeGiven is an alias that looks like one of the house's as it is written:
// with the letters that stand for 1 and 0 to the eye.
var likeGiven = regexp.MustCompile(`^[A-Za-z][Il2-9][OoIl0-9]+$`)

// given is an alias as alias_of in the database makes them, also where a digit
// is written as the letter that looks like it.
var given = regexp.MustCompile(`^[a-z][0-9oil]*[0-9][0-9oil]*$`)

func looksGiven(alias string) bool {
	for _, word := range strings.FieldsFunc(alias, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }) {
		if given.MatchString(plain(word)) {
			return true
		}
	}
	return given.MatchString(plain(alias)) || likeGiven.MatchString(alias)
}

func looksOfficial(alias string) bool {
	key := AliasKey(alias)
	for _, part := range []string{"rostrum", "admin", "auctioneer", "moderator"} {
		if strings.Contains(key, AliasKey(part)) {
			return true
		}
	}
	for _, whole := range []string{"you", "house", "the house", "seller", "bidder", "buyer", "winner", "nobody", "system", "support", "staff"} {
		if key == AliasKey(whole) {
			return true
		}
	}
	return false
}

// unfit says whether a character has no place in an alias. The four are
// letters to Unicode and blank to the eye.
func unfit(r rune) bool {
	if strings.ContainsRune("\u115F\u1160\u17B4\u17B5", r) || phonetic(r) {
		return true
	}
	return !unicode.IsLetter(r) && !unicode.Is(unicode.Mc, r) && (r < '0' || r > '9') && !fitMark(r) && !strings.ContainsRune(" -.'’&", r)
}

// fitMark says whether a mark is drawn: the variation selectors and the joiner
// are not.
func fitMark(r rune) bool {
	return unicode.Is(unicode.Mn, r) && !unicode.Is(unicode.Variation_Selector, r) && r != '\u034F'
}

// stacked says whether marks are piled on a letter, or stand on none.
func stacked(alias string) bool {
	marks := 2 // as if before the beginning the most were reached
	for _, r := range alias {
		switch {
		case !unicode.Is(unicode.Mn, r):
			marks = 0
			if r == ' ' {
				marks = 2
			}
		case marks == 2:
			return true
		default:
			marks++
		}
	}
	return false
}

// phonetic says whether a letter is of no alphabet that people write in, and
// drawn like those of one: clicks, IPA and other phonetic letters, small capitals.
func phonetic(r rune) bool {
	for _, block := range [][2]rune{{0x01C0, 0x01C3}, {0x0250, 0x02FF}, {0x1D00, 0x1DBF}, {0x2C60, 0x2C7F}, {0xA720, 0xA7FF}, {0xAB30, 0xAB6F}} {
		if block[0] <= r && r <= block[1] {
			return true
		}
	}
	return false
}

// mixed says whether letters of two scripts stand together, but for those that
// one language writes with (Unicode Technical Standard 39, section 5.1).
func mixed(alias string) bool {
	scripts := map[string]bool{}
	for _, r := range alias {
		for name, table := range unicode.Scripts {
			if unicode.IsLetter(r) && unicode.Is(table, r) && name != "Common" && name != "Inherited" {
				scripts[name] = true
			}
		}
	}
	if len(scripts) < 2 {
		return false
	}
	for _, language := range [][]string{{"Han", "Hiragana", "Katakana", "Latin"}, {"Han", "Hangul", "Latin"}, {"Han", "Bopomofo", "Latin"}} {
		of := 0
		for _, script := range language {
			if scripts[script] {
				of++
			}
		}
		if of == len(scripts) {
			return false
		}
	}
	return true
}
