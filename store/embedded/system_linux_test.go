package embedded

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

func TestRootsPostgreSQLHasNoPowers(t *testing.T) {
	t.Parallel()
	onlyRoot(t)
	c := open(t, settled(t))
	status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(c.pid()), "status"))
	must(t, err)
	if !bytes.Contains(status, []byte("CapEff:\t0000000000000000\n")) {
		t.Errorf("PostgreSQL has root's powers:\n%s", status)
	}
	must(t, c.Close())
}

func TestWithoutUserNamespacesRootRunsPostgreSQLAsAnotherUser(t *testing.T) {
	t.Parallel()
	onlyRoot(t)
	other, err := unprivileged()
	must(t, err)
	dir := tempDir(t)
	openPath(t, dir)
	h := enter(t, dir, withoutNamespaces)
	info, err := os.Stat(at(t, dir).pidFile())
	must(t, err)
	if uid := info.Sys().(*syscall.Stat_t).Uid; int(uid) != other.uid {
		t.Errorf("PostgreSQL runs as %d, want %d", uid, other.uid)
	}
	c := open(t, dir) // by a root that may have namespaces
	h.leave(t)
	query(t, c.URL(), "SELECT 1")
	must(t, c.Close())
	wantStopped(t, c)
}

func TestOrphansThatStillWorkDoNotKeepAKilledDatabaseDown(t *testing.T) {
	t.Parallel()
	dir := settled(t)
	c := open(t, dir)
	conn, err := pgx.Connect(t.Context(), c.URL())
	must(t, err)
	orphan := int(conn.PgConn().PID())
	go func() { _, _ = conn.Exec(t.Context(), "DO $$ BEGIN LOOP END LOOP; END $$") }()
	eventually(t, "the backend is at work", func() bool {
		return query(t, c.URL(), fmt.Sprintf("SELECT count(*) FROM pg_stat_activity WHERE pid = %d AND state = 'active'", orphan)) == "1"
	})
	postmaster := c.pid()
	must(t, kill(postmaster, syscall.SIGKILL))
	eventually(t, "the server is dead", func() bool { return !c.alive(postmaster) })
	if !c.alive(orphan) {
		t.Error("the backend died with its server: this test shows nothing")
	}
	second := open(t, dir)
	if c.alive(orphan) {
		t.Error("the orphan still lives")
	}
	must(t, c.Close())
	must(t, second.Close())
	wantStopped(t, c)
}

func TestAPidFileThatNamesAnotherProgramIsNoObstacle(t *testing.T) {
	t.Parallel()
	other := open(t, settled(t))
	for name, pid := range map[string]int{
		"this program":                    os.Getpid(),
		"the PostgreSQL of another house": other.pid(),
	} {
		dir := settled(t)
		c := at(t, dir)
		stale := fmt.Sprintf("%d\n%s\n1700000000\n5432\n%s\n\n  1 1\n", pid, c.data(), c.socket)
		must(t, os.WriteFile(c.pidFile(), []byte(stale), 0o600))
		must(t, c.stop()) // has nothing to stop
		c, err := Open(t.Context(), Options{Dir: dir})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		must(t, c.Close())
		wantStopped(t, c)
	}
	query(t, other.URL(), "SELECT 1")
	must(t, other.Close())
}

// withoutNamespaces runs the other process as root of a namespace of its own,
// where it can forbid further ones.
func withoutNamespaces(cmd *exec.Cmd) {
	everybody := []syscall.SysProcIDMap{{Size: 65536}}
	cmd.Env = append(cmd.Env, "EMBEDDED_TEST_NO_NAMESPACES=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:                 syscall.CLONE_NEWUSER,
		UidMappings:                everybody,
		GidMappings:                everybody,
		GidMappingsEnableSetgroups: true,
	}
}

// forbidNamespaces is called in the other process.
func forbidNamespaces() error {
	if os.Getenv("EMBEDDED_TEST_NO_NAMESPACES") == "" {
		return nil
	}
	const limit = "/proc/sys/user/max_user_namespaces"
	err := os.WriteFile(limit, []byte("0"), 0)
	if text, _ := os.ReadFile(limit); strings.TrimSpace(string(text)) != "0" {
		return errors.Join(errors.New("namespaces could not be forbidden"), err)
	}
	return err
}
