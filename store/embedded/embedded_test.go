package embedded

import (
	"os"
	"os/exec"
	"sync"
	"testing"
)

func TestAFreshHouseGetsADurableDatabaseWithoutANetwork(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	c := open(t, dir)
	for setting, want := range map[string]string{
		"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on",
		"listen_addresses": "", "server_encoding": "UTF8", "TimeZone": "UTC",
		"max_connections": "200", "data_checksums": "on",
	} {
		if got := query(t, c.URL(), "SHOW "+setting); got != want {
			t.Errorf("%s is %q, want %q", setting, got, want)
		}
	}
	if got := query(t, c.URL(), "SELECT current_user || ' ' || current_database()"); got != "rostrum rostrum" {
		t.Errorf("connected as %s", got)
	}
	if info, err := os.Stat(c.socket); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("others may enter the socket's folder: %v %v", info.Mode(), err)
	}
	if psql, err := exec.LookPath("psql"); err == nil {
		out, err := exec.Command(psql, "-X", "-d", c.URL(), "-Atc", "SELECT 'hello'").CombinedOutput()
		if err != nil || string(out) != "hello\n" {
			t.Errorf("psql -d %s: %s %v", c.URL(), out, err)
		}
	}
	must(t, c.Close())
	wantStopped(t, c)
}

func TestWhatWasWrittenIsThereAtTheNextStart(t *testing.T) {
	t.Parallel()
	dir := settled(t)
	c := open(t, dir)
	query(t, c.URL(), "CREATE TABLE lot AS SELECT 'a clock' AS title")
	must(t, c.Close())
	must(t, c.Close()) // a second one does nothing

	c = open(t, dir)
	if got := query(t, c.URL(), "SELECT title FROM lot"); got != "a clock" {
		t.Errorf("found %q", got)
	}
	must(t, c.Close())
	wantStopped(t, c)
}

func TestASecondProcessJoinsAndTheLastOneOutStopsPostgreSQL(t *testing.T) {
	t.Parallel()
	dir := settled(t)
	c := open(t, dir)
	pid := c.pid()
	h := enter(t, dir)
	if h.url != c.URL() {
		t.Errorf("it went to %s instead of %s", h.url, c.URL())
	}
	must(t, c.Close())
	query(t, h.url, "SELECT 1")
	if c.pid() != pid {
		t.Errorf("process %d was replaced by %d", pid, c.pid())
	}
	h.leave(t)
	wantStopped(t, c)
}

func TestManyThatOpenAtOnceShareOnePostgreSQL(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	others := []*house{begin(t, dir), begin(t, dir), begin(t, dir)}
	clusters := make([]*Cluster, 4)
	var wg sync.WaitGroup
	for i := range clusters {
		wg.Go(func() { clusters[i], _ = Open(t.Context(), Options{Dir: dir}) })
	}
	wg.Wait()
	for _, h := range others {
		h.opened(t)
	}
	for i, c := range clusters {
		if c == nil {
			t.Fatalf("number %d did not open", i)
		}
		wg.Go(func() {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	query(t, others[0].url, "SELECT 1")
	for _, h := range others {
		h.in.Close() // all at once
	}
	for _, h := range others {
		h.leave(t)
	}
	wantStopped(t, clusters[0])
}

func TestALongLogIsPutAside(t *testing.T) {
	t.Parallel()
	dir := settled(t)
	c := at(t, dir)
	must(t, os.Truncate(c.logFile(), 9<<20))
	must(t, open(t, dir).Close())
	if info, err := os.Stat(c.logFile()); err != nil || info.Size() > 1<<20 {
		t.Errorf("the log was not begun anew: %v", err)
	}
	if _, err := os.Stat(c.logFile() + ".old"); err != nil {
		t.Error(err)
	}
}

func wantStopped(t *testing.T, c *Cluster) {
	t.Helper()
	if _, err := os.Stat(c.pidFile()); err == nil {
		t.Errorf("%s is still there", c.pidFile())
	}
}

func BenchmarkASecondStart(b *testing.B) {
	dir := settled(b)
	for b.Loop() {
		c := open(b, dir)
		b.StopTimer()
		must(b, c.Close())
		b.StartTimer()
	}
}
