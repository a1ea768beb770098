package embedded

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheNewestIsTakenAndLinksOnPathAreFollowed(t *testing.T) {
	links := t.TempDir()
	newer := fakeBinaries(t, "98.1")
	must(t, os.Symlink(filepath.Join(newer, "initdb"), filepath.Join(links, "initdb")))
	path := []string{fakeBinaries(t, "97.3"), links, fakeBinaries(t, "13.9"), os.Getenv("PATH")}
	t.Setenv("PATH", strings.Join(path, string(os.PathListSeparator)))
	found, err := newest(t.Context(), "")
	must(t, err)
	if found.dir != newer || found.major != 98 {
		t.Errorf("found version %d in %s, want 98 in %s", found.major, found.dir, newer)
	}
	found, err = matching(t.Context(), "", 97)
	must(t, err)
	if found.major != 97 {
		t.Errorf("found version %d for data of 97", found.major)
	}
}
