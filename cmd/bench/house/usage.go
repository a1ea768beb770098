package house

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Usage is what a process has used: Rostrum's, without PostgreSQL.
type Usage struct {
	Peak int64         // the most memory that it ever had, bytes (VmHWM)
	Now  int64         // the memory that it has (VmRSS)
	CPU  time.Duration // of all processors, since it began
}

// tick is the unit of the times in /proc/PID/stat: USER_HZ, 100 on Linux
// everywhere.
const tick = 10 * time.Millisecond

// Usage is that of all instances together; ok is false where bench did not
// start them, or there is no /proc.
func (h *House) Usage() (sum Usage, ok bool) {
	if h.started == nil {
		return sum, false
	}
	for _, server := range h.started.servers {
		u, err := UsageOf(server.Process.Pid)
		if err != nil {
			return sum, false
		}
		sum.Peak += u.Peak
		sum.Now += u.Now
		sum.CPU += u.CPU
	}
	return sum, true
}

// UsageOf reads /proc.
func UsageOf(pid int) (Usage, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return Usage{}, err
	}
	stat, err := readStat(pid)
	if err != nil {
		return Usage{}, err
	}
	u := Usage{CPU: stat.own}
	for line := range strings.Lines(string(status)) {
		name, rest, _ := strings.Cut(line, ":")
		of := map[string]*int64{"VmHWM": &u.Peak, "VmRSS": &u.Now}[name]
		if of != nil {
			kib, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			if err != nil {
				return u, err
			}
			*of = kib << 10
		}
	}
	return u, nil
}
