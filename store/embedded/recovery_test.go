package embedded

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
)

func TestAKilledServersDatabaseIsAdoptedAndThenStopped(t *testing.T) {
	t.Parallel()
	dir := settled(t)
	h := enter(t, dir)
	pid := at(t, dir).pid()
	h.kill()
	if !at(t, dir).running() {
		t.Fatal("PostgreSQL died with the server")
	}
	c := open(t, dir)
	if c.pid() != pid {
		t.Errorf("process %d was replaced by %d", pid, c.pid())
	}
	query(t, c.URL(), "SELECT 1")
	must(t, c.Close())
	wantStopped(t, c)
}

func TestWhatWasCommittedOutlivesTheDeathOfServerAndDatabase(t *testing.T) {
	t.Parallel()
	dir := settled(t)
	h := enter(t, dir)
	query(t, h.url, "CREATE TABLE bid (amount int)")
	for range 3 {
		query(t, h.url, "INSERT INTO bid VALUES (1)")
		must(t, kill(at(t, dir).pid(), syscall.SIGKILL))
		h.kill()
		h = enter(t, dir)
	}
	if got := query(t, h.url, "SELECT count(*) FROM bid"); got != "3" {
		t.Errorf("%s of 3 bids are there", got)
	}
	h.leave(t)
	wantStopped(t, at(t, dir))
}

func TestSuperviseStartsADatabaseThatDied(t *testing.T) {
	t.Parallel()
	dir := settled(t)
	c := open(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	reports := make(chan error, 10)
	var wg sync.WaitGroup
	wg.Go(func() { c.Supervise(ctx, func(err error) { reports <- err }) })
	for range 2 {
		must(t, kill(c.pid(), syscall.SIGKILL))
		wantLine(t, <-reports, "ended unexpectedly")
		gate, err := c.enterGate(t.Context()) // Supervise is inside until all is well
		must(t, err)
		unlock(gate)
		query(t, c.URL(), "SELECT 1")
	}
	cancel()
	wg.Wait()
	if len(reports) > 0 {
		t.Errorf("also reported: %v", <-reports)
	}
	must(t, c.Close())
	wantStopped(t, c)
}

func TestSuperviseLeavesAClosedClusterAlone(t *testing.T) {
	t.Parallel()
	dir := settled(t)
	c := open(t, dir)
	var wg sync.WaitGroup
	wg.Go(func() { c.Supervise(t.Context(), func(err error) { t.Error(err) }) })
	must(t, c.Close())
	wg.Wait()
	wantStopped(t, c)
}

func TestAHalfMadeClusterIsMadeAnew(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	unfinished := at(t, dir).data() + ".new"
	h := begin(t, dir)
	eventually(t, "initdb has begun", func() bool {
		_, err := os.Stat(filepath.Join(unfinished, "base"))
		return err == nil
	})
	h.kill()
	c := open(t, dir) // waits for the initdb that lives on
	query(t, c.URL(), "SELECT 1")
	if _, err := os.Stat(unfinished); err == nil {
		t.Errorf("%s is still there", unfinished)
	}
	must(t, c.Close())
}

func TestAStartThatIsCutShortLeavesNothingRunning(t *testing.T) {
	t.Parallel()
	dir := settled(t)
	here := at(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		eventually(t, "PostgreSQL has begun", here.running)
		cancel()
	}()
	c, err := Open(ctx, Options{Dir: dir})
	if err == nil { // it was quicker
		must(t, c.Close())
	} else {
		wantLine(t, err, "interrupted")
	}
	wantStopped(t, at(t, dir))
}
