package embedded

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// dataDirectory makes the directory and returns its one true name, so that
// everybody who means it finds the same locks and the same socket.
func dataDirectory(dir string) (string, error) {
	if dir == "" {
		return "", errors.New("no data directory was given for the embedded PostgreSQL")
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return "", unusable(dir, err)
	}
	// Others may pass through but not look: where root cannot have a user
	// namespace, PostgreSQL runs as somebody else and must reach its files.
	if err := os.MkdirAll(absolute, 0o711); err != nil {
		return "", unusable(absolute, err)
	}
	real, err := filepath.EvalSymlinks(absolute)
	if err != nil {
		return "", unusable(absolute, err)
	}
	return real, nil
}

// choose settles the major version. Existing data decides, unless binaries were
// named: a newer PostgreSQL on the machine must not make the house look empty.
// Each version has a folder of its own, and none is ever deleted.
func (c *Cluster) choose(ctx context.Context, bin string) error {
	made, err := c.versions()
	if err != nil {
		return unusable(c.dir, err)
	}
	if bin == "" && len(made) > 0 {
		c.setVersion(slices.Max(made))
		return nil
	}
	found, err := newest(ctx, bin)
	if err != nil {
		return err
	}
	c.setVersion(found.major)
	c.bin = found.dir
	if len(made) > 0 && !slices.Contains(made, found.major) {
		c.setVersion(slices.Max(made))
		return otherVersion(c.folder, c.major, found)
	}
	return nil
}

func (c *Cluster) setVersion(major int) {
	c.major = major
	c.folder = filepath.Join(c.dir, fmt.Sprintf("postgresql-%d", major))
	c.socket = filepath.Join(c.folder, "socket")
	// 103 bytes is what macOS allows the path of a socket; PostgreSQL and libpq
	// both take a comma for the start of another folder.
	if len(c.socket)+len("/.s.PGSQL.5432") > 103 || strings.ContainsAny(c.socket, `,"`) {
		// Not os.TempDir: it depends on the environment, and the command line
		// tools have to come to the same place.
		c.socket = fmt.Sprintf("/tmp/rostrum-%.8x", sha256.Sum256([]byte(c.folder)))
	}
}

// versions lists the major versions that have data in the data directory.
func (c *Cluster) versions() (majors []int, err error) {
	entries, err := os.ReadDir(c.dir)
	for _, entry := range entries {
		number, ok := strings.CutPrefix(entry.Name(), "postgresql-")
		major, notNumber := strconv.Atoi(number)
		if !ok || notNumber != nil {
			continue
		}
		if _, err := os.Stat(filepath.Join(c.dir, entry.Name(), "data", "PG_VERSION")); err == nil {
			majors = append(majors, major)
		}
	}
	return majors, err
}

// prepare makes the version's folder and the socket's. It comes before the
// first connection: in a directory that everybody may write to, a stranger's
// folder could hold a stranger's server.
func (c *Cluster) prepare() error {
	if err := makeFolder(c.folder, c.dir); err != nil {
		return unusable(c.folder, err)
	}
	if err := privateFolder(c.socket, c.folder); err != nil {
		return fmt.Errorf("the folder %s for PostgreSQL's socket cannot be used: %w", c.socket, cause(err))
	}
	return nil
}

// makeFolder makes path for the owner of the folder above it.
func makeFolder(path, above string) error {
	err := os.Mkdir(path, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return errors.Join(err, giveToOwnerOf(above, path))
}

// privateFolder is makeFolder for a place where strangers may have been before:
// what is there has to be ours or the owner's, and closed to others.
func privateFolder(path, owners string) error {
	if err := makeFolder(path, owners); err != nil {
		return err
	}
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return errors.New("something that is not a folder is in its place")
	case !ownedByUsOr(info, owners):
		return errors.New("it belongs to somebody else")
	case info.Mode().Perm()&0o077 != 0:
		return os.Chmod(path, 0o700)
	}
	return nil
}

func unusable(dir string, err error) error {
	return fmt.Errorf("the data directory %s cannot be used: %w", dir, cause(err))
}

// cause drops the name of the system call and the path, which the sentence
// around it already has.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
