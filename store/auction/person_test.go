package auction_test

import (
	"slices"
	"strings"
	"testing"

	"rostrum/store/auction"
)

func TestAnAddressIsOneThatMailCanBeSentTo(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"ann@example.com", "ann.b+auctions@mail.example.co.uk", "o'neil@example.com", "a@localhost",
		"jürgen@müller.example", strings.Repeat("a", 242) + "@example.com"} {
		if !auction.ValidEmail(text) {
			t.Errorf("%q was refused", text)
		}
	}
	for _, text := range []string{"", "ann", "@example.com", "ann@", "ann@@example.com", "ann@exa mple.com", " ann@example.com", "ann@example.com ",
		"Ann <ann@example.com>", "<ann@example.com>", "ann@example.com, ben@example.com", "ann@example.com\r\nBcc: ben@example.com", "ann@example.com\n",
		`"ann b"@example.com`, "ann..b@example.com", ".ann@example.com", "ann@example..com", "ann@example.com (Ann)", "ann\x00@example.com",
		"ann@example.com\x00", "ann\t@example.com", "\xff@example.com", strings.Repeat("a", 243) + "@example.com"} {
		if auction.ValidEmail(text) {
			t.Errorf("%q was taken", text)
		}
	}
}

func TestTheMistakesInARegistrationAreToldAtTheirFields(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(*auction.Registration)
		fields []string
	}{
		{"nothing wrong", func(*auction.Registration) {}, nil},
		{"blanks and capitals", func(r *auction.Registration) { r.Name, r.Email = " Ann ", " ANN@Example.COM\n" }, nil},
		{"no name", func(r *auction.Registration) { r.Name = " " }, []string{"name"}},
		{"a name in two lines", func(r *auction.Registration) { r.Name = "Ann\r\nBen" }, []string{"name"}},
		{"a long name", func(r *auction.Registration) { r.Name = strings.Repeat("n", 101) }, []string{"name"}},
		{"no address", func(r *auction.Registration) { r.Email = "ann" }, []string{"email"}},
		{"7 characters", func(r *auction.Registration) { r.Password = "ééééééé" }, []string{"password"}},
		{"8 characters", func(r *auction.Registration) { r.Password = "éééééééé" }, nil},
		{"200 characters", func(r *auction.Registration) { r.Password = strings.Repeat("é", 200) }, nil},
		{"201 characters", func(r *auction.Registration) { r.Password = strings.Repeat("p", 201) }, []string{"password"}},
		{"a password may have blanks around it", func(r *auction.Registration) { r.Password = "  six6  " }, nil},
		{"everything", func(r *auction.Registration) { *r = auction.Registration{} }, []string{"email", "name", "password"}},
	} {
		r := auction.Registration{Name: "Ann", Email: "ann@example.com", Password: "correct horse"}
		c.change(&r)
		if fields := fields(r.Tidy().Check()); !slices.Equal(fields, c.fields) {
			t.Errorf("%s: %v, want %v", c.name, fields, c.fields)
		}
	}
	if tidy := (auction.Registration{Name: " Ann ", Email: " ANN@Example.COM", Password: " p "}).Tidy(); tidy != (auction.Registration{Name: "Ann", Email: "ann@example.com", Password: " p "}) {
		t.Errorf("%+v", tidy)
	}
}
