package views

import (
	"net/url"
	"time"

	"rostrum/store/auction"
)

// Who is a person as admins see them.
type Who struct {
	ID                 int64
	Name, Alias, Email string
}

// OverseenRow is an open lot as admins see it in a list.
type OverseenRow struct {
	ID     int64
	Title  string
	Seller Who
	Leader *Who
	Recent string // "12 bids lately", "" where nobody counted
	Live   RowState
}

// OpenLots is the list of open lots that admins watch.
type OpenLots struct {
	Hottest bool
	Rows    []OverseenRow
	Stream  string // the address of the page's one stream, "" where nothing is live
	Next    string
}

// Filter is what a list is narrowed to, as it was typed.
type Filter struct {
	Values   map[string]string
	Mistakes auction.Mistakes
}

// path is an address with the filter in it, and one value of it changed.
func (f Filter) path(base, name, value string) string {
	query := url.Values{}
	for key, kept := range f.Values {
		if kept != "" && key != name {
			query.Set(key, kept)
		}
	}
	if value != "" {
		query.Set(name, value)
	}
	if len(query) == 0 {
		return base
	}
	return base + "?" + query.Encode()
}

// OverLine is a lot that is over as admins see it in a table.
type OverLine struct {
	ID                 int64
	Title              string
	Phase              auction.Phase
	Price              string // "" where it was not sold
	Winner             *Who
	Seller             Who
	Start, End, Closed time.Time
	Bids               int64
}

// OverLots is the table of lots that are over.
type OverLots struct {
	Filter Filter
	Lines  []OverLine
	Next   string
}

// LoggedBid is a bid in a lot's log as admins see it.
type LoggedBid struct {
	Version   int64
	Bidder    Who
	Amount    string
	RequestID string
	At        time.Time
}

// OverseenLot is all that the house knows of a lot.
type OverseenLot struct {
	Auction          auction.Auction
	Start, Increment string
	Price            string
	Seller           Who
	Leader           *Who
	Bids             []LoggedBid
	MoreBids         string // the address of the earlier ones
	Events           []EventLine
	Deeds            []DeedLine
	Form             Fields // of the withdrawal
	MayBeWithdrawn   bool
}

// PersonLine is somebody in a list of people.
type PersonLine struct {
	Who
	Seller, Admin bool
	Suspended     bool
	Since         time.Time
}

// PeopleList is a list of people.
type PeopleList struct {
	Filter Filter
	Lines  []PersonLine
	Next   string
}

// PersonLot is a lot on a person's page: one of theirs, or one they bid on.
type PersonLot struct {
	ID      int64
	Title   string
	Phase   auction.Phase
	Price   string
	Highest string // their own highest bid
	Leads   bool   // or won
	End     time.Time
}

// OverseenPerson is all that admins see of a person.
type OverseenPerson struct {
	Person      auction.Person
	SuspendedAt *time.Time
	Since       time.Time
	Own         bool // it is the reader's own account
	Lots        []PersonLot
	MoreLots    string
	BidOn       []PersonLot
	MoreBidOn   string
	Deeds       []DeedLine
	Acts        []ActForm
	Notice      string // what kept an act from being done
}

// ActForm is an act that an admin can do on a person.
type ActForm struct {
	ID      string // the last part of its address
	Allowed string // what the field of that name says, "" where there is none
	Title   string // "Suspend…"
	Told    string // what it means
	Button  string
	Main    bool // the page's one accent
	Reason  string
	Mistake string
}

// DeedLine is a line of the audit log.
type DeedLine struct {
	ID      int64
	Actor   *Who // nil: the command line
	Action  auction.Action
	Account *Who
	LotID   int64
	Lot     string
	Reason  string
	Detail  []byte // JSON
	At      time.Time
}

// AuditLog is the audit log, or a part of it.
type AuditLog struct {
	Filter Filter
	Lines  []DeedLine
	Next   string
}
