package embedded

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// oldest is the first major version that Rostrum runs on.
const oldest = 15

// binaries is a folder with initdb and postgres of one major version.
type binaries struct {
	dir   string
	major int
}

// newest is for a new cluster: the binaries in the named folder, or else the
// newest on this machine. Of two folders with the same version PATH's wins.
func newest(ctx context.Context, named string) (binaries, error) {
	var best, old binaries
	for _, found := range search(ctx, named) {
		switch {
		case found.major < oldest:
			old = found
		case found.major > best.major:
			best = found
		}
	}
	switch {
	case ctx.Err() != nil:
		return best, fmt.Errorf("the search for PostgreSQL was interrupted: %w", ctx.Err())
	case best.dir != "":
		return best, nil
	case old.dir != "":
		return best, fmt.Errorf("the PostgreSQL in %s is version %d, too old for Rostrum: %s", old.dir, old.major, remedy())
	case named != "":
		return best, fmt.Errorf("the folder %s has no initdb and postgres that can be run: %s", named, remedy())
	}
	return best, fmt.Errorf("no PostgreSQL was found on this machine: %s", remedy())
}

// matching is for existing data, which only its own major version can read.
func matching(ctx context.Context, folder string, major int) (binaries, error) {
	var other binaries
	for _, found := range search(ctx, "") {
		if found.major == major && major >= oldest {
			return found, nil
		}
		if found.major > other.major {
			other = found
		}
	}
	if ctx.Err() != nil {
		return other, fmt.Errorf("the search for PostgreSQL was interrupted: %w", ctx.Err())
	}
	return other, otherVersion(folder, major, other)
}

// otherVersion is the error for data that the binaries found cannot read.
func otherVersion(folder string, major int, found binaries) error {
	only := "is not on this machine"
	if found.dir != "" {
		only = fmt.Sprintf("was not found, only version %d in %s", found.major, found.dir)
	}
	if major < oldest {
		return fmt.Errorf("the data in %s was made by PostgreSQL %d, and Rostrum needs %d or later: move it with pg_upgrade to a folder postgresql-N beside it", folder, major, oldest)
	}
	return fmt.Errorf("the data in %s was made by PostgreSQL %d, which %s: install version %d, or move the data with pg_upgrade to a folder postgresql-N beside it", folder, major, only, major)
}

func search(ctx context.Context, named string) (all []binaries) {
	folders := []string{named}
	if named == "" {
		folders = append(onPath(), inUsualFolders()...)
	}
	for _, dir := range folders {
		if major, ok := version(ctx, dir); ok {
			all = append(all, binaries{dir, major})
		}
	}
	return all
}

// onPath follows symbolic links: one to initdb leads to the folder that has
// postgres too.
func onPath() (folders []string) {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if real, err := filepath.EvalSymlinks(filepath.Join(dir, "initdb")); err == nil {
			folders = append(folders, filepath.Dir(real))
		}
	}
	return folders
}

// inUsualFolders looks where packages put PostgreSQL without putting it on PATH.
func inUsualFolders() (folders []string) {
	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin",         // Debian, Ubuntu
		"/usr/pgsql-*/bin",                  // Fedora, RHEL (postgresql.org's packages)
		"/usr/lib/postgresql*/bin",          // openSUSE
		"/usr/libexec/postgresql*",          // Alpine
		"/opt/homebrew/opt/postgresql*/bin", // Homebrew on Apple silicon
		"/usr/local/opt/postgresql*/bin",    // Homebrew on Intel
		"/home/linuxbrew/.linuxbrew/opt/postgresql*/bin",
		"/Applications/Postgres.app/Contents/Versions/*/bin",
	} {
		matches, _ := filepath.Glob(pattern) // fails for bad patterns only
		folders = append(folders, matches...)
	}
	return folders
}

var versionOutput = regexp.MustCompile(`^postgres \(PostgreSQL\) (\d+)`)

// version asks the binary itself: the names of folders promise too much.
func version(ctx context.Context, dir string) (int, bool) {
	if _, err := exec.LookPath(filepath.Join(dir, "initdb")); err != nil {
		return 0, false
	}
	out, err := command(ctx, dir, "postgres", "--version").Output()
	found := versionOutput.FindSubmatch(out)
	if err != nil || found == nil {
		return 0, false
	}
	major, err := strconv.Atoi(string(found[1]))
	return major, err == nil
}

// command runs a binary without the caller's PG… and locale settings, which
// would change what it does, and without secrets that are none of its business.
func command(ctx context.Context, bin, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(bin, name), args...)
	cmd.Dir = "/" // our own may be closed to the user that PostgreSQL runs as
	cmd.Env = []string{"LC_ALL=C"}
	for _, name := range []string{"PATH", "HOME", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"} {
		if value, ok := os.LookupEnv(name); ok {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	return cmd
}
