package views

import (
	"strings"
	"time"

	"rostrum/store/auction"
)

// The sections of a person's settings, by their ids on the page.
const (
	SettingName        = "your-name"
	SettingAlias       = "your-alias"
	SettingEmail       = "your-email"
	SettingPassword    = "your-password"
	SettingPreferences = "preferences"
	SettingSelling     = "selling"
	SettingTokens      = "tokens"
	SettingSignIns     = "sign-ins"
)

// Settings is the page of what a person may change about themselves.
type Settings struct {
	Person   auction.Person
	Told     string // the section whose change was carried out, "" for none
	Refused  string // the section whose form was refused, "" for none
	Form     Fields // of the refused one
	NewToken string // an API token that was made just now, shown this once
	Tokens   []auction.Token
	SignIns  []SignInLine
}

// SignInLine is a browser in which a person is signed in.
type SignInLine struct {
	ID        int64
	Device    string // "Firefox on Windows"
	Address   string
	CreatedAt time.Time
	SeenAt    time.Time
	This      bool // the one that asks
}

// done says in words what was carried out in a section.
var done = map[string]string{
	SettingName:        "Your name is changed.",
	SettingAlias:       "Your alias is changed.",
	SettingEmail:       "Your address is changed. Sign in with it from now on.",
	SettingPassword:    "Your password is changed. Everywhere else you are signed out.",
	SettingPreferences: "Your preferences are kept.",
	SettingSelling:     "Selling is switched.",
	SettingTokens:      "The token is revoked.",
	SettingSignIns:     "You are signed out there.",
}

func (s Settings) told(section string) string {
	if s.Told != section || s.Refused != "" {
		return ""
	}
	if section == SettingSelling {
		if s.Person.Seller {
			return "Selling is on. You may put lots up."
		}
		return "Selling is off."
	}
	return done[section]
}

// form is what stands in the form of a section: what was typed where it was
// refused, else what the person has.
func (s Settings) form(section string) Fields {
	if s.Refused == section {
		return s.Form
	}
	return Fields{Values: map[string]string{
		"name": s.Person.Name, "alias": s.Person.Alias, "email": s.Person.Email, "zone": s.Person.Zone, "confirm": yesNo(s.Person.ConfirmBids),
	}}
}

// ZoneGroup is a part of the world with its zones.
type ZoneGroup struct {
	Name  string // "" for the zones of no part
	Zones []auction.Zone
}

// zoneGroups are all zones by the part of the world in front of their names.
func zoneGroups() []ZoneGroup {
	var groups []ZoneGroup
	for _, zone := range auction.Zones() {
		part, _, found := strings.Cut(zone.Name, "/")
		if !found {
			part = ""
		}
		if len(groups) == 0 || groups[len(groups)-1].Name != part {
			groups = append(groups, ZoneGroup{Name: part})
		}
		last := &groups[len(groups)-1]
		last.Zones = append(last.Zones, zone)
	}
	return groups
}

// place is a zone in words: "Buenos Aires, Argentina".
func place(zone string) string {
	parts := strings.Split(strings.ReplaceAll(zone, "_", " "), "/")
	if len(parts) > 1 {
		parts = parts[1:]
	}
	if len(parts) == 2 {
		return parts[1] + ", " + parts[0]
	}
	return parts[0]
}

func olderNames(zone auction.Zone) string { return strings.Join(zone.Older, " ") }

// tokenName is what a token is called; those of before there were names have none.
func tokenName(token auction.Token) string {
	if token.Name == "" {
		return "A token without a name"
	}
	return token.Name
}
