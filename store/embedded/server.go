package embedded

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// server is a PostgreSQL that this process started.
type server struct {
	pid    int
	log    string
	since  int64         // where its own lines begin in the log
	ended  chan struct{} // closed when it has
	killed bool          // by a signal; to be read after that
}

func start(cmd *exec.Cmd, log *os.File) (*server, error) {
	since, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, unusable(log.Name(), err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s cannot be run: %w", cmd.Path, cause(err))
	}
	s := &server{pid: cmd.Process.Pid, ended: make(chan struct{}), log: log.Name(), since: since}
	go func() {
		_ = cmd.Wait() // what it has to say is in the log
		s.killed = cmd.ProcessState.ExitCode() < 0
		close(s.ended)
	}()
	return s, nil
}

func (s *server) exited() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

var fatal = regexp.MustCompile(`(?m)^.*(?:FATAL|PANIC): +(.*)$`)

// lastWords is the complaint that PostgreSQL ended with.
func (s *server) lastWords() string {
	text, err := readFrom(s.log, s.since)
	if s.killed || err != nil || text == "" {
		return "its log is " + s.log
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	words := lines[len(lines)-1]
	for _, line := range fatal.FindAllStringSubmatch(text, -1) {
		if !strings.HasPrefix(line[1], "the database system is ") { // said to us, who asked too early
			words = line[1]
		}
	}
	return words
}

// mayRetry is true for a PostgreSQL that was killed, and for one that came too
// soon after the death of another: that one's process is not quite gone, or its
// orphans, which still work on a last query, hold the shared memory.
func (s *server) mayRetry() bool {
	words := s.lastWords()
	return s.killed || strings.Contains(words, "already exists") || strings.Contains(words, "still in use")
}

func readFrom(path string, start int64) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.NewSectionReader(file, start, 1<<20))
	return string(text), err
}

// openLog puts a grown log aside. PostgreSQL writes little, so looking at each
// start is enough.
func (c *Cluster) openLog() (*os.File, error) {
	if info, err := os.Stat(c.logFile()); err == nil && info.Size() > 8<<20 {
		if err := os.Rename(c.logFile(), c.logFile()+".old"); err != nil {
			return nil, err
		}
	}
	log, err := os.OpenFile(c.logFile(), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	if err := giveToOwnerOf(c.folder, log.Name()); err != nil {
		log.Close()
		return nil, err
	}
	return log, nil
}
