package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
)

// initialise makes the cluster where there is none. It works in a folder beside
// it and renames that when all is done, so that a half-made cluster is never
// taken for a whole one.
func (c *Cluster) initialise(ctx context.Context, gate *os.File) error {
	if _, err := os.Stat(c.data()); !errors.Is(err, fs.ErrNotExist) {
		if err != nil {
			return unusable(c.folder, err)
		}
		return nil
	}
	who, err := runAs(c.dir, c.bin, true)
	if err != nil {
		return err
	}
	unfinished := c.data() + ".new"
	if err := errors.Join(os.RemoveAll(unfinished), who.own(c.folder)); err != nil {
		return unusable(c.folder, err)
	}
	if err := c.initdb(ctx, who, unfinished, gate); err != nil {
		return err
	}
	if err := appendTo(filepath.Join(unfinished, "postgresql.conf"), tunables); err != nil {
		return unusable(c.folder, err)
	}
	if err := errors.Join(os.Rename(unfinished, c.data()), syncFolder(c.folder)); err != nil {
		return unusable(c.folder, err)
	}
	return nil
}

// initdb inherits the gate's lock: should this process be killed, the next one
// waits until initdb has ended and then clears away what it made.
func (c *Cluster) initdb(ctx context.Context, who runner, dir string, gate *os.File) error {
	locale := "C.UTF-8"
	if runtime.GOOS == "darwin" {
		locale = "C" // macOS has no C.UTF-8
	}
	cmd := command(ctx, c.bin, "initdb", "--pgdata="+dir, "--username=rostrum",
		"--encoding=UTF8", "--locale="+locale, "--data-checksums",
		"--auth-local=trust", "--auth-host=reject", "--no-instructions")
	cmd.SysProcAttr = who.attr()
	cmd.ExtraFiles = []*os.File{gate}
	cmd.Cancel = func() error { return kill(-cmd.Process.Pid, syscall.SIGKILL) } // with its helpers
	out, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("making a database was interrupted: %w", ctx.Err())
	case err != nil:
		return fmt.Errorf("no database could be made in %s: %s", c.folder, complaint(string(out), err))
	}
	return nil
}

var errorLine = regexp.MustCompile(`(?m)^.*(?:error|FATAL): +(.*)$`)

// complaint is the first line of a tool's output that tells what went wrong.
func complaint(out string, err error) string {
	if line := errorLine.FindStringSubmatch(out); line != nil {
		return line[1]
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return last
	}
	return err.Error()
}

func appendTo(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Sync(), file.Close())
}

// syncFolder makes a rename in the folder outlast a power cut.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
