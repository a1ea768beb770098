package embedded

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhatIsWrongWithTheOptionsIsToldInOneLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	must(t, os.WriteFile(file, nil, 0o600))
	for name, c := range map[string]struct {
		options Options
		want    []string
	}{
		"no directory":                 {Options{}, []string{"no data directory"}},
		"a file in the way":            {Options{Dir: file}, []string{"the data directory " + file + " cannot be used", "not a directory"}},
		"a file above":                 {Options{Dir: filepath.Join(file, "house")}, []string{"cannot be used", "not a directory"}},
		"a folder in the lock's place": {Options{Dir: occupied(t, "postgresql.lock")}, []string{"cannot be used", "is a directory"}},
		"binaries in no folder":        {Options{Dir: dir, Bin: filepath.Join(dir, "none")}, []string{"has no initdb and postgres", "install version 15 or later", "DATABASE_URL"}},
		"no binaries in a folder":      {Options{Dir: dir, Bin: t.TempDir()}, []string{"has no initdb and postgres", "install version 15 or later", "DATABASE_URL"}},
		"binaries that are too old":    {Options{Dir: dir, Bin: fakeBinaries(t, "14.2")}, []string{"version 14", "too old", "install version 15 or later"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Open(t.Context(), c.options)
			wantLine(t, err, c.want...)
		})
	}
}

func TestDataOfAnotherVersionIsNamedAndKept(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		major, bin string
		want       []string
	}{
		"a version that is not here":     {"99", "", []string{"made by PostgreSQL 99", "install version 99", "pg_upgrade"}},
		"other binaries than were named": {"98", "99beta1", []string{"made by PostgreSQL 98", "only version 99", "install version 98"}},
		"a version that is too old":      {"14", "", []string{"made by PostgreSQL 14", "needs 15 or later"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			data := filepath.Join(dir, "postgresql-"+c.major, "data")
			must(t, os.MkdirAll(data, 0o700))
			must(t, os.WriteFile(filepath.Join(data, "PG_VERSION"), []byte(c.major), 0o600))
			options := Options{Dir: dir}
			if c.bin != "" {
				options.Bin = fakeBinaries(t, c.bin)
			}
			_, err := Open(t.Context(), options)
			wantLine(t, err, append(c.want, filepath.Dir(data))...)
			if _, err := os.Stat(filepath.Join(data, "PG_VERSION")); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestADatabaseThatCannotStartSaysWhy(t *testing.T) {
	t.Parallel()
	dir := settled(t)
	must(t, appendTo(filepath.Join(at(t, dir).data(), "postgresql.conf"), "\nshared_buffers = 'plenty'\n"))
	_, err := Open(t.Context(), Options{Dir: dir})
	wantLine(t, err, "does not start", "postgresql.conf")
}

func TestWaitingForAnotherProcessEndsWithItsContext(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	gate, err := (&Cluster{dir: dir}).enterGate(t.Context())
	must(t, err)
	defer unlock(gate)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Open(ctx, Options{Dir: dir})
	wantLine(t, err, "another process", dir)
}

func TestADirectoryWhoseNameNoSocketCanHaveGetsOneElsewhere(t *testing.T) {
	t.Parallel()
	for name, folder := range map[string]string{
		"deep":         strings.Repeat("deep/", 20),
		"with a comma": "going, going, gone",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := settledIn(t, folder)
			c := open(t, dir)
			if !strings.HasPrefix(c.socket, "/tmp/rostrum-") {
				t.Errorf("the socket is in %s", c.socket)
			}
			h := enter(t, dir)
			query(t, h.url, "SELECT 1")
			must(t, c.Close())
			h.leave(t)
			wantStopped(t, c)
			if _, err := os.Stat(c.socket); err == nil {
				t.Errorf("%s is still there", c.socket)
			}
		})
	}
}

func TestADirectoryWithABlankAndAPercentSignIsNothingSpecial(t *testing.T) {
	t.Parallel()
	c := open(t, settledIn(t, "50% + off [x]"))
	query(t, c.URL(), "SELECT 1")
	must(t, c.Close())
	wantStopped(t, c)
}

// fakeBinaries is a folder with a PostgreSQL that only tells its version. Files
// written here could not be run while another test starts a process.
func fakeBinaries(t *testing.T, version string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"initdb", "postgres"} {
		write := exec.Command("sh", "-c", `cat > "$0" && chmod +x "$0"`, filepath.Join(dir, name))
		write.Stdin = strings.NewReader("#!/bin/sh\necho '" + name + " (PostgreSQL) " + version + "'\n")
		must(t, write.Run())
	}
	return dir
}

func occupied(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, name), 0o700))
	return dir
}
