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

// alive is true for a living PostgreSQL over our data: a number from an old pid
// file can be another program's by now. Without /proc only ps knows.
func (c *Cluster) alive(pid int) bool {
	if pid <= 0 || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return false
	}
	out, err := exec.Command("ps", "-ww", "-o", "state=,args=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && !strings.HasPrefix(string(out), "Z") && strings.Contains(string(out), c.data())
}

// clearStale leaves the pid file to PostgreSQL's own check.
func (c *Cluster) clearStale() {}

// killOrphans leaves them: they end when their query does.
func (c *Cluster) killOrphans() {}
