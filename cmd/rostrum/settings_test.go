package main

import (
	"bytes"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
)

func environment(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestSettingsHaveTheirDefaults(t *testing.T) {
	t.Parallel()
	s, err := readSettings(environment("ROSTRUM_DATA_DIR", "data", "DATABASE_URL", "", "ROSTRUM_SOFT_CLOSE", ""))
	if err != nil {
		t.Fatal(err)
	}
	if s.Addr != ":8080" || s.DatabaseURL != "" || s.SoftClose != 2*time.Minute || s.Currency.Code != "USD" || s.BidRate != 5 || s.Secure || s.URL != "" {
		t.Errorf("%+v", s)
	}
}

func TestSettingsAreRead(t *testing.T) {
	t.Parallel()
	s, err := readSettings(environment("ROSTRUM_DATA_DIR", "data", "ROSTRUM_URL", "https://auctions.example.com/", "ROSTRUM_CURRENCY", "JPY",
		"ROSTRUM_TRUSTED_PROXIES", "10.0.0.0/8, ::1", "ROSTRUM_READ_DATABASE_URL", "postgres://standby/rostrum"))
	if err != nil {
		t.Fatal(err)
	}
	want := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	if s.URL != "https://auctions.example.com" || !s.Secure || s.Currency.Digits != 0 || s.ReadURL != "postgres://standby/rostrum" || !slices.Equal(s.TrustedProxies, want) {
		t.Errorf("%+v", s)
	}
}

func TestABadSettingStopsTheStartWithOneLineThatNamesIt(t *testing.T) {
	t.Parallel()
	for name, values := range map[string][]string{
		"ROSTRUM_SOFT_CLOSE":      {"2", "-1s", "soon", "25h"},
		"ROSTRUM_CURRENCY":        {"usd", "XXXX", "KWD"},
		"ROSTRUM_BID_RATE":        {"0", "-1", "1.5", "many"},
		"ROSTRUM_LANE_CONNS":      {"0", "201", "eight"},
		"ROSTRUM_LANE_QUEUE":      {"0", "1000001", "-5"},
		"ROSTRUM_URL":             {"auctions.example.com", "ftp://example.com", "https://", "https://example.com/shop", "https://example.com?x", "https://:443", "https://a:b@example.com", "https://example.com#x"},
		"ROSTRUM_TRUSTED_PROXIES": {"10.0.0.0/40", "proxy"},
	} {
		for _, value := range values {
			var out, complaint bytes.Buffer
			code := run([]string{"serve"}, environment("ROSTRUM_DATA_DIR", t.TempDir(), name, value), strings.NewReader(""), &out, &complaint)
			line := strings.TrimSpace(complaint.String())
			if code != 1 || !strings.Contains(line, name) || strings.Contains(line, "\n") {
				t.Errorf("%s=%q: exit %d, %q", name, value, code, line)
			}
		}
	}
}

func TestMisuseIsToldInOneLine(t *testing.T) {
	t.Parallel()
	for _, args := range []string{
		"nonsense", "serve now", "user", "user add", "user add --email x@example.com", "user add --email nobody --name N",
		"user set --email", "user import", "token add", "db", "serve --fast",
	} {
		var out, complaint bytes.Buffer
		code := run(strings.Fields(args), environment("ROSTRUM_DATA_DIR", t.TempDir()), strings.NewReader(""), &out, &complaint)
		line := strings.TrimSpace(complaint.String())
		if code != 2 || line == "" || strings.Contains(line, "\n") || out.Len() > 0 {
			t.Errorf("%s: exit %d, %q %q", args, code, line, out.String())
		}
	}
}

func TestHelpIsThereAtEveryLevel(t *testing.T) {
	t.Parallel()
	for args, part := range map[string]string{
		"--help": "Commands:", "serve --help": "ROSTRUM_SOFT_CLOSE", "migrate --help": "schema", "user --help": "suspend",
		"user add --help": "--password-stdin", "user set --help": "--seller", "user import --help": "--tokens", "token add --help": "--email",
		"db --help": "url", "db url --help": "libpq",
	} {
		var out, complaint bytes.Buffer
		code := run(strings.Fields(args), environment(), strings.NewReader(""), &out, &complaint)
		if code != 0 || !strings.Contains(out.String(), part) {
			t.Errorf("%s: exit %d, %q %q", args, code, out.String(), complaint.String())
		}
	}
}

func TestADatabaseOutOfReachIsToldInOneLineWithoutItsPassword(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"serve", "migrate", "user add --email x@example.com --name X"} {
		var out, complaint bytes.Buffer
		code := run(strings.Fields(command), environment("ROSTRUM_DATA_DIR", t.TempDir(), "ROSTRUM_ADDR", "127.0.0.1:0",
			"DATABASE_URL", "postgresql://u:opensesame@127.0.0.1:1/x"), strings.NewReader(""), &out, &complaint)
		line := strings.TrimSpace(complaint.String())
		if code != 1 || !strings.Contains(line, "connect to the database") || strings.Contains(line, "\n") || strings.Contains(line, "opensesame") {
			t.Errorf("%s: exit %d, %q", command, code, line)
		}
	}
}
