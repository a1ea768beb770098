package views

import (
	"slices"
	"time"
)

// SellForm is the form with which a seller lists a lot, or edits one.
type SellForm struct {
	Fields
	AuctionID int64      // of the lot that is edited; 0: a new one is listed
	Version   int64      // of the lot that is edited, as the form was drawn
	RequestID string     // of a new lot
	Zone      string     // in which its times are meant
	ZoneFixed bool       // Zone is what was chosen or sent; else the page's script puts the browser's in
	Started   *time.Time // bidding has: the start stays
	// The present start and end: where the browser's zone counts, the page's
	// script writes them in it.
	StartStands, EndStands *time.Time
	Stands                 map[string]string // what the lot says now where that differs from what was typed
	Times                  Times
}

// Times is what a form's start and end mean.
type Times struct {
	Start, End Meant
}

// Meant is what a time that was typed means.
type Meant struct {
	Said    string // in words, "" where nothing can be said
	Twice   []Turn // the two instants that it may be: one of them is to be chosen
	Mistake string // told here while the form was not sent yet
}

// Turn is one of the two instants of a time that comes twice.
type Turn struct {
	Value, Text string
	Chosen      bool
}

// The values of a Turn.
const (
	FirstTurn  = "first"
	SecondTurn = "second"
)

// InWords tells an instant in its own zone: "Tue 1 Dec 2026, 00:00 CET, as
// Tuesday begins".
func InWords(t time.Time) string {
	return t.Format("Mon 2 Jan 2006, 15:04") + seconds(t) + " " + abbreviation(t) + midnight(t)
}

func seconds(t time.Time) string {
	if t.Second() == 0 {
		return ""
	}
	return t.Format(":05")
}

// abbreviation is the short name of an instant's zone. Where it has none the
// zone database has the offset in its place, without a word.
func abbreviation(t time.Time) string {
	name := t.Format("MST")
	if name[0] == '+' || name[0] == '-' {
		return "UTC" + t.Format("-07:00")
	}
	return name
}

// listing says that a new lot is listed.
func (f SellForm) listing() bool { return f.AuctionID == 0 }

func (f SellForm) action() string {
	if f.listing() {
		return "/auctions"
	}
	return lotPath(f.AuctionID, "/edit")
}

// timesPath is where it is told what the form's times mean.
func (f SellForm) timesPath() string {
	if f.listing() {
		return "/sell/times"
	}
	return "/sell/times?lot=" + number(f.AuctionID)
}

// timesTrigger is when that is asked. In a form that was sent it stands already,
// and what is wrong stands at the fields.
func (f SellForm) timesTrigger() string {
	const written = "input delay:300ms from:#when, change from:#when"
	if f.ZoneFixed {
		return written
	}
	return "load, " + written
}

// OwnLots is a page of one's own lots.
type OwnLots struct {
	Tabs    []Tab
	State   OwnState
	Rows    []OwnRow
	Stream  string
	Next    string
	MayList bool // the seller may put another lot up
}

// OwnState is a part of one's own lots.
type OwnState string

// The parts of one's own lots, in the order of their tabs.
const (
	OwnOpen      OwnState = "open"
	OwnScheduled OwnState = "scheduled"
	OwnSold      OwnState = "sold"
	OwnUnsold    OwnState = "unsold"
	OwnWithdrawn OwnState = "withdrawn"
)

// OwnStates are all of them.
func OwnStates() []OwnState {
	return []OwnState{OwnOpen, OwnScheduled, OwnSold, OwnUnsold, OwnWithdrawn}
}

// OwnRow is one of one's own lots in a list.
type OwnRow struct {
	ID          int64
	Title       string
	WinnerAlias string // who bought it, "" where nobody did
	Live        RowState
}

// none is what is said where a part of one's own lots is empty.
func (s OwnState) none() string {
	return map[OwnState]string{
		OwnOpen:      "None of your lots is open.",
		OwnScheduled: "None of your lots waits for its start.",
		OwnSold:      "You have not sold a lot yet.",
		OwnUnsold:    "None of your lots was left unsold.",
		OwnWithdrawn: "You have not withdrawn a lot.",
	}[s]
}

// Known says whether there is such a part.
func (s OwnState) Known() bool { return slices.Contains(OwnStates(), s) }

// WithdrawForm is the form with which a seller withdraws a lot.
type WithdrawForm struct {
	Fields
	AuctionID int64
	Title     string
}
