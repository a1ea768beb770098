package auction_test

import (
	"strings"
	"testing"
	"time"

	"rostrum/store/auction"
)

func TestAnAliasIsAPlainNameOfOnesOwn(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Red Fox": "Red Fox", " Red \u00a0\u3000 Fox\t": "Red Fox", "O'Neil & Sons": "O'Neil & Sons", "Jürgen-7": "Jürgen-7", "J\u0075\u0308rgen": "Jürgen",
		"Ｒｅｄ Ｆｏｘ": "Red Fox", "ﬁnch": "finch", "Лиса": "Лиса", "Αλεπού": "Αλεπού", "競売 好き": "競売 好き", "한국": "한국", "हिन्दी": "हिन्दी",
		"Bill": "Bill", "Jo": "Jo", "Al": "Al", "Bob": "Bob", "花子 はなこ ハナコ": "花子 はなこ ハナコ", "金 Kim": "金 Kim", "Apollo 11": "Apollo 11", "1815": "1815", strings.Repeat("n", 30): strings.Repeat("n", 30), "Youth": "Youth", "Sam the Seller": "Sam the Seller",
	} {
		tidy := auction.TidyAlias(text)
		if mistake := auction.CheckAlias(tidy); tidy != want || mistake != "" {
			t.Errorf("%q is %q: %s", text, tidy, mistake)
		}
	}
	for text, want := range map[string]string{
		"": "2 to 30", " ": "2 to 30", "x": "2 to 30", strings.Repeat("n", 31): "2 to 30", "\u3000a\u3000": "2 to 30",
		"Red\x00Fox": "only", "Red\nFox\u202e": "only", "Red\u200bFox": "only", "Red\u00adFox": "only", "Red\ufe0fFox": "only", "R\u034fed": "only", "<b>Fox</b>": "only", "fox@example.com": "only", "🦊🦊": "only",
		"\u3164\u3164": "only", "\u2800\u2800": "only", "a\u0301\u0301\u0301\u0301bc": "only", "\u0301abc": "only", "Red\xffFox": "readable",
		"--": "at least 2", ". a": "at least 2",
		"Rеd Fox": "one alphabet", "Fοx": "one alphabet", "Rօstrum": "one alphabet", "Ꭱostrum": "one alphabet", "Foх競": "one alphabet",
		"Hɑmmerhead": "only", "Hᴀmmerhead": "only", "ɑdmin": "only", "Rᴏstrum": "only", "ǃǃǃ": "only", "R٣": "only", "Fox ３٣": "only",
		"Bll": "the house gives", "BIO": "the house gives", "Kl0": "the house gives",
		"K7": "the house gives", "k 70": "the house gives", "K-7": "the house gives", "seller B2": "the house gives", "B2 Fox": "the house gives", "К7": "the house gives", "Kl2": "the house gives", "Ｋ７": "the house gives", "bo1": "the house gives",
		"Rostrum": "the house itself", "R0strum": "the house itself", "The Rostrum": "the house itself", "Rostrurn": "the house itself", "Admin": "the house itself", "adm1n": "the house itself", "You": "the house itself",
		"The House": "the house itself", "Seller": "the house itself", "Auctioneer": "the house itself", "r.o.s.t.r.u.m": "the house itself",
	} {
		if mistake := auction.CheckAlias(auction.TidyAlias(text)); !strings.Contains(mistake, want) {
			t.Errorf("%q: %q, want %q", text, mistake, want)
		}
	}
}

func TestAliasesThatLookAlikeHaveOneKey(t *testing.T) {
	t.Parallel()
	for _, alike := range [][]string{
		{"Red Fox", "red fox", "REDFOX", "Red-Fox", "R.e.d F.o.x", "Red F0x"},
		{"Bill", "BILL", "Bi1l", "BIll"},
		{"Вох", "Box", "bох"},
		{"Straße", "Strasse"},
		{"Fern", "fem"},
	} {
		for _, other := range alike[1:] {
			if a, b := auction.AliasKey(alike[0]), auction.AliasKey(other); a != b || a == "" {
				t.Errorf("%q has %q, %q has %q", alike[0], a, other, b)
			}
		}
	}
	for _, apart := range [][2]string{{"Red Fox", "Red Fix"}, {"Jürgen", "Jurgen"}, {"Лиса", "Лис"}, {"競売", "競買"}} {
		if auction.AliasKey(apart[0]) == auction.AliasKey(apart[1]) {
			t.Errorf("%q and %q are the same", apart[0], apart[1])
		}
	}
}

func TestEveryZoneCanBeChosenAndToldTimeIn(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, zone := range auction.Zones() {
		for _, name := range append([]string{zone.Name}, zone.Older...) {
			if seen[name] {
				t.Errorf("%s is there twice", name)
			}
			seen[name] = true
			if _, err := time.LoadLocation(name); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if !auction.KnownZone(zone.Name) {
			t.Errorf("%s is not known", zone.Name)
		}
	}
	for name, want := range map[string]bool{"": true, "UTC": true, "Europe/Vienna": true, "Asia/Kolkata": true, "America/Argentina/Buenos_Aires": true,
		"Asia/Calcutta": false, "Local": false, "Mars/Base": false, "europe/vienna": false, "../etc/passwd": false, "EST5EDT": false} {
		if auction.KnownZone(name) != want {
			t.Errorf("%q is known: %v", name, !want)
		}
	}
	if n := len(auction.Zones()); n < 400 {
		t.Errorf("%d zones", n)
	}
}
