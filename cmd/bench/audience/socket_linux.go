package audience

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"syscall"
	"time"
)

// ports is how many streams share one local address, where the house is on
// this machine: the system has some 28,000 ports for each.
const ports = 20_000

// dial asks for a stream and, unless it stalls, waits for the head of the
// answer. Plain sockets, since Go's own would wake its poller for each frame.
func dial(to *net.TCPAddr, i int, ask string, stalled bool) (fd int, err error) {
	family, address := syscall.AF_INET6, syscall.Sockaddr(&syscall.SockaddrInet6{Port: to.Port, Addr: [16]byte(to.IP.To16())})
	four := to.IP.To4()
	if four != nil {
		family, address = syscall.AF_INET, &syscall.SockaddrInet4{Port: to.Port, Addr: [4]byte(four)}
	}
	if fd, err = syscall.Socket(family, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0); err != nil {
		return -1, err
	}
	if four != nil && four.IsLoopback() && i >= ports {
		err = syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, byte(1 + i/ports)}})
	}
	if err == nil && stalled {
		err = syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4096)
	}
	within := syscall.NsecToTimeval(patience.Nanoseconds())
	for _, step := range []func() error{
		func() error { return syscall.SetsockoptTimeval(fd, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &within) },
		func() error { return syscall.Connect(fd, address) },
		func() error { _, err := syscall.Write(fd, []byte(ask)); return err },
		func() error {
			if stalled {
				return nil
			}
			return head(fd)
		},
	} {
		if err == nil {
			err = step()
		}
	}
	if err != nil {
		closeFile(fd)
		return -1, err
	}
	return fd, nil
}

// head reads the head of the answer, and with it often the first frame.
func head(fd int) error {
	buffer := make([]byte, 64<<10)
	n, err := syscall.Read(fd, buffer)
	for errors.Is(err, syscall.EINTR) { // by Go's own signals, since it has a timeout
		n, err = syscall.Read(fd, buffer)
	}
	if err != nil {
		return err
	}
	if line, _, _ := bytes.Cut(buffer[:n], []byte("\r\n")); !bytes.HasPrefix(line, []byte("HTTP/1.1 200 ")) {
		return fmt.Errorf("the house answered %.100q", line)
	}
	return syscall.SetNonblock(fd, true)
}

func newPoll() (int, error) { return syscall.EpollCreate1(syscall.EPOLL_CLOEXEC) }

func watch(poll, fd, i int) error {
	return syscall.EpollCtl(poll, syscall.EPOLL_CTL_ADD, fd, &syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(i)})
}

func forget(poll, fd int) { _ = syscall.EpollCtl(poll, syscall.EPOLL_CTL_DEL, fd, nil) }

// wait appends the streams that have something.
func wait(poll int, ready []int, within time.Duration) []int {
	events := make([]syscall.EpollEvent, cap(ready))
	n, err := syscall.EpollWait(poll, events, int(within.Milliseconds()))
	if err != nil { // a signal came
		return ready
	}
	for _, e := range events[:n] {
		ready = append(ready, int(e.Fd))
	}
	return ready
}

func receive(fd int, buffer []byte) (n int, ended bool) {
	n, err := syscall.Read(fd, buffer)
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EINTR) {
		return 0, false
	}
	return n, err != nil || n == 0
}

func closeFile(fd int) { _ = syscall.Close(fd) }
