//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

type mode int

const (
	shared    mode = syscall.LOCK_SH
	exclusive mode = syscall.LOCK_EX
)

// flock takes the lock if it is free.
func flock(file *os.File, how mode) (bool, error) {
	err := syscall.Flock(int(file.Fd()), int(how)|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR) {
		return false, nil
	}
	return err == nil, err
}

// unlock says so instead of only closing: a child that is just being started
// can hold a copy of the file for a moment, and the lock with it.
func unlock(file *os.File) {
	_ = syscall.Flock(int(file.Fd()), syscall.LOCK_UN) // closing does it too
	file.Close()
}

func kill(pid int, signal syscall.Signal) error { return syscall.Kill(pid, signal) }

// runner is as whom PostgreSQL runs: as ourselves, unless we are root, as whom
// it refuses to run.
type runner struct {
	uid, gid  int
	other     bool // as another user, not as ourselves
	namespace bool // as ourselves, but as somebody without powers in a user namespace
}

// runAs follows the owner of the files, so that root can look after anybody's
// cluster. Root's own go to a user namespace, which also works below a closed
// home; where the system refuses one, a new cluster is given to another user.
func runAs(path, bin string, isNew bool) (runner, error) {
	if os.Geteuid() != 0 {
		return runner{}, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return runner{}, unusable(path, err)
	}
	owner := info.Sys().(*syscall.Stat_t)
	switch {
	case owner.Uid != 0:
		return runner{uid: int(owner.Uid), gid: int(owner.Gid), other: true}, nil
	case namespaceWorks(bin):
		return runner{namespace: true}, nil
	case !isNew:
		return runner{}, fmt.Errorf("%s belongs to root, as whom PostgreSQL does not run, and this system refuses user namespaces", path)
	}
	return unprivileged()
}

func unprivileged() (runner, error) {
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			uid, _ := strconv.Atoi(u.Uid)
			gid, _ := strconv.Atoi(u.Gid)
			return runner{uid: uid, gid: gid, other: true}, nil
		}
	}
	return runner{}, errors.New("PostgreSQL does not run as root, and there is no user postgres or nobody to run it as")
}

func (r runner) attr() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if r.other {
		attr.Credential = &syscall.Credential{Uid: uint32(r.uid), Gid: uint32(r.gid)}
	}
	if r.namespace {
		enterNamespace(attr)
	}
	return attr
}

// own gives the file to the user that PostgreSQL runs as.
func (r runner) own(path string) error {
	if !r.other {
		return nil
	}
	return os.Chown(path, r.uid, r.gid)
}

// giveToOwnerOf gives what root made at path to the owner of the folder.
func giveToOwnerOf(folder, path string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	info, err := os.Stat(folder)
	if err != nil {
		return err
	}
	owner := info.Sys().(*syscall.Stat_t)
	return os.Chown(path, int(owner.Uid), int(owner.Gid))
}

func ownedByUsOr(info fs.FileInfo, folder string) bool {
	uid := int(info.Sys().(*syscall.Stat_t).Uid)
	if uid == os.Geteuid() {
		return true
	}
	like, err := os.Stat(folder)
	return err == nil && uid == int(like.Sys().(*syscall.Stat_t).Uid)
}
