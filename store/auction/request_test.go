package auction_test

import (
	"errors"
	"strings"
	"testing"

	"rostrum/store/auction"
)

func TestARequestIDIsAUUIDInItsUsualForm(t *testing.T) {
	t.Parallel()
	const text = "0190b6e2-7f3a-4c11-9d52-0123456789ab"
	for _, in := range []string{text, strings.ToUpper(text), "0190B6e2-7f3A-4c11-9d52-0123456789aB"} {
		if id, err := auction.ParseRequestID(in); err != nil || id.String() != text {
			t.Errorf("%q: %v, %v", in, id, err)
		}
	}
	for _, in := range []string{"", "1", text[1:], text + "0", " " + text[1:], "{" + text + "}", "urn:uuid:" + text,
		strings.ReplaceAll(text, "-", ""), strings.ReplaceAll(text, "-", "_"), strings.Replace(text, "a", "g", 1),
		"0190b6e27-f3a-4c11-9d52-0123456789ab", "０190b6e2-7f3a-4c11-9d52-0123456789", text[:35] + "\x00"} {
		if id, err := auction.ParseRequestID(in); !errors.Is(err, auction.ErrRequestID) {
			t.Errorf("%q was read as %v, %v", in, id, err)
		}
	}
}

func TestAFreshRequestIDIsRandomAndComesBack(t *testing.T) {
	t.Parallel()
	seen := map[auction.RequestID]bool{}
	for range 1000 {
		id := auction.NewRequestID()
		back, err := auction.ParseRequestID(id.String())
		if err != nil || back != id || seen[id] {
			t.Fatalf("%v came back as %v, %v, seen before: %v", id, back, err, seen[id])
		}
		if text := id.String(); text[14] != '4' || !strings.ContainsRune("89ab", rune(text[19])) {
			t.Fatalf("%s is no UUID of version 4", text)
		}
		seen[id] = true
	}
}
