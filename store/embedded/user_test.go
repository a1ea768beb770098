//go:build unix

package embedded

import (
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func TestRootUsesAFolderBelowAClosedHome(t *testing.T) {
	t.Parallel()
	onlyRoot(t)
	home := filepath.Join(tempDir(t), "home")
	must(t, os.Mkdir(home, 0o700))
	dir := filepath.Join(home, "house")
	t.Cleanup(func() { killAll(dir) })
	c := open(t, dir)
	query(t, c.URL(), "SELECT 1")
	must(t, c.Close())
	wantStopped(t, c)
}

func TestAnOrdinaryUserAndRootShareACluster(t *testing.T) {
	t.Parallel()
	nobody := onlyRoot(t)
	dir := tempDir(t)
	openPath(t, dir)
	must(t, os.Chown(dir, nobody.uid, nobody.gid))

	c := open(t, dir) // by root, in a folder of nobody's
	info, err := os.Stat(c.pidFile())
	must(t, err)
	if uid := info.Sys().(*syscall.Stat_t).Uid; int(uid) != nobody.uid {
		t.Errorf("PostgreSQL runs as %d, the folder belongs to %d", uid, nobody.uid)
	}
	h := enter(t, dir, as(t, nobody))
	must(t, c.Close())
	h.leave(t)
	wantStopped(t, c)

	h = enter(t, dir, as(t, nobody)) // by nobody, what root made
	c = open(t, dir)
	h.leave(t)
	query(t, c.URL(), "SELECT 1")
	must(t, c.Close())
	wantStopped(t, c)
}

func TestAnOrdinaryUserIsToldThatTheDirectoryIsNotTheirs(t *testing.T) {
	t.Parallel()
	nobody := onlyRoot(t)
	dir := tempDir(t)
	openPath(t, dir)
	h := begin(t, dir, as(t, nobody))
	said, err := io.ReadAll(h.out)
	must(t, err)
	want := "the data directory " + dir + " cannot be used: permission denied\n"
	if string(said) != want {
		t.Errorf("it said %q, want %q", said, want)
	}
}

func TestAStrangersFolderIsNeverTakenForTheSockets(t *testing.T) {
	t.Parallel()
	nobody := onlyRoot(t)
	dir := filepath.Join(tempDir(t), strings.Repeat("deep/", 20))
	socket := at(t, mustMake(t, dir)).socket
	must(t, os.Mkdir(socket, 0o700))
	t.Cleanup(func() { os.Remove(socket) })
	must(t, os.Chown(socket, nobody.uid, nobody.gid))
	_, err := Open(t.Context(), Options{Dir: dir})
	wantLine(t, err, socket, "belongs to somebody else")
}

func onlyRoot(t *testing.T) runner {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can be two users")
	}
	u, err := user.Lookup("nobody")
	must(t, err)
	uid, err := strconv.Atoi(u.Uid)
	must(t, err)
	gid, err := strconv.Atoi(u.Gid)
	must(t, err)
	return runner{uid: uid, gid: gid, other: true}
}

// as runs a copy of the test binary: go test keeps its own in a closed folder.
// A copy written here could not be run while another test starts a process.
func as(t *testing.T, who runner) func(*exec.Cmd) {
	t.Helper()
	dir := t.TempDir()
	openPath(t, dir)
	path := filepath.Join(dir, "house")
	must(t, exec.Command("cp", os.Args[0], path).Run())
	return func(cmd *exec.Cmd) {
		cmd.Path, cmd.Dir = path, "/"
		cmd.SysProcAttr = who.attr()
	}
}

// openPath lets others pass through a test's folders.
func openPath(t *testing.T, dir string) {
	t.Helper()
	must(t, os.Chmod(filepath.Dir(dir), 0o755))
	must(t, os.Chmod(dir, 0o755))
}

func mustMake(t *testing.T, dir string) string {
	t.Helper()
	dir, err := dataDirectory(dir)
	must(t, err)
	return dir
}
