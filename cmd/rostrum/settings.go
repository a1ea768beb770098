package main

import (
	"errors"
	"fmt"
	"math"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"rostrum/store/auction"
	"rostrum/web"
)

// settings are what the environment says, read once and checked.
type settings struct {
	Addr           string
	DatabaseURL    string // "": the embedded PostgreSQL
	ReadURL        string // "": no replica
	DataDir        string
	SoftClose      time.Duration
	Currency       auction.Currency
	BidRate        int
	LaneConns      int
	LaneQueue      int
	URL            string // "" where the public address was not told
	Secure         bool   // URL is https
	TrustedProxies []netip.Prefix
}

// setting is one variable of the environment. An empty one is unset.
type setting struct {
	name, fallback, meaning string
	read                    func(s *settings, text string) error
}

func allSettings() []setting {
	return []setting{
		{"ROSTRUM_ADDR", ":8080", "the address to listen at", func(s *settings, text string) error {
			s.Addr = text
			return nil
		}},
		{"DATABASE_URL", "", "a PostgreSQL to use, 15 or later; unset: a private one of its own", func(s *settings, text string) error {
			s.DatabaseURL = text
			return nil
		}},
		{"ROSTRUM_READ_DATABASE_URL", "", "a hot standby of it, for lists that may be 3 s old", func(s *settings, text string) error {
			s.ReadURL = text
			return nil
		}},
		{"ROSTRUM_DATA_DIR", dataDir(), "where the private PostgreSQL keeps its data", func(s *settings, text string) error {
			if text == "" {
				return errors.New("must be a folder: there is no home folder to choose one in")
			}
			s.DataDir = text
			return nil
		}},
		{"ROSTRUM_SOFT_CLOSE", "2m", "a bid in this time before the end moves the end to this time after it", readSoftClose},
		{"ROSTRUM_CURRENCY", "USD", "the house's currency, for good from the first start on", func(s *settings, text string) (err error) {
			s.Currency, err = auction.NewCurrency(text)
			return err
		}},
		{"ROSTRUM_BID_RATE", "5", "how many bids a second one person may send", func(s *settings, text string) (err error) {
			s.BidRate, err = readWhole(text, 1, math.MaxInt32)
			return err
		}},
		{"ROSTRUM_LANE_CONNS", "8", "how many lots are judged at once, each on a connection of its own", func(s *settings, text string) (err error) {
			s.LaneConns, err = readWhole(text, 1, 200)
			return err
		}},
		{"ROSTRUM_LANE_QUEUE", "10000", "how many bids may wait to be judged, half of them on one lot; more are told to come again", func(s *settings, text string) (err error) {
			s.LaneQueue, err = readWhole(text, 1, 1_000_000)
			return err
		}},
		{"ROSTRUM_URL", "", "the public address, such as https://auctions.example.com", readURL},
		{"ROSTRUM_TRUSTED_PROXIES", "", "networks of proxies whose X-Forwarded-For is believed, such as 10.0.0.0/8,::1", readProxies},
	}
}

// readSettings reads the environment. The error names the variable.
func readSettings(getenv func(string) string) (settings, error) {
	var s settings
	for _, v := range allSettings() {
		text := getenv(v.name)
		if text == "" {
			text = v.fallback
		}
		if err := v.read(&s, text); err != nil {
			return settings{}, fmt.Errorf("%s: %w", v.name, err)
		}
	}
	return s, nil
}

// settingsHelp lists the settings for `serve --help`.
func settingsHelp() string {
	var b strings.Builder
	b.WriteString("Settings come from the environment; an empty one is unset:\n\n") // what is indented below is printed as it is
	for _, v := range allSettings() {
		fmt.Fprintf(&b, "  %-25s %s\n", v.name, v.meaning)
		if v.fallback != "" {
			fmt.Fprintf(&b, "  %-25s unset: %s\n", "", v.fallback)
		}
	}
	return b.String()
}

// dataDir is the user's own folder for data, by the XDG Base Directory
// Specification where the system has no other.
func dataDir() string {
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "rostrum")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".local", "share", "rostrum")
}

func readSoftClose(s *settings, text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > 24*time.Hour {
		return fmt.Errorf("%q is not a time between 0s and 24h, such as 2m", text)
	}
	s.SoftClose = d
	return nil
}

func readWhole(text string, least, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("%q is not a whole number from %d to %d", text, least, most)
	}
	return n, nil
}

func readURL(s *settings, text string) error {
	if text == "" {
		return nil
	}
	origin, err := web.Origin(text)
	u, _ := url.Parse(text)
	if err != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return fmt.Errorf("%q is not an address such as https://auctions.example.com", text)
	}
	s.URL, s.Secure = origin, u.Scheme == "https"
	return nil
}

func readProxies(s *settings, text string) error {
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		prefix, err := netip.ParsePrefix(part)
		if err != nil {
			address, err := netip.ParseAddr(part)
			if err != nil {
				return fmt.Errorf("%q is neither an address nor a network", part)
			}
			prefix = netip.PrefixFrom(address, address.BitLen())
		}
		s.TrustedProxies = append(s.TrustedProxies, prefix)
	}
	return nil
}
