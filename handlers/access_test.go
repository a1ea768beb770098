package handlers_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
)

var renew = flag.Bool("renew", false, "write the table of who may do what anew: look at what changed in it")

const accessTable = "testdata/access.md"

// routePatterns are those that stand in routes.go, so that none is forgotten.
func routePatterns(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "routes.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var patterns []string
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			text, _ := strconv.Unquote(literal.Value)
			if method, path, ok := strings.Cut(text, " "); ok && method == strings.ToUpper(method) && strings.HasPrefix(path, "/") {
				patterns = append(patterns, text)
			}
		}
		return true
	})
	if len(patterns) < 20 {
		t.Fatal("the routes were not found in routes.go")
	}
	slices.Sort(patterns)
	return patterns
}

// roles are who may come to an address.
var roles = []string{"anonymous", "another", "owner", "seller", "admin"}

// cast is one of each at a browser: the owner is whose lot, token or sign-in it is.
type cast struct {
	*site
	owner  auction.Person
	people map[string]auction.Person
	by     map[string]*visitor
}

func newCast(t *testing.T) *cast {
	t.Helper()
	s := open(t)
	c := &cast{site: s, owner: s.Person(true), by: map[string]*visitor{"anonymous": s.visitor()}}
	admin, yes := s.Person(false), true
	s.set(admin, store.Change{Admin: &yes})
	c.people = map[string]auction.Person{"another": s.Person(false), "owner": c.owner, "seller": s.Person(true), "admin": admin}
	for role, p := range c.people {
		c.by[role] = s.signedIn(p)
	}
	return c
}

// address fills a pattern's places with things that were made for this one
// request, so that no request changes what another finds.
func (c *cast) address(pattern string) (method, path string) {
	c.t.Helper()
	method, path, _ = strings.Cut(pattern, " ")
	path = strings.NewReplacer("{$}", "", "{setting}", "name").Replace(path)
	if !strings.Contains(path, "{id}") {
		return method, path
	}
	return method, strings.Replace(path, "{id}", strconv.FormatInt(c.fresh(path), 10), 1)
}

// fresh is the id of something new that the address is about.
func (c *cast) fresh(path string) int64 {
	c.t.Helper()
	switch {
	case strings.HasPrefix(path, "/admin/people/"):
		return c.Person(false).ID
	case strings.HasPrefix(path, "/settings/tokens/"):
		c.token(c.owner)
		return c.newest("api_token")
	case strings.HasPrefix(path, "/settings/sign-ins/"):
		c.Exec(`INSERT INTO sign_in (account_id, password_changes, agent, address, expires_at) VALUES ($1, 1, 'Firefox', '192.0.2.1', now() + interval '1 day')`, c.owner.ID)
		return c.newest("sign_in")
	default:
		return c.Lot(c.owner, time.Hour).ID
	}
}

func (c *cast) newest(table string) (id int64) {
	c.t.Helper()
	if err := c.SQL.QueryRow(c.t.Context(), `SELECT max(id) FROM `+table).Scan(&id); err != nil {
		c.t.Fatal(err)
	}
	return id
}

// ask sends a request and returns the status; it reads no stream.
func (c *cast) ask(method, path, role string, form url.Values, headers ...string) int {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), method, c.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		c.t.Fatal(err)
	}
	request.Header.Set("Accept", "text/html")
	if method != http.MethodGet {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := c.by[role].client.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	response.Body.Close()
	if path == "/logout" && response.StatusCode == http.StatusSeeOther && role != "anonymous" {
		c.by[role] = c.signedIn(c.people[role])
	}
	return response.StatusCode
}

// sound is a form that an address takes where there is nothing against it.
func (c *cast) sound(pattern string) url.Values {
	id := auction.NewRequestID().String()
	switch pattern {
	case "POST /auctions":
		return url.Values{"request_id": {id}, "title": {"A lot"}, "startingPrice": {"10"}, "minIncrement": {"1"}, "zone": {"UTC"},
			"ends": {"at"}, "endTime": {c.Now().Add(48 * time.Hour).UTC().Format("2006-01-02T15:04")}}
	case "POST /auctions/{id}/edit":
		return url.Values{"version": {"1"}, "title": {"A better lot"}, "startingPrice": {"10"}, "minIncrement": {"1"}, "lasts": {"3"}}
	case "POST /auctions/{id}/bids", "POST /auctions/{id}/bids/confirmation":
		return url.Values{"request_id": {id}, "amount": {"1010"}}
	case "POST /auctions/{id}/watch":
		return url.Values{"watching": {"true"}}
	case "POST /settings/selling":
		return url.Values{"selling": {"false"}}
	case "POST /login", "POST /register":
		return url.Values{"email": {"nobody@example.com"}, "password": {"x"}}
	}
	if strings.HasPrefix(pattern, "POST /admin/") || strings.HasSuffix(pattern, "/withdrawal") {
		return url.Values{"reason": {"A reason."}, "allowed": {"true"}, "version": {"1"}}
	}
	return url.Values{}
}

func TestTheTableOfWhoMayDoWhatHolds(t *testing.T) {
	t.Parallel()
	c := newCast(t)
	var table strings.Builder
	table.WriteString("Every address by who asks, with the status of the answer: made by `go test ./handlers -run TheTable -renew`.\n\n")
	fmt.Fprintf(&table, "| address | %s |\n|---|%s\n", strings.Join(roles, " | "), strings.Repeat("--:|", len(roles)))
	for _, pattern := range routePatterns(t) {
		fmt.Fprintf(&table, "| `%s` |", pattern)
		for _, role := range roles {
			method, path := c.address(pattern)
			fmt.Fprintf(&table, " %d |", c.ask(method, path, role, c.sound(pattern)))
		}
		table.WriteString("\n")
	}
	if *renew {
		if err := os.WriteFile(accessTable, []byte(table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(accessTable)
	if err != nil {
		t.Fatal(err)
	}
	expected := strings.Split(string(want), "\n")
	for i, line := range strings.Split(table.String(), "\n") {
		if i >= len(expected) || line != expected[i] {
			t.Errorf("this line is not as %s has it:\n%s\n%s", accessTable, line, slices.Concat(expected, make([]string, i+1))[i])
		}
	}
}

func TestNoAddressIsWrittenToFromAnotherSite(t *testing.T) {
	t.Parallel()
	c := newCast(t)
	before := c.everything(t)
	for _, pattern := range routePatterns(t) {
		method, path, _ := strings.Cut(pattern, " ")
		if method == http.MethodGet {
			continue
		}
		path = strings.Replace(path, "{id}", "1", 1)
		for _, headers := range [][]string{
			{"Origin", "https://elsewhere.example"}, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"},
			{"Sec-Fetch-Site", "cross-site", "Origin", "https://elsewhere.example", "Hx-Request", "true"},
		} {
			if status := c.ask(method, path, "admin", c.sound(pattern), headers...); status != http.StatusForbidden {
				t.Errorf("%s with %v: %d, not 403", pattern, headers, status)
			}
		}
	}
	c.unchanged(t, before)
}

func TestReadingChangesNothing(t *testing.T) {
	t.Parallel()
	c := newCast(t)
	lot := c.Lot(c.owner, time.Hour)
	var paths []string
	for _, pattern := range routePatterns(t) {
		if method, path, _ := strings.Cut(pattern, " "); method == http.MethodGet {
			id := lot.ID
			if strings.HasPrefix(path, "/admin/people/") {
				id = c.owner.ID
			}
			paths = append(paths, strings.NewReplacer("{$}", "", "{setting}", "name", "{id}", strconv.FormatInt(id, 10)).Replace(path))
		}
	}
	before := c.everything(t)
	for _, path := range paths {
		for _, role := range roles {
			c.ask(http.MethodGet, path, role, nil)
			c.ask(http.MethodHead, path, role, nil)
		}
	}
	c.unchanged(t, before)
}

// everything is a digest of each table and the place of each sequence.
func (c *cast) everything(t *testing.T) map[string]string {
	t.Helper()
	rows, err := c.SQL.Query(t.Context(), `
		SELECT table_name, 'SELECT coalesce(md5(string_agg(x::text, '','' ORDER BY x::text)), '''') FROM ' || quote_ident(table_name) || ' x'
		FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
		UNION ALL SELECT sequencename, 'SELECT last_value || '' '' || is_called FROM ' || quote_ident(sequencename)
		FROM pg_sequences WHERE schemaname = 'public'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	digests, queries := map[string]string{}, map[string]string{}
	for rows.Next() {
		var name, query string
		if err := rows.Scan(&name, &query); err != nil {
			t.Fatal(err)
		}
		queries[name] = query
	}
	for name, query := range queries {
		var digest string
		if err := c.SQL.QueryRow(t.Context(), query).Scan(&digest); err != nil {
			t.Fatal(name, err)
		}
		digests[name] = digest
	}
	return digests
}

func (c *cast) unchanged(t *testing.T, before map[string]string) {
	t.Helper()
	for name, digest := range c.everything(t) {
		if before[name] != digest {
			t.Errorf("%s was changed", name)
		}
	}
}
