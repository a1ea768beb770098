//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package embedded

import (
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

func namespaceWorks(string) bool { return false }

func enterNamespace(*syscall.SysProcAttr) {}

// alive is true for a living PostgreSQL. Without /proc only ps knows the name
// of a process, and a number from an old pid file can be anybody's.
func alive(pid int) bool {
	if pid <= 0 || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return false
	}
	out, err := exec.Command("ps", "-o", "state=,comm=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && strings.Contains(string(out), "postgres") && !strings.HasPrefix(string(out), "Z")
}

// clearStale leaves the pid file to PostgreSQL's own check.
func (c *Cluster) clearStale() {}

// killOrphans leaves them: they end when their query does.
func (c *Cluster) killOrphans() {}
