package embedded

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// stop ends PostgreSQL: fast, and if that takes too long without its last
// checkpoint, which the next start makes up for by recovery.
func (c *Cluster) stop() error {
	for _, step := range []struct {
		signal syscall.Signal
		wait   time.Duration
	}{{syscall.SIGINT, 15 * time.Second}, {syscall.SIGQUIT, 10 * time.Second}} {
		pid := c.pid()
		if !alive(pid) {
			return nil
		}
		if err := kill(pid, step.signal); err != nil && alive(pid) {
			return fmt.Errorf("PostgreSQL (process %d) cannot be stopped: %w", pid, err)
		}
		if waitForEnd(pid, step.wait) {
			return nil
		}
	}
	return fmt.Errorf("PostgreSQL (process %d) in %s does not stop", c.pid(), c.folder)
}

func waitForEnd(pid int, patience time.Duration) bool {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for alive(pid) {
		if sleep(ctx, 5*time.Millisecond) != nil {
			return false
		}
	}
	return true
}

func (c *Cluster) running() bool { return alive(c.pid()) }

// pid is the process that the pid file names, 0 where there is none.
func (c *Cluster) pid() int {
	text, _ := os.ReadFile(c.pidFile()) // gone once PostgreSQL has ended
	line, _, _ := strings.Cut(string(text), "\n")
	pid, _ := strconv.Atoi(strings.TrimSpace(line))
	return pid
}

func (c *Cluster) pidFile() string { return filepath.Join(c.data(), "postmaster.pid") }
