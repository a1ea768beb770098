package views_test

import (
	"testing"

	"rostrum/store/auction"
	"rostrum/views"
)

// settings is a person's settings with everything in them, and a token made
// just now.
func settings(text string) views.Settings {
	return views.Settings{
		Person:   auction.Person{ID: 7, Name: text, Email: text, Alias: text, Zone: text, Seller: true},
		Told:     views.SettingTokens,
		NewToken: text,
		Tokens:   []auction.Token{{ID: 1, Name: text, CreatedAt: noon, LastUsedAt: &noon}, {ID: 2, CreatedAt: noon}},
		SignIns: []views.SignInLine{
			{ID: 1, Device: text, Address: text, CreatedAt: noon, SeenAt: noon, This: true},
			{ID: 2, Device: text, Address: text, CreatedAt: noon, SeenAt: noon},
		},
	}
}

// refusedSettings are the settings of who may do least, with a form refused.
func refusedSettings(text string) views.Settings {
	s := settings(text)
	s.Person.Seller, s.Person.Suspended, s.NewToken = false, true, ""
	s.Refused = views.SettingEmail
	s.Form = views.Fields{Values: map[string]string{"email": text, "email_password": text}, Mistakes: auction.Mistakes{"email": text, "email_password": text}, Notice: text}
	return s
}

func TestTheZonesAreOfferedByPartOfTheWorldAndTheChosenOneIsMarked(t *testing.T) {
	t.Parallel()
	s := settings("x")
	s.Person.Zone = "America/Argentina/Buenos_Aires"
	root := draw(t, views.SettingsPage(page(ada), s))
	options := root.all("option")
	if len(options) != len(auction.Zones())+1 || options[0].attr["value"] != "" || options[0].text != "As my browser" {
		t.Errorf("%d options, the first %q", len(options), options[0].text)
	}
	chosen := 0
	for _, option := range options {
		if _, is := option.attr["selected"]; is {
			chosen++
			if option.attr["value"] != s.Person.Zone || option.text != "Buenos Aires, Argentina" || option.attr["data-older"] != "America/Buenos_Aires" {
				t.Errorf("%+v", option)
			}
		}
	}
	if chosen != 1 {
		t.Errorf("%d zones are chosen", chosen)
	}
	seen := map[string]bool{}
	for _, group := range root.all("optgroup") {
		if seen[group.attr["label"]] {
			t.Errorf("%s is there twice", group.attr["label"])
		}
		seen[group.attr["label"]] = true
	}
	for _, want := range []string{"Africa", "America", "Asia", "Europe", "Pacific"} {
		if !seen[want] {
			t.Errorf("no %s", want)
		}
	}
}

func TestAPasswordIsNeverWrittenIntoAForm(t *testing.T) {
	t.Parallel()
	fields := 0
	draw(t, views.SettingsPage(page(ada), refusedSettings("typed"))).walk(func(e *element) {
		if e.attr["type"] == "password" {
			fields++
			if value, has := e.attr["value"]; has {
				t.Errorf("%s holds %q", e.attr["name"], value)
			}
		}
	})
	if fields != 3 {
		t.Errorf("%d fields for passwords", fields)
	}
}

func TestADeviceIsToldInWords(t *testing.T) {
	t.Parallel()
	const webkit = " AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
	for agent, want := range map[string]string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:141.0) Gecko/20100101 Firefox/141.0":                                                           "Firefox on Windows",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64)" + webkit:                                                                                         "Chrome on Windows",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64)" + webkit + " Edg/140.0.0.0":                                                                      "Edge on Windows",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64)" + webkit + " OPR/120.0.0.0":                                                                      "Opera on Windows",
		"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0)" + webkit:                                                                                          "Chrome on ChromeOS",
		"Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0":                                                                     "Firefox on Linux",
		"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36":                            "Chrome on Android",
		"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36":        "Samsung Internet on Android",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15":                      "Safari on macOS",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0.0.0 Mobile/15E148 Safari/604.1": "Chrome on iPhone",
		"Mozilla/5.0 (iPad; CPU OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/141.0 Mobile/15E148 Safari/605.1.15":           "Firefox on iPad",
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36":                              "Chrome on Linux",
		"curl/8.14.1":        "curl",
		"Lynx/2.9 (FreeBSD)": "A browser on FreeBSD",
		"":                   "An unknown browser",
		"<script>":           "An unknown browser",
	} {
		if got := views.Device(agent); got != want {
			t.Errorf("%q is %q, want %q", agent, got, want)
		}
	}
}
