package embedded

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// namespaceWorks tries it with the binary itself: a container, a hardened
// kernel or a limit can each forbid user namespaces.
func namespaceWorks(bin string) bool {
	cmd := command(context.Background(), bin, "postgres", "--version")
	cmd.SysProcAttr = runner{namespace: true}.attr()
	return cmd.Run() == nil
}

// enterNamespace maps root to an ordinary user. initdb wants one that
// /etc/passwd knows. Process ids stay the same inside and outside.
func enterNamespace(attr *syscall.SysProcAttr) {
	inside := 1000
	if who, err := unprivileged(); err == nil {
		inside = who.uid
	}
	attr.Cloneflags = syscall.CLONE_NEWUSER
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: inside, HostID: 0, Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: inside, HostID: 0, Size: 1}}
}

// alive is true for a living PostgreSQL over our data: a number from an old pid
// file can be another program's by now, or another cluster's, and a zombie that
// nobody waited for is dead.
func (c *Cluster) alive(pid int) bool {
	if !isPostgres(pid) {
		return false
	}
	ours, known := c.worksHere(pid)
	return ours || !known
}

// clearStale removes pid files whose number now is somebody else's, as happens
// after a reboot and in containers, whose numbers are small: PostgreSQL would
// take that one for its living server for ever. Orphans of the old server are
// still found out, by the shared memory that they hold.
func (c *Cluster) clearStale() {
	if _, state := process(c.pid()); state == 0 || c.running() {
		return
	}
	os.Remove(c.pidFile())
	os.Remove(filepath.Join(c.socket, ".s.PGSQL.5432.lock"))
}

// killOrphans ends the backends of a server that was killed. They end by
// themselves when their query does, which can take for ever.
func (c *Cluster) killOrphans() {
	if c.running() {
		return
	}
	folders, _ := filepath.Glob("/proc/[0-9]*") // fails for bad patterns only
	for _, folder := range folders {
		pid, _ := strconv.Atoi(filepath.Base(folder))
		if ours, _ := c.worksHere(pid); ours && isPostgres(pid) {
			_ = kill(pid, syscall.SIGKILL) // it may just have ended
		}
	}
}

func isPostgres(pid int) bool {
	name, state := process(pid)
	return bytes.Contains(name, []byte("postgres")) && state != 'Z' && state != 'X'
}

// worksHere looks at the working folder, which for every process of PostgreSQL
// is its data. A container can forbid the look.
func (c *Cluster) worksHere(pid int) (ours, known bool) {
	there, err := os.Stat(filepath.Join("/proc", strconv.Itoa(pid), "cwd"))
	if err != nil {
		return false, false
	}
	data, err := os.Stat(c.data())
	return err == nil && os.SameFile(there, data), true
}

// process reads the name and the state of a process, 0 where there is none.
func process(pid int) (name []byte, state byte) {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	open, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if err != nil || open < 0 || end < open || end+2 >= len(stat) {
		return nil, 0
	}
	return stat[open+1 : end], stat[end+2]
}
