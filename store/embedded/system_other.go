//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package embedded

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

type mode int

const (
	shared mode = iota
	exclusive
)

// errSystem ends every Open: the first thing it needs is a lock.
var errSystem = errors.New("the embedded PostgreSQL needs Linux, macOS or a BSD: set DATABASE_URL")

func flock(*os.File, mode) (bool, error) { return false, errSystem }
func unlock(file *os.File)               { file.Close() }

func kill(int, syscall.Signal) error { return errSystem }

type runner struct{}

func runAs(string, string, bool) (runner, error)     { return runner{}, errSystem }
func (runner) attr() *syscall.SysProcAttr            { return nil }
func (runner) own(string) error                      { return errSystem }
func giveToOwnerOf(string, string) error             { return nil }
func ownedByUsOr(info fs.FileInfo, like string) bool { return false }

func (c *Cluster) alive(int) bool { return false }
func (c *Cluster) clearStale()    {}
func (c *Cluster) killOrphans()   {}
