package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// rostrum is the house's binary, built once.
var rostrum = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "rostrum-bench-test-")
	if err != nil {
		return "", err
	}
	folders = append(folders, folder)
	bin := filepath.Join(folder, "rostrum")
	said, err := exec.Command("go", "build", "-o", bin, "rostrum/cmd/rostrum").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, said)
	}
	return bin, err
})

var folders []string

func TestMain(m *testing.M) {
	os.Unsetenv("DATABASE_URL") // its people and lots would stay there
	code := m.Run()
	for _, folder := range folders {
		os.RemoveAll(folder)
	}
	os.Exit(code)
}

func bin(t *testing.T) string {
	t.Helper()
	path, err := rostrum()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// told is a report in JSON.
type told struct {
	Figures []struct {
		Name  string
		Value float64
	}
	LatencyMs []struct {
		Kind               string
		N                  int
		P50, P90, P99, Max float64
	}
	Usage []struct {
		Name  string
		Value float64
	}
	Notes, Doubts []string
	Audit         struct{ Checked, Wrong []string }
}

func (r told) figure(t *testing.T, name string) float64 {
	t.Helper()
	for _, f := range append(r.Figures, r.Usage...) {
		if f.Name == name {
			return f.Value
		}
	}
	t.Errorf("there is no figure %q in %v", name, r.Figures)
	return 0
}

func (r told) n(kind string) int {
	for _, l := range r.LatencyMs {
		if l.Kind == kind {
			return l.N
		}
	}
	return 0
}

// bench runs a command and returns its exit code and what it wrote.
func bench(env map[string]string, args ...string) (code int, stdout, stderr string) {
	var out, errs strings.Builder
	code = run(args, func(name string) string { return env[name] }, &out, &errs)
	return code, out.String(), errs.String()
}

// measure runs a command that must succeed on a house that it starts.
func measure(t *testing.T, args ...string) told {
	t.Helper()
	code, stdout, stderr := bench(nil, append(args, "--bin", bin(t), "--json")...)
	if code != 0 {
		t.Fatalf("bench %v: exit %d: %s\n%s", args, code, stderr, stdout)
	}
	var r told
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	if len(r.Audit.Wrong) > 0 || len(r.Audit.Checked) == 0 {
		t.Errorf("the audit: %+v", r.Audit)
	}
	return r
}

func TestBidsOnOneLotAreMeasuredAndAudited(t *testing.T) {
	t.Parallel()
	plot := filepath.Join(t.TempDir(), "bids.svg")
	r := measure(t, "bids", "--bidders", "8", "--rate", "40", "--for", "1s", "--warm", "500ms", "--low", "0.5", "--instances", "2", "--plot", plot)
	accepted, refused := r.figure(t, "bids accepted"), r.figure(t, "bids refused")
	if accepted == 0 || refused == 0 || accepted+refused != 40 || r.n("bids") != 40 || r.n("bench itself late") != 40 {
		t.Errorf("%v accepted and %v refused of %d, want all of 40", accepted, refused, r.n("bids"))
	}
	if r.figure(t, "the server's peak memory (without PostgreSQL)") < 1 {
		t.Error("the server needs no memory")
	}
	if svg, err := os.ReadFile(plot); err != nil || !strings.HasPrefix(string(svg), "<svg ") {
		t.Errorf("the plot: %v, %.100s", err, svg)
	}
	if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, "ROSTRUM_BID_RATE=1000000") {
		t.Errorf("nothing is said of the limit that was lifted: %s", notes)
	}
	if checked := strings.Join(r.Audit.Checked, "\n"); !strings.Contains(checked, "bids sent again") {
		t.Errorf("checked: %s", checked)
	}
}

func TestBidsOnManyLotsAreMeasuredAndAudited(t *testing.T) {
	t.Parallel()
	r := measure(t, "spread", "--lots", "500", "--bidders", "8", "--rate", "40", "--for", "1s", "--warm", "0s")
	if accepted := r.figure(t, "bids accepted"); accepted < 20 || r.n("bids") != 40 {
		t.Errorf("%v accepted of %d", accepted, r.n("bids"))
	}
	if checked := strings.Join(r.Audit.Checked, "\n"); !strings.Contains(checked, "200 of the 500 lots") || !strings.Contains(checked, "in the database") {
		t.Errorf("checked: %s", checked)
	}
}

func TestLotsThatEndTogetherAreMeasuredAndAudited(t *testing.T) {
	t.Parallel()
	r := measure(t, "close", "--lots", "450", "--others", "3", "--due", "5s", "--rate", "20", "--bidders", "4")
	if r.figure(t, "seconds until all were closed, with results and events") <= 0 || r.n("bids before") == 0 {
		t.Errorf("%+v", r)
	}
	if checked := strings.Join(r.Audit.Checked, "\n"); !strings.Contains(checked, "200 of the 450 lots that ended") || !strings.Contains(checked, "3 of the 3 other lots") {
		t.Errorf("checked: %s", checked)
	}
}

func TestPagesAreMeasured(t *testing.T) {
	t.Parallel()
	r := measure(t, "pages", "--lots", "20", "--visitors", "3", "--rate", "30", "--for", "1s", "--warm", "500ms")
	if r.n("all pages") != 30 || r.n("home")+r.n("search")+r.n("auction") != 30 || r.figure(t, "pages not answered, or not as they must be") != 0 {
		t.Errorf("%+v", r)
	}
}
