package main

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rostrum/store"
)

func TestTheDemoFillsAHouseThatIsOpen(t *testing.T) {
	t.Parallel()
	h := open(t, 2*time.Minute)
	if n := h.logs("the house is empty"); n != 1 {
		t.Errorf("an empty house offers the demo %d times", n)
	}
	said := h.run("", "demo", "--url="+h.url)
	openBooks(t, h.dir).furnished()
	h.stop()
	h.start()
	if n := h.logs("the house is empty"); n != 1 {
		t.Errorf("a house with lots offers the demo %d times", n-1)
	}
	roles := ""
	if strings.Contains(said, "Open it with") {
		t.Errorf("the demo does not see that the house is open: %s", said)
	}
	for _, key := range keysIn(said) {
		roles += key[0] + " "
		if status := signIn(t, h.url, key[1], key[2]); status != http.StatusSeeOther {
			t.Errorf("the %s cannot sign in with what was printed: %d", key[0], status)
		}
		if status := signIn(t, h.url, key[1], key[2]+"x"); status != http.StatusUnauthorized {
			t.Errorf("the %s signs in with another password: %d", key[0], status)
		}
	}
	if roles != "buyer buyer seller admin " {
		t.Errorf("there are keys for %s", roles)
	}
}

// logs counts the lines of the house's log that hold this.
func (h *house) logs(part string) int {
	n := 0
	eventually(h.t, "the house has logged that it is open", func() bool { // and the offer comes before that
		h.mu.Lock()
		defer h.mu.Unlock()
		text := strings.Join(h.log, "\n")
		n = strings.Count(text, part)
		return strings.Contains(text, "the house is open")
	})
	return n
}

// keysIn are the lines of a role, an address and a password.
func keysIn(said string) [][]string {
	var keys [][]string
	for line := range strings.Lines(said) {
		if fields := strings.Fields(line); len(fields) == 3 && strings.Contains(fields[1], "@") {
			keys = append(keys, fields)
		}
	}
	return keys
}

func signIn(t *testing.T, at, email, password string) int {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.PostForm(at+"/login", url.Values{"email": {email}, "password": {password}})
	must(t, err)
	response.Body.Close()
	return response.StatusCode
}

func TestTheDemoFillsAHouseThatTradesInYenOnce(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	books := openBooks(t, dir)
	demo := func() (string, string, int) {
		var out, complaint bytes.Buffer
		code := run([]string{"demo"}, environment("ROSTRUM_DATA_DIR", dir, "ROSTRUM_CURRENCY", "JPY", "ROSTRUM_URL", "http://127.0.0.1:1", "ROSTRUM_ADDR", "127.0.0.1:2"),
			strings.NewReader(""), &out, &complaint)
		return out.String(), complaint.String(), code
	}
	out, complaint, code := demo()
	if code != 0 || !strings.Contains(out, "http://127.0.0.1:1/login") || !strings.Contains(out, "ROSTRUM_CURRENCY=JPY") {
		t.Fatalf("exit %d, %s%s", code, out, complaint)
	}
	books.furnished()
	if n := books.count(`SELECT count(*) FROM auction WHERE starting_price BETWEEN 1 AND 1000 OR min_increment < 100`); n != 0 {
		t.Errorf("%d lots cost no more yen than they would dollars", n)
	}
	books.restored(dir).furnished()
	lots, people := books.count(`SELECT count(*) FROM auction`), books.count(`SELECT count(*) FROM account`)
	out, complaint, code = demo()
	if code != 1 || out != "" || strings.Count(complaint, "\n") != 1 || !strings.Contains(complaint, "has lots already") {
		t.Errorf("a second time: exit %d, %s%s", code, out, complaint)
	}
	if lots != books.count(`SELECT count(*) FROM auction`) || people != books.count(`SELECT count(*) FROM account`) {
		t.Error("a refused demo has left something behind")
	}
}

func TestTheDemoTakesNobodysAccount(t *testing.T) {
	t.Parallel()
	s := shell{t, t.TempDir()}
	s.succeeds("", "user", "add", "--email", demoAdmin, "--name", "Somebody")
	s.fails(demoAdmin+" has an account already", "", "demo")
	books := openBooks(t, filepath.Join(s.dir, "data"))
	if n := books.count(`SELECT count(*) FROM account WHERE admin OR email = $1 AND password_hash IS NOT NULL`, demoAdmin); n != 0 {
		t.Error("an account that was there became the demo's")
	}
}

func TestTheHintNamesTheHouse(t *testing.T) {
	t.Parallel()
	for want, pairs := range map[string][]string{
		" demo":                                    {"DATABASE_URL", "postgres://me:secret@db/house"},
		"ROSTRUM_DATA_DIR=data ":                   {"ROSTRUM_DATA_DIR", "data"},
		"ROSTRUM_DATA_DIR='it'\\''s here' ":        {"ROSTRUM_DATA_DIR", "it's here"},
		"ROSTRUM_ADDR=:9000 ROSTRUM_CURRENCY=JPY ": {"ROSTRUM_CURRENCY", "JPY", "ROSTRUM_ADDR", ":9000"},
	} {
		s, err := readSettings(environment(pairs...))
		must(t, err)
		if hint := s.hint("demo"); !strings.Contains(hint, want) || strings.Contains(hint, "secret") || !strings.HasSuffix(hint, " demo") {
			t.Errorf("%v: %q, want %q in it", pairs, hint, want)
		}
	}
}

// openStoreAt opens a house's store as another process would.
func openStoreAt(t *testing.T, url string) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), store.Options{URL: url})
	must(t, err)
	t.Cleanup(s.Close)
	return s
}
