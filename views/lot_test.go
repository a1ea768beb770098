package views_test

import (
	"strings"
	"testing"
	"time"

	"rostrum/store/auction"
	"rostrum/views"
)

func TestThePanelOffersWhatItsKindAllows(t *testing.T) {
	t.Parallel()
	for kind, want := range map[views.PanelKind]struct {
		form bool
		says string
	}{
		views.PanelForm:       {true, "Your bid, at least $1,400.00"},
		views.PanelSignIn:     {false, "Sign in to bid."},
		views.PanelOwn:        {false, "your own lot"},
		views.PanelSuspended:  {false, "may not bid for now"},
		views.PanelScheduled:  {false, "It starts on Mon 30 Nov 2026, 12:00:00 UTC"},
		views.PanelTop:        {false, "The price is as high as it can go here. Nobody can bid more."},
		views.PanelConfirming: {false, "Ended, being confirmed."},
		views.PanelOver:       {false, "This lot is over."},
	} {
		root := draw(t, views.BidPanel(panel(kind))).one(t, "#panel")
		if root.has("[name=amount]") != want.form {
			t.Errorf("%s: bid field there: %v", kind, !want.form)
		}
		if !strings.Contains(root.text, want.says) {
			t.Errorf("%s: says %q, want %q in it", kind, root.text, want.says)
		}
	}
	signIn := draw(t, views.BidPanel(panel(views.PanelSignIn)))
	if !signIn.has("[href=/login?next=%2Fauctions%2F42]") {
		t.Error("signing in does not come back to the lot")
	}
}

func TestTheBidFormWorksWithAndWithoutScripts(t *testing.T) {
	t.Parallel()
	form := draw(t, views.BidPanel(panel(views.PanelForm))).one(t, "#bid")
	for attribute, want := range map[string]string{
		"method": "post", "action": "/auctions/42/bids/confirmation",
		"hx-post": "/auctions/42/bids/confirmation", "hx-target": "#panel", "hx-swap": "outerHTML", "hx-disable": "find button",
	} {
		if form.attr[attribute] != want {
			t.Errorf("%s=%q, want %q", attribute, form.attr[attribute], want)
		}
	}
	if id := form.one(t, "[name=request_id]").attr["value"]; id != "6f1c2f9e-0000-4000-8000-000000000001" {
		t.Errorf("request id %q", id)
	}
	field := form.one(t, "#amount")
	if field.attr["value"] != "1400.00" || field.attr["inputmode"] != "decimal" || field.attr["autocomplete"] != "off" {
		t.Errorf("field %v", field.attr)
	}
	if _, invalid := field.attr["aria-invalid"]; invalid {
		t.Error("an untouched field is marked as wrong")
	}
}

func TestARefusedBidKeepsItsInputAndTellsTheMistakeAtTheField(t *testing.T) {
	t.Parallel()
	refused := panel(views.PanelForm)
	refused.Amount, refused.Mistake, refused.Standing = "1390", "Too low.", views.Leading
	root := draw(t, views.BidPanel(refused))
	field := root.one(t, "#amount")
	if field.attr["value"] != "1390" || field.attr["aria-invalid"] != "true" {
		t.Errorf("field %v", field.attr)
	}
	if !strings.Contains(field.attr["aria-describedby"], "amount-mistake") || root.one(t, "#amount-mistake").text != "Too low." {
		t.Error("the mistake is not told at its field")
	}
}

func TestTheStandingIsOneSentence(t *testing.T) {
	t.Parallel()
	for standing, want := range map[views.Standing]string{
		views.None: "", views.Leading: "You are leading.", views.Outbid: "You have been outbid. Your last bid was $1,360.00 .",
	} {
		p := panel(views.PanelForm)
		p.Standing, p.LastBid = standing, "$1,360.00"
		root := draw(t, views.BidPanel(p))
		var shown []string
		for _, sentence := range root.one(t, ".standing").all("[data-when]") {
			if _, hidden := sentence.attr["hidden"]; !hidden {
				shown = append(shown, sentence.text)
			}
		}
		if strings.Join(shown, "|") != want {
			t.Errorf("%q shows %q", standing, shown)
		}
		if root.one(t, ".standing").attr["role"] != "status" {
			t.Error("a change is not read out")
		}
	}
}

func TestAFrameNamesPartsThatThePageHas(t *testing.T) {
	t.Parallel()
	lotPage, home := draw(t, views.LotPage(page(ada), lot())), draw(t, views.Home(page(ada), list()))
	frame := draw(t, views.LotFrame(live(nil)))
	row := draw(t, views.RowFrame(views.RowState{State: state(nil), Price: "$1,380.00"}))
	for where, parts := range map[*element][]*element{lotPage: frame.all("hx-partial"), home: row.all("hx-partial")} {
		if len(parts) == 0 {
			t.Error("a frame without parts")
		}
		for _, part := range parts {
			target := part.attr["hx-target"]
			if len(where.all(target)) != 1 || len(part.all(target)) != 1 {
				t.Errorf("%s is not once in the page and once in its part", target)
			}
			if part.one(t, target).attr["data-version"] != "10" {
				t.Errorf("%s does not tell its version", target)
			}
		}
	}
	want := map[string]string{"data-leader": "11", "data-version": "10", "data-floor": "$1,400.00", "data-amount": "1400.00", "data-now": "2026-11-30T12:00:00Z"}
	for attribute, value := range want {
		if got := frame.one(t, "#live").attr[attribute]; got != value {
			t.Errorf("%s=%q, want %q", attribute, got, value)
		}
	}
}

func TestTimeIsToldByTheStatesOwnClock(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		left time.Duration
		want string
		soon bool
	}{
		{9*24*time.Hour + time.Hour, "9 days", false},
		{28 * time.Hour, "1 day 4 h", false},
		{3*time.Hour + 5*time.Minute, "3 h 05 min", false},
		{12*time.Minute + 9*time.Second, "12:09", false},
		{time.Minute, "1:00", true},
		{time.Second + time.Millisecond, "0:02", true},
		{time.Millisecond, "0:01", true},
	} {
		l := live(func(s *auction.State) { s.EndTime = s.Now.Add(c.left) })
		timer := draw(t, views.LiveLot(l)).one(t, "[role=timer]")
		if timer.text != c.want || strings.Contains(timer.attr["class"], "soon") != c.soon {
			t.Errorf("%v: %q, class %q", c.left, timer.text, timer.attr["class"])
		}
		if timer.attr["aria-live"] != "off" {
			t.Error("the countdown is read out")
		}
	}
}

func TestBetweenEndAndClosingNobodyHasWon(t *testing.T) {
	t.Parallel()
	l := lot()
	l.Live = live(func(s *auction.State) { s.EndTime = s.Now })
	l.Panel.Kind = views.PanelConfirming
	root := draw(t, views.LotSection(l))
	if text := root.text; !strings.Contains(text, "Ended, being confirmed.") || strings.Contains(text, "won") || strings.Contains(text, "Sold") {
		t.Errorf("says %q", text)
	}
}

func TestMidnightSaysWhichDayBegins(t *testing.T) {
	t.Parallel()
	l := live(func(s *auction.State) { s.EndTime = time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC) })
	if text := draw(t, views.LiveLot(l)).one(t, "time").text; text != "Tue 1 Dec 2026, 00:00:00 UTC, as Tuesday begins" {
		t.Errorf("says %q", text)
	}
}

func TestTheWholeLogIsOneStepAwayWhenSomeBidsAreLeftOut(t *testing.T) {
	t.Parallel()
	if !draw(t, views.LastBids(live(nil))).has("[href=/auctions/42/bids]") {
		t.Error("no way to all 9 bids")
	}
	few := live(func(s *auction.State) { s.BidCount = 1 })
	if draw(t, views.LastBids(few)).has("[href=/auctions/42/bids]") {
		t.Error("a link to what is all there")
	}
}
