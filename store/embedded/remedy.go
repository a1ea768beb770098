package embedded

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

// remedy says in half a sentence how this machine gets PostgreSQL.
func remedy() string {
	return fmt.Sprintf("install version %d or later%s, or set DATABASE_URL", oldest, installer())
}

// installers by what /etc/os-release calls the system, or what it is like.
var installers = []struct{ system, command string }{
	{"debian", "sudo apt install postgresql"},
	{"ubuntu", "sudo apt install postgresql"},
	{"fedora", "sudo dnf install postgresql-server postgresql-contrib"},
	{"rhel", "sudo dnf install postgresql-server postgresql-contrib"},
	{"suse", "sudo zypper install postgresql-server"},
	{"arch", "sudo pacman -S postgresql"},
	{"alpine", "sudo apk add postgresql"},
}

func installer() string {
	if runtime.GOOS == "darwin" {
		return " (brew install postgresql@17)"
	}
	release, _ := os.ReadFile("/etc/os-release") // without it there is no advice
	for line := range strings.Lines(string(release)) {
		name, value, _ := strings.Cut(line, "=")
		if name != "ID" && name != "ID_LIKE" {
			continue
		}
		for _, i := range installers {
			if strings.Contains(value, i.system) {
				return " (" + i.command + ")"
			}
		}
	}
	return ""
}
