package views_test

import (
	"strings"
	"testing"

	"rostrum/store/auction"
	"rostrum/views"
)

func asking(leading bool) views.Panel {
	p := panel(views.PanelForm)
	p.Amount = " 1,500 "
	p.Ask = &views.Ask{Price: "$1,500.00", Amount: "1500.00", RequestID: p.RequestID, Leading: leading, LeadsAt: "$1,380.00"}
	return p
}

func TestTheQuestionNamesAmountAndLotAndAnswersToTheHouse(t *testing.T) {
	t.Parallel()
	for leading, want := range map[bool]string{
		false: "Bid $1,500.00 ? On Lot 42, Steel wristwatch . A bid is binding.",
		true:  "You are leading at $1,380.00 . Raise your own bid to $1,500.00 ? On Lot 42, Steel wristwatch . A bid is binding.",
	} {
		root := draw(t, views.BidPanel(asking(leading)))
		question := root.one(t, "dialog")
		if !strings.HasPrefix(question.text, want) {
			t.Errorf("says %q, want %q", question.text, want)
		}
		if _, open := question.attr["open"]; !open {
			t.Error("without a script the question is not seen")
		}
		answer := question.one(t, "#answer")
		if answer.attr["method"] != "post" || answer.attr["action"] != "/auctions/42/bids" || answer.attr["hx-post"] != "/auctions/42/bids" {
			t.Errorf("yes leads to %v", answer.attr)
		}
		if answer.one(t, "[name=amount]").attr["value"] != "1500.00" || answer.one(t, "[name=request_id]").attr["value"] != asking(leading).RequestID {
			t.Error("yes sends something else than what was asked")
		}
		if len(answer.all("[name=raise]")) > 0 != leading {
			t.Errorf("raising is said: %t, leading: %t", !leading, leading)
		}
		focus := question.one(t, "[autofocus]")
		if focus.attr["class"] == "go" == leading {
			t.Errorf("leading: %t, and the focus is on %v", leading, focus.attr)
		}
		if field := root.one(t, "#amount"); field.attr["value"] != " 1,500 " {
			t.Errorf("what was typed became %q", field.attr["value"])
		}
	}
}

func TestEnterInTheFieldPressesNoQuickStep(t *testing.T) {
	t.Parallel()
	form := draw(t, views.BidPanel(panel(views.PanelForm))).one(t, "#bid")
	for _, button := range form.all("button") {
		if button.attr["form"] != "steps" && button.attr["class"] != "go" {
			t.Errorf("a button of the field's own form: %v", button.attr)
		}
	}
	if n := len(form.all("[form=steps]")); n != 2 {
		t.Errorf("%d quick steps, want 2", n)
	}
}

func TestNoFormButTheQuestionsOwnRaisesTheLeadersBid(t *testing.T) {
	t.Parallel()
	for _, standing := range []views.Standing{views.None, views.Outbid, views.Leading} {
		p := panel(views.PanelForm)
		p.Standing, p.Confirm = standing, false
		form := draw(t, views.BidPanel(p)).one(t, "#bid")
		if form.has("[name=raise]") || form.attr["action"] != "/auctions/42/bids" {
			t.Errorf("%q: the form raises, or leads to %s", standing, form.attr["action"])
		}
	}
}

func TestTheRuleOfLateBidsStandsUntilOneMovedTheEnd(t *testing.T) {
	t.Parallel()
	l := live(func(s *auction.State) { s.SoftClose = 2 * 60e9 })
	if text := draw(t, views.LiveLot(l)).one(t, ".late").text; text != "A bid in the last 2 minutes moves the end." {
		t.Errorf("says %q", text)
	}
	l.ExtendedAt = &noon
	if text := draw(t, views.LiveLot(l)).one(t, ".late").text; text != "Extended by a bid at 12:00:00 UTC" {
		t.Errorf("says %q", text)
	}
}

func TestThePriceOverTimeIsALineInWordsToo(t *testing.T) {
	t.Parallel()
	root := draw(t, views.LotPage(page(ada), lot()))
	picture := root.one(t, "#chart svg")
	if picture.attr["role"] != "img" || picture.attr["aria-label"] != "The price rose from $1,000.00 to $1,380.00 in 9 bids." {
		t.Errorf("%v", picture.attr)
	}
	if root.one(t, "#chart path").attr["d"] != "M0 104h300v-100H600" {
		t.Error("no line")
	}
	if rows := root.all("details #chart-rows td"); len(rows) != 2 || rows[1].text != "$1,000.00" {
		t.Errorf("the table has %d cells", len(rows))
	}
	none := live(func(s *auction.State) { s.BidCount, s.LeaderID = 0, nil })
	if told := draw(t, views.Chart(none)).one(t, "svg").attr["aria-label"]; told != "The price is $1,000.00; nobody has bid yet." {
		t.Errorf("says %q", told)
	}
}
