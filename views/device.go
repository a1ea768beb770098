package views

import "strings"

// What browsers and systems write into User-Agent, the telling before what
// others write too: Edge says Chrome as well, and Chrome says Safari.
var (
	browsers = [][2]string{
		{"Edg", "Edge"}, {"OPR/", "Opera"}, {"Vivaldi", "Vivaldi"}, {"SamsungBrowser", "Samsung Internet"}, {"DuckDuckGo", "DuckDuckGo"},
		{"Firefox", "Firefox"}, {"FxiOS", "Firefox"}, {"CriOS", "Chrome"}, {"HeadlessChrome", "Chrome"}, {"Chromium", "Chromium"}, {"Chrome", "Chrome"}, {"Safari", "Safari"}, {"curl", "curl"},
	}
	systems = [][2]string{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"CrOS", "ChromeOS"},
		{"Macintosh", "macOS"}, {"FreeBSD", "FreeBSD"}, {"OpenBSD", "OpenBSD"}, {"Linux", "Linux"},
	}
)

// Device tells a browser and its system in words: "Firefox on Windows".
func Device(agent string) string {
	browser, system := named(browsers, agent), named(systems, agent)
	switch {
	case browser == "" && system == "":
		return "An unknown browser"
	case browser == "":
		return "A browser on " + system
	case system == "":
		return browser
	default:
		return browser + " on " + system
	}
}

func named(names [][2]string, agent string) string {
	for _, name := range names {
		if strings.Contains(agent, name[0]) {
			return name[1]
		}
	}
	return ""
}
