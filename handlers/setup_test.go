package handlers_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"

	"net/netip"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/argon2"

	"rostrum/handlers"
	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/store/storetest"
	"rostrum/web"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

const password = "correct horse battery"

// site is a house with its doors open.
type site struct {
	*storetest.House
	t   *testing.T
	hub *web.Hub[auction.State]
	url string
}

func open(t *testing.T, change ...func(*handlers.Options)) *site {
	t.Helper()
	s := &site{House: storetest.Open(t), t: t, hub: web.NewHub[auction.State](150 * time.Millisecond)}
	s.Feed.Watch(func(state auction.State) { s.hub.Publish(state.AuctionID, state.Version, state) }, s.hub.Watched)
	o := handlers.Options{
		Store: s.Store, Hub: s.hub, Log: slog.New(slog.DiscardHandler), Metrics: http.NotFoundHandler(),
		Currency: s.Currency, BidRate: 1000,
	}
	for _, c := range change {
		c(&o)
	}
	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} // so that a test can come from elsewhere
	s.url = s.serve(web.ClientAddress(loopback)(handlers.New(o)))
	return s
}

// serve serves as the house does, until the test ends.
func (s *site) serve(h http.Handler) (url string) {
	s.t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stopped := make(chan error, 1)
	go func() { stopped <- web.Serve(ctx, listener, h, slog.New(slog.DiscardHandler), s.hub.Close) }()
	s.t.Cleanup(func() {
		stop()
		if err := <-stopped; err != nil {
			s.t.Errorf("the server ended with %v", err)
		}
	})
	return "http://" + listener.Addr().String()
}

// answer is a response that was read.
type answer struct {
	*http.Response
	text string
}

// member is a value of a JSON object at a dotted path, nil where there is none.
func (a answer) member(t *testing.T, path string) any {
	t.Helper()
	var value any
	decoder := json.NewDecoder(strings.NewReader(a.text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("no JSON: %d %.300s", a.StatusCode, a.text)
	}
	for key := range strings.SplitSeq(path, ".") {
		object, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = object[key]
	}
	return value
}

// visitor is somebody at a browser that follows no redirect by itself.
type visitor struct {
	*site
	client *http.Client
}

func (s *site) visitor() *visitor {
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return &visitor{s, &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// signedIn is a visitor who signed in as that person.
func (s *site) signedIn(p auction.Person) *visitor {
	s.t.Helper()
	v := s.visitor()
	s.password(p)
	if a := v.form("/login", url.Values{"email": {p.Email}, "password": {password}}); a.StatusCode != http.StatusSeeOther {
		s.t.Fatalf("signing in: %d %.300s", a.StatusCode, a.text)
	}
	return v
}

func (v *visitor) get(path string, headers ...string) answer {
	v.t.Helper()
	return v.do(http.MethodGet, path, "", append([]string{"Accept", "text/html"}, headers...)...)
}

func (v *visitor) form(path string, values url.Values, headers ...string) answer {
	v.t.Helper()
	return v.do(http.MethodPost, path, values.Encode(),
		append([]string{"Accept", "text/html", "Content-Type", "application/x-www-form-urlencoded"}, headers...)...)
}

func (v *visitor) do(method, path, body string, headers ...string) answer {
	v.t.Helper()
	request, err := http.NewRequestWithContext(v.t.Context(), method, v.url+path, strings.NewReader(body))
	if err != nil {
		v.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := v.client.Do(request)
	if err != nil {
		v.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return answer{response, string(text)}
}

// call is a JSON request by API token; token "" is nobody's.
func (s *site) call(method, path, token string, body any, headers ...string) answer {
	s.t.Helper()
	text, isText := body.(string)
	if !isText && body != nil {
		var b bytes.Buffer
		if err := json.NewEncoder(&b).Encode(body); err != nil {
			s.t.Fatal(err)
		}
		text = b.String()
	}
	fixed := []string{"Accept", "application/json", "Content-Type", "application/json"}
	if token != "" {
		fixed = append(fixed, "Authorization", "Bearer "+token)
	}
	return s.visitor().do(method, path, text, append(fixed, headers...)...)
}

// bid sends a bid with a fresh id, by token.
func (s *site) bid(token string, a auction.Auction, amount string) answer {
	s.t.Helper()
	return s.call("POST", path(a)+"/bids", token, map[string]any{"amount": amount}, "Idempotency-Key", auction.NewRequestID().String())
}

func (s *site) token(p auction.Person) string {
	s.t.Helper()
	tokens, err := s.AddTokens(s.t.Context(), p.ID)
	if err != nil {
		s.t.Fatal(err)
	}
	return tokens[0]
}

// set changes an account.
func (s *site) set(p auction.Person, c store.Change) {
	s.t.Helper()
	if _, err := s.SetPerson(s.t.Context(), p.Email, c); err != nil {
		s.t.Fatal(err)
	}
}

// password gives a person the password of these tests.
// It is hashed with as little work as argon2 can do: what these tests are about
// is who is signed in, and under the race detector an honest hash takes long.
func (s *site) password(p auction.Person) {
	s.t.Helper()
	salt, text := make([]byte, 16), base64.RawStdEncoding.EncodeToString
	hash := argon2.IDKey([]byte(password), salt, 1, 8, 1, 32)
	s.Exec(`UPDATE account SET password_hash = $2, password_changes = password_changes + 1 WHERE id = $1`, p.ID,
		fmt.Sprintf("$argon2id$v=%d$m=8,t=1,p=1$%s$%s", argon2.Version, text(salt), text(hash)))
}

func path(a auction.Auction) string { return "/auctions/" + strconv.FormatInt(a.ID, 10) }

// text is what a reader sees of HTML: tags out, blanks folded.
func text(html string) string {
	html = regexp.MustCompile(`(?s)<(script|style).*?</(script|style)>`).ReplaceAllString(html, "")
	return strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(html, " ")), " ")
}

// shows fails unless the visible text holds each of these.
func (a answer) shows(t *testing.T, parts ...string) {
	t.Helper()
	seen := text(a.text)
	for _, part := range parts {
		if !strings.Contains(seen, part) {
			t.Errorf("%q is not shown (%d): %.600s", part, a.StatusCode, seen)
		}
	}
}

// hides fails if the page holds any of these anywhere.
func (a answer) hides(t *testing.T, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(a.text, part) {
			t.Errorf("%q must not be told", part)
		}
	}
}

// value is what stands in a field of a form.
func (a answer) value(field string) string {
	tag := regexp.MustCompile(`<input[^>]*\sname="` + field + `"[^>]*>`).FindString(a.text)
	match := regexp.MustCompile(`\svalue="([^"]*)"`).FindStringSubmatch(tag)
	if match == nil {
		return ""
	}
	return match[1]
}
