package views_test

import (
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"rostrum/store/auction"
	"rostrum/views"
)

var (
	noon  = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	ada   = &auction.Person{ID: 7, Name: "Ada Marlow", Email: "ada@example.org", Alias: "B2"}
	other = &auction.Contact{ID: 3, Name: "Sigrid Halvorsen", Email: "sigrid@example.org"}
)

func page(person *auction.Person) views.Page {
	return views.Page{Title: "A page", Person: person, Path: "/auctions/42", Now: noon}
}

func state(change func(*auction.State)) auction.State {
	leader := int64(11)
	s := auction.State{
		AuctionID: 42, Version: 10, LeaderID: &leader, BidCount: 9, Status: auction.Open,
		StartTime: noon.Add(-time.Hour), EndTime: noon.Add(90 * time.Second), Now: noon,
	}
	if change != nil {
		change(&s)
	}
	return s
}

func live(change func(*auction.State)) views.Live {
	return views.Live{
		State: state(change), Price: "$1,380.00", Floor: "$1,400.00", FloorText: "1400.00",
		Steps: []views.Step{{Price: "$1,400.00", Amount: "1400.00"}, {Price: "$1,420.00", Amount: "1420.00"}},
		Chart: views.History{Line: "M0 104h300v-100H600", StartPrice: "$1,000.00", Rows: []views.HistoryRow{{Since: noon, Price: "$1,000.00"}}},
		Bids:  []views.BidLine{{Version: 10, BidderID: 11, Alias: "K7", Amount: "$1,380.00", At: noon}},
	}
}

func panel(kind views.PanelKind) views.Panel {
	return views.Panel{
		AuctionID: 42, Kind: kind, ReaderID: 7, Symbol: "$", Version: 10, Floor: "$1,400.00", FloorText: "1400.00",
		Amount: "1400.00", RequestID: "6f1c2f9e-0000-4000-8000-000000000001", Start: noon, Path: "/auctions/42",
		Title: "Steel wristwatch", Steps: live(nil).Steps, Confirm: true,
	}
}

func lot() views.Lot {
	return views.Lot{
		ID: 42, Title: "Steel wristwatch", Description: "Light wear.", SellerAlias: "S3", Increment: "$20.00",
		SoftClose: 2 * time.Minute, Live: live(nil), Panel: panel(views.PanelForm),
	}
}

func list() views.List {
	return views.List{Heading: "Open auctions", Stream: "/events?auction=42", Next: "/?cursor=x", Rows: []views.Row{
		{ID: 42, Title: "Steel wristwatch", SellerAlias: "S3", Standing: views.Outbid, Live: views.RowState{State: state(nil), Price: "$1,380.00"}},
	}}
}

func result(role views.Role, phase auction.Phase) views.Result {
	return views.Result{
		AuctionID: 42, Title: "Steel wristwatch", Phase: phase, Role: role, Price: "$1,380.00", WinnerAlias: "K7",
		LastBid: "$1,360.00", BidCount: 9, EndTime: noon, ClosedAt: noon, Other: other,
	}
}

// everything is each page once, with whatever text in every place for text.
func everything(text string) map[string]templ.Component {
	person := &auction.Person{ID: 7, Name: text, Email: text, Alias: text, Seller: true, Admin: true}
	p := views.Page{Title: text, Person: person, Path: "/" + text, Now: noon}
	aLot, aList := lot(), list()
	aLot.Title, aLot.Description, aLot.SellerAlias = text, text, text
	aLot.Live.Bids[0].Alias = text
	aLot.Panel.Notice, aLot.Panel.Mistake, aLot.Panel.Amount = text, text, text
	aList.Heading, aList.Rows[0].Title, aList.Rows[0].SellerAlias = text, text, text
	asking := aLot
	asking.Panel.Title, asking.Panel.Mistake = text, ""
	asking.Panel.Ask = &views.Ask{Price: text, Amount: text, RequestID: text, Leading: true, LeadsAt: text}
	won := result(views.Winner, auction.Sold)
	won.Title, won.WinnerAlias, won.Other = text, text, &auction.Contact{Name: text, Email: text}
	over := lot()
	over.Result = &won
	form := views.Fields{
		Values:   map[string]string{"title": text, "description": text, "startingPrice": text, "zone": text, "name": text, "email": text, "password": text},
		Mistakes: auction.Mistakes{"title": text, "description": text, "email": text, "zone": text}, Notice: text,
	}
	return map[string]templ.Component{
		"home":     views.Home(p, aList),
		"empty":    views.Home(p, views.List{Heading: text}),
		"lot":      views.LotPage(p, aLot),
		"asking":   views.LotPage(p, asking),
		"over":     views.LotPage(p, over),
		"log":      views.BidLog(p, 42, text, aLot.Live.Bids, "/auctions/42/bids?cursor=x"),
		"result":   views.ResultPage(p, won),
		"sell":     views.SellPage(p, views.SellForm{Fields: form, RequestID: text, Zone: text, Stands: form.Values, Times: views.Times{Start: views.Meant{Mistake: text}, End: views.Meant{Said: text}}}),
		"edit":     views.SellPage(p, views.SellForm{Fields: form, AuctionID: 42, Version: 2, Zone: text, Started: &noon, EndStands: &noon, Times: views.Times{End: views.Meant{Twice: []views.Turn{{Value: text, Text: text}}}}}),
		"withdraw": views.WithdrawPage(p, views.WithdrawForm{Fields: form, AuctionID: 42, Title: text}),
		"no sales": views.SellingOffPage(p),
		"own lots": views.OwnLotsPage(p, views.OwnLots{Tabs: []views.Tab{{Text: text, Path: "/lots"}}, State: views.OwnSold, MayList: true, Stream: "/events?auction=42",
			Rows: []views.OwnRow{{ID: 42, Title: text, WinnerAlias: text, Live: views.RowState{State: state(nil), Price: text}}}}),
		"no lots":  views.OwnLotsPage(p, views.OwnLots{State: views.OwnOpen}),
		"sign in":  views.SignInPage(p, form, text),
		"register": views.RegisterPage(p, form, text),
		"events":   views.EventsPage(p, []views.EventLine{{Topic: text, Payload: text, LastError: text}}, text, "/admin/events?cursor=2"),
		"problem":  views.ProblemPage(p, 404, text, text),

		"settings":          views.SettingsPage(p, settings(text)),
		"settings, refused": views.SettingsPage(p, refusedSettings(text)),
	}
}

// scripts are how many a page has of its own.
var scripts = map[string]int{"settings": 1, "settings, refused": 1, "sell": 1, "edit": 1}

func TestWhatPeopleWroteIsTextAndNeverMarkup(t *testing.T) {
	t.Parallel()
	hostile := `</title></textarea><script>alert(1)</script><img src=x onerror=alert(1)>" autofocus onfocus="x`
	for name, component := range everything(hostile) {
		root := draw(t, component)
		if n := len(root.all("script")); n != 3+scripts[name] {
			t.Errorf("%s: %d scripts, want the 3 of the layout and its own", name, n)
		}
		if root.has("img") || root.has("[onfocus]") || root.has("[autofocus]") && name != "asking" {
			t.Errorf("%s: text became markup", name)
		}
		if !strings.Contains(root.one(t, "title").text, "<script>alert(1)</script>") {
			t.Errorf("%s: the title is %q", name, root.one(t, "title").text)
		}
	}
}

func TestPagesAskForNothingThatAStrictPolicyForbids(t *testing.T) {
	t.Parallel()
	for name, component := range everything("plain") {
		draw(t, component).walk(func(e *element) {
			if e.tag == "style" || e.tag == "script" && e.text != "" {
				t.Errorf("%s: inline <%s>", name, e.tag)
			}
			for key, value := range e.attr {
				if key == "style" || strings.HasPrefix(key, "on") || strings.HasPrefix(key, "hx-on") || strings.Contains(value, "javascript:") ||
					key == "hx-trigger" && strings.Contains(value, "[") || strings.HasPrefix(value, "js:") {
					t.Errorf("%s: %s=%q", name, key, value)
				}
			}
		})
	}
}

func TestEveryPageHasOneHeadingAndAtMostOneStreamAndNoIDTwice(t *testing.T) {
	t.Parallel()
	for name, component := range everything("plain") {
		root := draw(t, component)
		root.one(t, "h1")
		if n := len(root.all("[hx-sse:connect]")); n > 1 {
			t.Errorf("%s: %d streams", name, n)
		}
		seen := map[string]bool{}
		root.walk(func(e *element) {
			if id, has := e.attr["id"]; has && seen[id] {
				t.Errorf("%s: id %q twice", name, id)
			} else {
				seen[id] = true
			}
		})
		for _, labelled := range root.all("[for]") {
			if !seen[labelled.attr["for"]] {
				t.Errorf("%s: a label for %q, which is not there", name, labelled.attr["for"])
			}
		}
		for _, described := range root.all("[aria-describedby]") {
			for _, id := range strings.Fields(described.attr["aria-describedby"]) {
				if !seen[id] {
					t.Errorf("%s: described by %q, which is not there", name, id)
				}
			}
		}
	}
}

func TestALotThatIsOverHasNoStreamAndNoForm(t *testing.T) {
	t.Parallel()
	over, won := lot(), result(views.Winner, auction.Sold)
	over.Result = &won
	root := draw(t, views.LotSection(over))
	if root.has("#panel") || len(root.all("#stream")) > 0 || root.has(".dock") {
		t.Error("something of a running lot is left")
	}
	root.one(t, "#lot #result")
}

func TestTheHeaderShowsWhatTheReaderMayDo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		person       *auction.Person
		want, absent []string
	}{
		{nil, []string{"[href=/login?next=%2Fauctions%2F42]", "[href=/register?next=%2Fauctions%2F42]"}, []string{"[action=/logout]", "[href=/lots]", "[href=/admin]"}},
		{ada, []string{"[action=/logout]"}, []string{"[href=/lots]", "[href=/admin]", "[href=/login]"}},
		{&auction.Person{Seller: true}, []string{"[href=/lots]"}, []string{"[href=/admin]"}},
		{&auction.Person{Admin: true}, []string{"[href=/admin]"}, []string{"[href=/lots]"}},
	} {
		bar := draw(t, views.ProblemPage(page(c.person), 404, "Not here", "Gone.")).one(t, "header")
		for _, selector := range c.want {
			if !bar.has(selector) {
				t.Errorf("%v: no %s", c.person, selector)
			}
		}
		for _, selector := range c.absent {
			if bar.has(selector) {
				t.Errorf("%v: %s is there", c.person, selector)
			}
		}
	}
}
