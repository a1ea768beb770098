// Package views draws pages, fragments and live frames with templ. Components
// take finished values: amounts come as text, instants as times, and what a
// reader may do has been decided. No component knows a store, a request or a
// clock. It may import `store/auction` for the nouns and `static` for the
// addresses of assets.
//
// One component draws a thing everywhere: LiveLot is the price and time of a
// lot's page and of its live frames, LastBids its last bids, RowLive the price
// and time of a list's line.
package views

import (
	"time"

	"rostrum/store/auction"
)

// Page is what frames every page.
type Page struct {
	Title  string
	Person *auction.Person // nil: nobody is signed in
	Path   string          // this page's address; signing in comes back to it
	Now    time.Time       // the database's clock
}

// Standing is what a lot means to the reader.
type Standing string

// The standings of a reader. None is also that of a seller on their own lot.
const (
	None    Standing = ""
	Leading Standing = "leading"
	Outbid  Standing = "outbid"
	Won     Standing = "won" // of a lot that is closed, as Lost
	Lost    Standing = "lost"
)

// Live is what changes on a lot's page while it is watched; the same for
// every reader.
type Live struct {
	State     auction.State
	Price     string // "$1,380.00"
	Floor     string // "$1,400.00"; "" where nobody can bid more
	FloorText string // "1400.00", as it stands in an untouched field; "" where Floor is
	Bids      []BidLine
	Steps     []Step
	// ExtendedAt is when the bid came that moved the end to where it is, nil
	// where none did.
	ExtendedAt *time.Time
	Watching   string // how many people have the lot on their watch list, "" for none
	Chart      History
}

// BidLine is a bid in a log, newest first.
type BidLine struct {
	Version  int64
	BidderID int64
	Alias    string
	Amount   string
	At       time.Time
}

// Lot is a lot's page while it is scheduled, running or being confirmed.
type Lot struct {
	ID          int64
	Title       string
	Description string
	SellerAlias string
	Increment   string
	SoftClose   time.Duration
	Star        Star
	Live        Live
	Panel       Panel
	Result      *Result // once it is over
}

// PanelKind says what the bid panel offers.
type PanelKind string

// The kinds of bid panel.
const (
	PanelForm       PanelKind = "form"
	PanelSignIn     PanelKind = "sign-in"   // nobody is signed in, or not any more
	PanelOwn        PanelKind = "own"       // the reader's own lot
	PanelSuspended  PanelKind = "suspended" // the reader may not bid for now
	PanelScheduled  PanelKind = "scheduled"
	PanelTop        PanelKind = "top"        // the price is as high as it can go
	PanelConfirming PanelKind = "confirming" // ended, being confirmed
	PanelOver       PanelKind = "over"
)

// Panel is where a reader bids, and where they are told what came of it.
type Panel struct {
	AuctionID  int64
	Kind       PanelKind
	ReaderID   int64    // 0: nobody is signed in
	Standing   Standing // by what is known now; the page's script keeps it current
	LastBid    string   // the reader's own highest bid, "" where there is none
	Symbol     string   // "$"
	Version    int64    // of the state that this panel was drawn from
	Floor      string   // "$1,400.00"; "" where nobody can bid more
	FloorText  string   // "1400.00"; "" where Floor is
	Amount     string   // what stands in the field: FloorText, or what was refused
	RequestID  string   // fresh for each rendering
	Notice     string   // what came of the last request, one or two sentences
	Refused    bool     // Notice tells of a refusal
	Mistake    string   // what is wrong with the amount, told at the field
	Changeable bool     // the reader's own, and nobody has bid
	Start      time.Time
	Path       string // the lot's page, to come back to after signing in
	Title      string // the lot's
	Steps      []Step
	Confirm    bool // the reader wants to see a bid once more before it is placed
	Ask        *Ask // the bid that is shown once more, nil where none is
}

// Row is one lot in a list.
type Row struct {
	ID          int64
	Title       string
	SellerAlias string
	Standing    Standing
	LastBid     string // the reader's own highest bid, "" where it is not told
	Star        *Star  // nil: the line has none
	Live        RowState
}

// RowState is what changes on a list's line while it is watched; the same for
// every reader.
type RowState struct {
	State auction.State
	Price string
}

// Role is what a reader was to a lot that is over.
type Role string

// The roles of a reader of a result.
const (
	Stranger Role = "stranger"
	Winner   Role = "winner"
	Loser    Role = "loser"
	Seller   Role = "seller"
)

// Result is how a lot ended, told to one reader.
type Result struct {
	AuctionID   int64
	Title       string
	Phase       auction.Phase // Sold, Unsold or CalledOff
	Role        Role
	Price       string
	WinnerAlias string
	LastBid     string // the reader's own highest bid, "" where there is none
	Reason      string // why the lot was withdrawn, for its seller and those who bid
	BidCount    int64
	EndTime     time.Time
	ClosedAt    time.Time
	Other       *auction.Contact // for Winner the seller, for Seller the winner
}

// Fields are the texts and mistakes of a form: what was typed is kept.
type Fields struct {
	Values   map[string]string
	Mistakes auction.Mistakes
	Notice   string // about the form as a whole
}

// EventLine is an outbox event as admins see it.
type EventLine struct {
	ID          int64
	Topic       string
	AggregateID int64
	Payload     string
	CreatedAt   time.Time
	PublishedAt *time.Time
	Attempts    int
	LastError   string
}
