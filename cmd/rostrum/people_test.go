package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// shell calls the program as a person at a terminal would, each time anew, on
// one data directory.
type shell struct {
	t   *testing.T
	dir string
}

func (s shell) run(stdin string, args ...string) (stdout, stderr string, code int) {
	s.t.Helper()
	var out, complaint bytes.Buffer
	code = run(args, environment("ROSTRUM_DATA_DIR", filepath.Join(s.dir, "data")), strings.NewReader(stdin), &out, &complaint)
	return out.String(), complaint.String(), code
}

// succeeds returns what a command printed.
func (s shell) succeeds(stdin string, args ...string) string {
	s.t.Helper()
	out, complaint, code := s.run(stdin, args...)
	if code != 0 {
		s.t.Fatalf("%v: exit %d, %s", args, code, complaint)
	}
	return strings.TrimSpace(out)
}

// fails checks that a command fails with one line that holds this.
func (s shell) fails(part, stdin string, args ...string) {
	s.t.Helper()
	_, complaint, code := s.run(stdin, args...)
	lines := strings.Split(strings.TrimSpace(complaint), "\n")
	if last := lines[len(lines)-1]; code != 1 || !strings.Contains(last, part) {
		s.t.Errorf("%v: exit %d, %q, want %q", args, code, complaint, part)
	}
}

func TestPeopleAreLookedAfterOnTheCommandLine(t *testing.T) {
	t.Parallel()
	s := shell{t, t.TempDir()}
	if out := s.succeeds("", "migrate"); !strings.Contains(out, "the schema is current") {
		t.Errorf("migrate: %q", out)
	}
	if out := s.succeeds("", "migrate"); !strings.HasPrefix(out, "0 migrations") {
		t.Errorf("migrate again: %q", out)
	}
	id := s.succeeds("correct horse battery\n", "user", "add", "--email", "Sue@Example.com", "--name", "Sue", "--seller", "--password-stdin")
	if n, err := strconv.Atoi(id); err != nil || n < 1 {
		t.Errorf("user add printed %q, want the id", id)
	}
	s.fails("has an account already", "", "user", "add", "--email", "sue@example.com", "--name", "Sue")
	s.fails("at least 8 characters", "short\n", "user", "set", "--email", "sue@example.com", "--password-stdin")
	s.fails("nobody has the address", "", "user", "set", "--email", "nobody@example.com", "--seller=true")
	s.fails("nobody has the address", "", "user", "suspend", "--email", "nobody@example.com")
	s.fails("nobody has the address", "", "token", "add", "--email", "nobody@example.com")
	s.succeeds("", "user", "set", "--email", "sue@example.com", "--seller=false", "--admin=true")
	if _, complaint, code := s.run("", "user", "set", "--email", "sue@example.com"); code != 2 || !strings.Contains(complaint, "nothing to change") {
		t.Errorf("nothing to change: exit %d, %q", code, complaint)
	}
	s.succeeds("", "user", "suspend", "--email", "SUE@example.com")
	s.succeeds("", "user", "restore", "--email", "sue@example.com")
	if token := s.succeeds("", "token", "add", "--email", "sue@example.com"); !strings.HasPrefix(token, "rostrum_") || strings.Contains(token, "\n") {
		t.Errorf("token add printed %q", token)
	}
	if url := s.succeeds("", "db", "url"); !strings.HasPrefix(url, "postgresql://") {
		t.Errorf("db url printed %q", url)
	}
	if said := s.succeeds("", "db", "exec", "sh", "-c", `test -S "$PGHOST/.s.PGSQL.$PGPORT" && echo "$PGDATABASE" "$0" "$@"`, "--of", "-x"); said != "rostrum --of -x" {
		t.Errorf("a program beside the database said %q", said)
	}
	s.fails("sh: exit status 3", "", "db", "exec", "sh", "-c", "exit 3")
}

func TestAnImportIsAllOrNothing(t *testing.T) {
	t.Parallel()
	s := shell{t, t.TempDir()}
	file := filepath.Join(s.dir, "people.csv")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	imported := func() map[string][]string {
		rows, err := csv.NewReader(strings.NewReader(s.succeeds("", "user", "import", file, "--tokens"))).ReadAll()
		if err != nil || strings.Join(rows[0], ",") != "email,id,token" {
			t.Fatalf("%v %v", rows, err)
		}
		people := map[string][]string{}
		for _, row := range rows[1:] {
			people[row[0]] = row
		}
		return people
	}
	write("\ufeffname,email,seller,admin\n\"Ann, A.\",Ann@example.com,false,\nBen,ben@example.com,true,0\n")
	first := imported()
	write("email,name\nben@example.com,Benjamin\ncho@example.com,Cho\n")
	second := imported()
	if first["ben@example.com"][1] != second["ben@example.com"][1] || first["ben@example.com"][2] == second["ben@example.com"][2] || len(first) != 2 || len(second) != 2 {
		t.Errorf("a known address keeps its id and gets a new token: %v, then %v", first, second)
	}
	for text, part := range map[string]string{
		"":                     "no first line",
		"name\nAnn\n":          "no column email",
		"email\na@b.example\n": "no column name",
		"email,name,seller\ndan@example.com,Dan,yes please\n":    "line 2: seller is",
		"email,name\ndan@example.com,Dan\nnot an address,Eve\n":  "line 3: email:",
		"email,name\ndan@example.com,Dan,too,many\n":             "wrong number of fields",
		"email,name\na\"b@example.com,Dan\n":                     "bare \"",
		"email,name\n\"dan@example.com,Dan\n":                    "\"",
		"email,name\ndan@example.com,Dan\nDan@example.com,Dan\n": "line 3: dan@example.com stands in line 2 already",
	} {
		write(text)
		s.fails(part, "", "user", "import", file)
	}
	s.fails("nobody has the address", "", "token", "add", "--email", "dan@example.com")
	s.fails("no such file", "", "user", "import", file+"x")
}
