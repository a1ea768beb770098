//go:build !linux

package audience

import (
	"errors"
	"net"
	"time"
)

func dial(*net.TCPAddr, int, string, bool) (int, error) { return -1, errors.ErrUnsupported }
func newPoll() (int, error)                             { return -1, errors.ErrUnsupported }
func watch(int, int, int) error                         { return errors.ErrUnsupported }
func forget(int, int)                                   {}
func wait(int, []int, time.Duration) []int              { return nil }
func receive(int, []byte) (int, bool)                   { return 0, true }
func closeFile(int)                                     {}
