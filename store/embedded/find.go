package embedded

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

// oldest is the first major version that Rostrum's SQL runs on.
const oldest = 15

// binaries is a folder with initdb and postgres of one major version.
type binaries struct {
	dir   string
	major int
}

// usualFolders are where packages put PostgreSQL without putting it on PATH.
var usualFolders = []string{
	"/usr/lib/postgresql/*/bin",         // Debian, Ubuntu
	"/usr/pgsql-*/bin",                  // Fedora, RHEL (postgresql.org's packages)
	"/usr/lib/postgresql*/bin",          // openSUSE
	"/usr/libexec/postgresql*",          // Alpine
	"/opt/homebrew/opt/postgresql*/bin", // Homebrew on Apple silicon
	"/usr/local/opt/postgresql*/bin",    // Homebrew on Intel
	"/home/linuxbrew/.linuxbrew/opt/postgresql*/bin",
	"/Applications/Postgres.app/Contents/Versions/*/bin",
}

// find returns the binaries in the named folder, or else the newest on this
// machine; major 0 takes any version that is not too old. Of two folders with
// the same version PATH's wins.
func find(ctx context.Context, named string, major int) (binaries, error) {
	folders := []string{named}
	if named == "" {
		folders = append(onPath(), inUsualFolders()...)
	}
	var best, other binaries
	for _, dir := range folders {
		found, ok := inspect(ctx, dir)
		switch {
		case !ok:
		case found.major < oldest, major != 0 && found.major != major:
			other = found
		case found.major > best.major:
			best = found
		}
	}
	switch {
	case ctx.Err() != nil:
		return best, ctx.Err()
	case best.dir != "":
		return best, nil
	case major != 0:
		return best, otherVersion("", major, other)
	case other.dir != "":
		return best, fmt.Errorf("the PostgreSQL in %s is version %d and Rostrum needs %d or later: %s", other.dir, other.major, oldest, remedy())
	case named != "":
		return best, fmt.Errorf("%s has no initdb and postgres that can be run: %s", named, remedy())
	}
	return best, fmt.Errorf("no PostgreSQL was found on this machine: %s", remedy())
}

// onPath follows symbolic links: a PATH with links to initdb and postgres only
// leads to the folder that has everything.
func onPath() (folders []string) {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if real, err := filepath.EvalSymlinks(filepath.Join(dir, "initdb")); err == nil {
			folders = append(folders, filepath.Dir(real))
		}
	}
	return folders
}

func inUsualFolders() (folders []string) {
	for _, pattern := range usualFolders {
		matches, _ := filepath.Glob(pattern) // fails for bad patterns only
		folders = append(folders, matches...)
	}
	return folders
}

var versionOutput = regexp.MustCompile(`^postgres \(PostgreSQL\) (\d+)`)

// inspect asks the binary itself: the names of folders promise too much.
func inspect(ctx context.Context, dir string) (binaries, bool) {
	if _, err := exec.LookPath(filepath.Join(dir, "initdb")); err != nil {
		return binaries{}, false
	}
	out, err := command(ctx, dir, "postgres", "--version").Output()
	version := versionOutput.FindSubmatch(out)
	if err != nil || version == nil {
		return binaries{}, false
	}
	major, _ := strconv.Atoi(string(version[1]))
	return binaries{dir: dir, major: major}, true
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

// otherVersion is the error for data that the binaries found cannot read.
func otherVersion(folder string, major int, found binaries) error {
	was := "nothing else"
	if found.dir != "" {
		was = fmt.Sprintf("version %d in %s", found.major, found.dir)
	}
	return fmt.Errorf("%s was made by PostgreSQL %d and there is only %s: install PostgreSQL %d, or move the data with pg_upgrade", folder, major, was, major)
}

// remedy says how this machine gets PostgreSQL.
func remedy() string {
	how := "install PostgreSQL " + strconv.Itoa(oldest) + " or later"
	if install := installer(); install != "" {
		how += " (" + install + ")"
	}
	return how + " or set DATABASE_URL"
}

// installers by the ID or ID_LIKE of /etc/os-release.
var installers = []struct{ system, command string }{
	{"debian", "sudo apt install postgresql"},
	{"ubuntu", "sudo apt install postgresql"},
	{"fedora", "sudo dnf install postgresql-server"},
	{"rhel", "sudo dnf install postgresql-server"},
	{"suse", "sudo zypper install postgresql-server"},
	{"arch", "sudo pacman -S postgresql"},
	{"alpine", "sudo apk add postgresql"},
}

func installer() string {
	if runtime.GOOS == "darwin" {
		return "brew install postgresql@17"
	}
	release, _ := os.ReadFile("/etc/os-release") // without it there is no advice
	for line := range strings.Lines(string(release)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		if name != "ID" && name != "ID_LIKE" {
			continue
		}
		for _, i := range installers {
			if strings.Contains(value, i.system) {
				return i.command
			}
		}
	}
	return ""
}
