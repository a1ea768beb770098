package views_test

import (
	"testing"

	"github.com/a-h/templ"

	"rostrum/store/auction"
	"rostrum/views"
)

func TestARefusedFormKeepsWhatWasTypedAndTellsMistakesAtTheirFields(t *testing.T) {
	t.Parallel()
	sell := map[string]string{"lasts": "7 days", "title": "Desk", "startingPrice": "1,00", "minIncrement": "0", "startTime": "2026-12-01T10:00", "endTime": "2026-12-01T09:00"}
	account := map[string]string{"name": "Ada", "email": "ada"}
	for name, c := range map[string]struct {
		values map[string]string
		form   func(views.Fields) templ.Component
	}{
		"sell": {sell, func(f views.Fields) templ.Component {
			return views.SellPage(page(ada), views.SellForm{Fields: f, Zone: "UTC", RequestID: "id"})
		}},
		"register": {account, func(f views.Fields) templ.Component { return views.RegisterPage(page(nil), f, "") }},
		"sign in":  {map[string]string{"email": "ada"}, func(f views.Fields) templ.Component { return views.SignInPage(page(nil), f, "") }},
	} {
		mistakes := auction.Mistakes{}
		for field := range c.values {
			mistakes[field] = "Wrong: " + field
		}
		root := draw(t, c.form(views.Fields{Values: c.values, Mistakes: mistakes}))
		for field, typed := range c.values {
			input := root.one(t, "main [name="+field+"]")
			if input.attr["value"] != typed || input.attr["aria-invalid"] != "true" {
				t.Errorf("%s: %s is %v", name, field, input.attr)
			}
			if root.one(t, "#"+field+"-mistake").text != "Wrong: "+field {
				t.Errorf("%s: no mistake at %s", name, field)
			}
		}
	}
}

func TestAPasswordIsNeverWrittenBack(t *testing.T) {
	t.Parallel()
	form := views.Fields{Values: map[string]string{"password": "secret"}}
	for _, component := range []templ.Component{views.SignInPage(page(nil), form, ""), views.RegisterPage(page(nil), form, "")} {
		if value, has := draw(t, component).one(t, "[name=password]").attr["value"]; has {
			t.Errorf("value=%q", value)
		}
	}
}

func TestTheZoneIsTheBrowsersUntilOneWasSent(t *testing.T) {
	t.Parallel()
	fresh := draw(t, views.SellPage(page(ada), views.SellForm{Zone: "UTC", RequestID: "id"})).one(t, "[name=zone]")
	if _, open := fresh.attr["data-zone-field"]; !open || fresh.attr["value"] != "UTC" {
		t.Errorf("fresh form: %v", fresh.attr)
	}
	sent := draw(t, views.SellPage(page(ada), views.SellForm{Zone: "Europe/Berlin", ZoneFixed: true, RequestID: "id"})).one(t, "[name=zone]")
	if _, open := sent.attr["data-zone-field"]; open || sent.attr["value"] != "Europe/Berlin" {
		t.Errorf("form sent before: %v", sent.attr)
	}
}
