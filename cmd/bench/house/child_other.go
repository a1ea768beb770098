//go:build !linux

package house

import "syscall"

// Child is how an instance runs: in a process group of its own, since an
// interrupt at the terminal is for bench, which still has to stop it.
func Child() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
