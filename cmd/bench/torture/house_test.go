package torture_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"rostrum/cmd/bench/house"
	"rostrum/store/auction"
)

const (
	softClose = 150 * time.Millisecond
	// patience is how long anything may take that must come: no test is about speed.
	patience = 90 * time.Second
)

// place is a house of several processes on one PostgreSQL of its own.
type place struct {
	*house.House // reads what is told
	t            *testing.T
	folder, bin  string
	env          []string
	instances    []*instance
	sql          *pgxpool.Pool // behind the house's back
	seller       house.Person  // an admin too
	bidders      []house.Person
}

// newPlace builds the program once and opens a house with it.
func newPlace(t *testing.T, instances, bidders int) *place {
	t.Helper()
	folder, err := os.MkdirTemp("", "rostrum-torture-")
	ok(t, err)
	t.Cleanup(func() { ok(t, os.RemoveAll(folder)) })
	p := &place{t: t, folder: folder, bin: filepath.Join(folder, "rostrum"),
		House: house.At("", house.Person{}, nil, auction.Currency{Code: "USD", Digits: 2}, softClose)}
	if said, err := exec.CommandContext(t.Context(), "go", append(build, "-o", p.bin, "rostrum/cmd/rostrum")...).CombinedOutput(); err != nil {
		t.Fatalf("build the house: %v: %s", err, said)
	}
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "ROSTRUM_") && !strings.HasPrefix(variable, "DATABASE_URL=") {
			p.env = append(p.env, variable)
		}
	}
	p.env = append(p.env, "ROSTRUM_DATA_DIR="+filepath.Join(folder, "data"), "ROSTRUM_BID_RATE=1000000", "ROSTRUM_SOFT_CLOSE="+softClose.String())
	p.run("migrate")
	p.keepCommitTimes()
	t.Cleanup(p.close)
	for number := range instances {
		in := &instance{number: number, log: filepath.Join(folder, fmt.Sprint("log-", number))}
		p.instances = append(p.instances, in)
		p.start(in)
	}
	p.sql, err = pgxpool.New(t.Context(), strings.TrimSpace(p.run("db", "url")))
	ok(t, err)
	t.Cleanup(p.sql.Close)
	people := p.people(1 + bidders)
	p.seller, p.bidders = people[0], people[1:]
	return p
}

// keepCommitTimes has PostgreSQL, which is down, remember when it really
// committed what.
func (p *place) keepCommitTimes() {
	p.t.Helper()
	config, err := os.OpenFile(filepath.Join(p.cluster(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	ok(p.t, err)
	_, err = config.WriteString("track_commit_timestamp = on\n")
	ok(p.t, err)
	ok(p.t, config.Close())
}

// cluster is the folder of PostgreSQL's data.
func (p *place) cluster() string {
	p.t.Helper()
	found, err := filepath.Glob(filepath.Join(p.folder, "data", "postgresql-*", "data"))
	ok(p.t, err)
	if len(found) != 1 {
		p.t.Fatalf("%d clusters in %s", len(found), p.folder)
	}
	return found[0]
}

// postmaster is PostgreSQL's first process, 0 while there is none.
func (p *place) postmaster() int {
	text, _ := os.ReadFile(filepath.Join(p.cluster(), "postmaster.pid"))
	line, _, _ := strings.Cut(string(text), "\n")
	pid, _ := strconv.Atoi(strings.TrimSpace(line))
	return pid
}

// run runs a command of the house's and returns what it prints.
func (p *place) run(args ...string) string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.bin, args...)
	cmd.Env = p.env
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		p.t.Errorf("rostrum %s: %v: %s", strings.Join(args, " "), err, &said)
	}
	return string(out)
}

// people imports so many with tokens. The first sells and is an admin.
func (p *place) people(n int) []house.Person {
	p.t.Helper()
	text := "email,name,seller,admin\n"
	for i := range n {
		text += fmt.Sprintf("person%d@example.com,Person %d,%t,%t\n", i, i, i == 0, i == 0)
	}
	file := filepath.Join(p.folder, "people.csv")
	ok(p.t, os.WriteFile(file, []byte(text), 0o600))
	people, err := house.ReadPeople(strings.NewReader(p.run("user", "import", file, "--tokens")))
	ok(p.t, err)
	return people
}

// close stops all instances, which must go in order, and PostgreSQL with the
// last. What they said is shown where something was wrong.
func (p *place) close() {
	var wait sync.WaitGroup
	for _, in := range p.instances {
		wait.Go(func() { p.stop(in) })
	}
	wait.Wait()
	if p.postmaster() != 0 {
		p.run("db", "url") // the last to leave stops it
	}
	if !p.t.Failed() {
		return
	}
	for _, in := range p.instances {
		text, _ := os.ReadFile(in.log)
		p.t.Logf("instance %d said, at last: %s", in.number, text[max(0, len(text)-4000):])
	}
}

// until waits for a condition.
func (p *place) until(what string, condition func() bool) {
	p.t.Helper()
	for deadline := time.Now().Add(patience); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			p.t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
