package embedded

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// patience is how long a PostgreSQL may show no sign of life. Crash recovery,
// which says that it is at work, may take as long as it needs.
const patience = 30 * time.Second

// ready returns when the database accepts connections, having started
// PostgreSQL if need be. Only a connection counts as proof that it runs: right
// after a kill its pid file and even its process can still be there.
func (c *Cluster) ready(ctx context.Context, gate *os.File) error {
	var server *server
	sign := time.Now()
	for pause := 5 * time.Millisecond; ; pause = min(pause*3/2, 250*time.Millisecond) {
		err := c.connect(ctx)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return fmt.Errorf("PostgreSQL was not ready in time: %w", ctx.Err())
		case isStarting(err):
			sign = time.Now()
		case time.Since(sign) > patience:
			return fmt.Errorf("PostgreSQL in %s does not answer: %w", c.folder, err)
		case server == nil && !c.running():
			if server, err = c.launch(ctx, gate); err != nil {
				return err
			}
			pause = 5 * time.Millisecond
		case server != nil && server.exited():
			words := server.lastWords()
			if !worthRetrying(words) {
				return fmt.Errorf("PostgreSQL in %s does not start: %s", c.folder, words)
			}
			c.killOrphans()
			server = nil
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// server is a PostgreSQL that this process started.
type server struct {
	done  chan struct{} // closed when it has ended
	log   string
	start int64 // where its own lines begin in the log
}

// launch starts PostgreSQL and does not wait for it. It gets a process group of
// its own, or Ctrl-C would end it before the last request is answered.
func (c *Cluster) launch(ctx context.Context, gate *os.File) (*server, error) {
	if c.bin == "" {
		found, err := find(ctx, "", c.major)
		if err != nil {
			return nil, err
		}
		c.bin = found.dir
	}
	if err := c.initialise(ctx, gate); err != nil {
		return nil, err
	}
	who, err := runAs(c.data(), c.bin, false)
	if err != nil {
		return nil, err
	}
	if err := who.own(c.socket); err != nil {
		return nil, unusable(c.socket, err)
	}
	c.clearStale()
	log, err := c.openLog()
	if err != nil {
		return nil, unusable(c.folder, err)
	}
	defer log.Close()
	start, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, unusable(c.folder, err)
	}

	args := append([]string{"-D", c.data()}, c.lastingSettings()...)
	cmd := command(context.Background(), c.bin, "postgres", args...)
	cmd.SysProcAttr = who.attr()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("PostgreSQL in %s cannot be run: %w", c.bin, cause(err))
	}
	s := &server{done: make(chan struct{}), log: c.logFile(), start: start}
	go s.wait(cmd)
	return s, nil
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
	return log, giveToOwnerOf(c.folder, c.logFile())
}

func (s *server) wait(cmd *exec.Cmd) {
	cmd.Wait() // what it has to say is in the log
	close(s.done)
}

func (s *server) exited() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

var fatal = regexp.MustCompile(`(?m)^.*(?:FATAL|PANIC): +(.*)$`)

// lastWords is the complaint that PostgreSQL ended with.
func (s *server) lastWords() string {
	words := "see " + s.log
	text, err := readFrom(s.log, s.start)
	if err != nil {
		return words
	}
	for _, line := range fatal.FindAllStringSubmatch(text, -1) {
		if !strings.HasPrefix(line[1], "the database system is ") { // told to us as a client
			words = line[1]
		}
	}
	return words
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

// worthRetrying knows the complaints of a PostgreSQL that comes too soon after
// the death of another: its process is not quite gone, or its orphans, who
// still answer a last query, hold the shared memory.
func worthRetrying(words string) bool {
	return strings.Contains(words, "already exists") || strings.Contains(words, "still in use")
}
