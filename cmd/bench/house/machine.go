package house

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// Machine is what all processes of the machine together have used, since it
// started.
type Machine struct {
	Busy   time.Duration
	Idle   time.Duration
	Stolen time.Duration // wanted here, and given to other machines on the same hardware
}

// MachineUsage reads /proc/stat.
func MachineUsage() (Machine, error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return Machine{}, err
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	fields := bytes.Fields(line) // cpu user nice system idle iowait irq softirq steal, then what is part of user
	if len(fields) < 9 {
		return Machine{}, fmt.Errorf("/proc/stat begins with %q", line)
	}
	var m Machine
	for i, field := range fields[1:9] {
		ticks, err := strconv.ParseInt(string(field), 10, 64)
		if err != nil {
			return Machine{}, err
		}
		of := &m.Busy
		switch i {
		case 3, 4:
			of = &m.Idle
		case 7:
			of = &m.Stolen
		}
		*of += time.Duration(ticks) * tick
	}
	return m, nil
}

// Postmaster is the process of the PostgreSQL that bench started with the
// house, whose children do the work; 0 where it is not that or not known.
func (h *House) Postmaster(ctx context.Context) int {
	if !h.OwnDatabase() {
		return 0
	}
	db, err := h.Database(ctx)
	if err != nil {
		return 0
	}
	defer db.Close(ctx)
	stat, err := readStat(int(db.PgConn().PID()))
	if err != nil {
		return 0
	}
	return int(stat.parent)
}

// FamilyCPU is the processor time of a process, of its children, and of those
// children that have ended.
func FamilyCPU(pid int) (sum time.Duration, err error) {
	stat, err := readStat(pid)
	if err != nil {
		return 0, err
	}
	sum = stat.own + stat.ended
	all, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return 0, err
	}
	for _, path := range all {
		child, err := strconv.Atoi(filepath.Base(path))
		if err != nil {
			continue
		}
		if stat, err := readStat(child); err == nil && stat.parent == int64(pid) { // else it has ended meanwhile
			sum += stat.own + stat.ended
		}
	}
	return sum, nil
}

// stat is what is read of /proc/PID/stat.
type stat struct {
	parent     int64
	own, ended time.Duration // its processor time, and that of its children that ended
}

func readStat(pid int) (s stat, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return s, err
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:]) // the name before may hold anything
	number := func(i int) int64 {
		n, err2 := strconv.ParseInt(string(fields[i]), 10, 64)
		if err2 != nil {
			err = err2
		}
		return n
	}
	s.parent = number(1)
	s.own = time.Duration(number(11)+number(12)) * tick // utime and stime
	s.ended = time.Duration(number(13)+number(14)) * tick
	return s, err
}
