package house

import "syscall"

// Child is how an instance runs: in a process group of its own, since an
// interrupt at the terminal is for bench, which still has to stop it; and it is
// told to stop where bench is killed.
func Child() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
