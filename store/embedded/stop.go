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

// stop ends PostgreSQL and returns when it is gone.
func (c *Cluster) stop() error {
	if err := c.end(c.pid()); err != nil {
		return err
	}
	os.Remove(c.socket) // tidiness: it can be a folder below /tmp
	return nil
}

// end asks for a fast shutdown, and when that takes too long for one without
// the last checkpoint, which the next start makes up for by recovery.
func (c *Cluster) end(pid int) error {
	for _, step := range []struct {
		signal   syscall.Signal
		patience time.Duration
	}{
		{syscall.SIGINT, 15 * time.Second},
		{syscall.SIGQUIT, 10 * time.Second},
	} {
		if !c.alive(pid) {
			return nil
		}
		if err := kill(pid, step.signal); err != nil && c.alive(pid) {
			return fmt.Errorf("PostgreSQL (process %d) cannot be stopped: %w", pid, err)
		}
		if c.waitForEnd(pid, step.patience) {
			return nil
		}
	}
	return fmt.Errorf("PostgreSQL (process %d) in %s does not stop", pid, c.folder)
}

func (c *Cluster) waitForEnd(pid int, patience time.Duration) bool {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for c.alive(pid) {
		if sleep(ctx, 5*time.Millisecond) != nil {
			return false
		}
	}
	return true
}

func (c *Cluster) running() bool { return c.alive(c.pid()) }

// pid is the process that the pid file names, 0 where there is none.
func (c *Cluster) pid() int {
	text, _ := os.ReadFile(c.pidFile()) // gone once PostgreSQL has ended
	line, _, _ := strings.Cut(string(text), "\n")
	pid, _ := strconv.Atoi(strings.TrimSpace(line))
	return pid
}

func (c *Cluster) pidFile() string { return filepath.Join(c.data(), "postmaster.pid") }
