package views_test

import (
	"strings"
	"testing"

	"rostrum/store/auction"
	"rostrum/views"
)

func TestTheResultTellsEachReaderWhatConcernsThem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		role    views.Role
		phase   auction.Phase
		says    string
		contact bool
	}{
		{views.Winner, auction.Sold, "You won.", true},
		{views.Seller, auction.Sold, "Your lot is sold to K7 for $1,380.00", true},
		{views.Loser, auction.Sold, "Your last bid was $1,360.00", false},
		{views.Stranger, auction.Sold, "Sold for $1,380.00 to K7", false},
		{views.Seller, auction.Unsold, "Your lot was not sold.", false},
		{views.Stranger, auction.Unsold, "Not sold.", false},
		{views.Loser, auction.CalledOff, "This lot was withdrawn.", false},
	} {
		r := result(c.role, c.phase)
		if !c.contact {
			r.Other = nil
		}
		root := draw(t, views.ResultBody(r))
		if !strings.Contains(root.text, c.says) {
			t.Errorf("%s, %s: says %q, want %q in it", c.role, c.phase, root.text, c.says)
		}
		if strings.Contains(root.text, "You won") != (c.role == views.Winner) {
			t.Errorf("%s is told of winning", c.role)
		}
		if root.has("[href=mailto:sigrid@example.org]") != c.contact {
			t.Errorf("%s, %s: contact there: %v", c.role, c.phase, !c.contact)
		}
	}
}

// A careless caller may fill Other in for everybody.
func TestAStrangerIsNeverShownAContact(t *testing.T) {
	t.Parallel()
	for _, role := range []views.Role{views.Stranger, views.Loser} {
		if text := draw(t, views.ResultPage(page(ada), result(role, auction.Sold))).text; strings.Contains(text, "sigrid") || strings.Contains(text, "Sigrid") {
			t.Errorf("%s reads %q", role, text)
		}
	}
}
