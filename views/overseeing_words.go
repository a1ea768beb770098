package views

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"rostrum/store/auction"
)

// adminTabs are the parts of the house's back room.
func adminTabs(page Page) []Tab {
	tabs := []Tab{
		{Text: "Open", Path: "/admin/open"}, {Text: "Closed", Path: "/admin/closed"}, {Text: "People", Path: "/admin/people"},
		{Text: "Audit", Path: "/admin/audit"}, {Text: "Events", Path: "/admin/events"},
	}
	for i := range tabs {
		tabs[i].Current = page.at(tabs[i].Path)
	}
	return tabs
}

func outcomeTabs(f Filter) []Tab {
	var tabs []Tab
	for _, tab := range []Tab{{Text: "All"}, {Text: "Sold", Path: "sold"}, {Text: "Not sold", Path: "unsold"}, {Text: "Withdrawn", Path: "withdrawn"}} {
		tab.Current = f.Values["outcome"] == tab.Path
		tab.Path = f.path("/admin/closed", "outcome", tab.Path)
		tabs = append(tabs, tab)
	}
	return tabs
}

func kindTabs(f Filter) []Tab {
	var tabs []Tab
	for _, tab := range []Tab{{Text: "Everybody"}, {Text: "Sellers", Path: "sellers"}, {Text: "Admins", Path: "admins"}, {Text: "Suspended", Path: "suspended"}} {
		tab.Current = f.Values["kind"] == tab.Path
		tab.Path = f.path("/admin/people", "kind", tab.Path)
		tabs = append(tabs, tab)
	}
	return tabs
}

// oversight is the address of a lot as admins see it.
func oversight(auctionID int64) string { return "/admin/auctions/" + number(auctionID) }

func personPath(id int64) string { return "/admin/people/" + number(id) }

// phrase is what an action is called, before and behind whom it was done to.
func phrase(a auction.Action) (before, behind string) {
	switch a {
	case auction.ActionSuspend:
		return "suspended", ""
	case auction.ActionRestore:
		return "restored", ""
	case auction.ActionAllowSelling:
		return "let", "sell"
	case auction.ActionEndSelling:
		return "ended the selling of", ""
	case auction.ActionMakeAdmin:
		return "made", "an admin"
	case auction.ActionEndAdmin:
		return "ended the admin role of", ""
	case auction.ActionAdd:
		return "made the account of", ""
	case auction.ActionRename:
		return "renamed", ""
	case auction.ActionSetPassword:
		return "set the password of", ""
	case auction.ActionAddToken:
		return "made an API token for", ""
	case auction.ActionWithdraw:
		return "withdrew", ""
	default:
		return string(a), ""
	}
}

func before(a auction.Action) string { text, _ := phrase(a); return text }
func behind(a auction.Action) string { _, text := phrase(a); return text }

// particulars tells the detail of a deed in words: "bid count 2, price 12.00".
func particulars(detail []byte) string {
	var known map[string]any
	decoder := json.NewDecoder(bytes.NewReader(detail))
	decoder.UseNumber()
	if decoder.Decode(&known) != nil {
		return string(detail)
	}
	var told []string
	for _, key := range slices.Sorted(maps.Keys(known)) {
		if known[key] != nil {
			told = append(told, words(key)+" "+fmt.Sprint(plainly(known[key])))
		}
	}
	return strings.Join(told, ", ")
}

// words parts a name as JSON has them: "bidCount" is "bid count".
func words(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func plainly(value any) any {
	switch value {
	case true:
		return "yes"
	case false:
		return "no"
	default:
		return value
	}
}

// roles are what a person may do besides bidding, in words.
func (p PersonLine) roles() string {
	var roles []string
	if p.Seller {
		roles = append(roles, "seller")
	}
	if p.Admin {
		roles = append(roles, "admin")
	}
	return strings.Join(roles, ", ")
}

// stands is one word for where a lot stands.
func stands(phase auction.Phase) string {
	switch phase {
	case auction.Scheduled:
		return "Scheduled"
	case auction.Running:
		return "Open"
	case auction.Confirming:
		return "Ended, being confirmed"
	default:
		return outcome(phase)
	}
}

// may says what a person may do, in words.
func may(p auction.Person) string {
	switch {
	case p.Seller && p.Admin:
		return "sell, and look after the house"
	case p.Seller:
		return "sell"
	case p.Admin:
		return "look after the house"
	default:
		return "bid"
	}
}

// fares says how somebody who bid on a lot stands there.
func fares(phase auction.Phase, leads bool) string {
	switch {
	case phase == auction.CalledOff:
		return ""
	case phase == auction.Sold && leads:
		return "won"
	case phase == auction.Sold:
		return "lost"
	case leads:
		return "lead"
	default:
		return "were outbid"
	}
}
