package embedded

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// TestMain lets the test binary be another process of the house: it opens the
// cluster, says where, and keeps it until its input ends or it is killed.
func TestMain(m *testing.M) {
	dir, ok := os.LookupEnv("EMBEDDED_TEST_DIR")
	if !ok {
		failed := m.Run()
		os.RemoveAll(template.dir)
		os.Exit(failed)
	}
	if err := keepOpen(dir); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func keepOpen(dir string) error {
	if err := forbidNamespaces(); err != nil {
		return err
	}
	c, err := Open(context.Background(), Options{Dir: dir})
	if err != nil {
		return err
	}
	fmt.Println(c.URL())
	_, _ = io.Copy(io.Discard, os.Stdin)
	return c.Close()
}

// house is another process that has the cluster open.
type house struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	url string
}

// begin starts the process and does not wait for it.
func begin(t testing.TB, dir string, options ...func(*exec.Cmd)) *house {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "EMBEDDED_TEST_DIR="+dir)
	cmd.Stderr = os.Stderr
	for _, set := range options {
		set(cmd)
	}
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	h := &house{cmd: cmd, in: in, out: bufio.NewReader(out)}
	t.Cleanup(h.kill)
	return h
}

// enter starts the process and waits until it has the cluster open.
func enter(t testing.TB, dir string, options ...func(*exec.Cmd)) *house {
	t.Helper()
	h := begin(t, dir, options...)
	h.opened(t)
	return h
}

func (h *house) opened(t testing.TB) {
	t.Helper()
	line, err := h.out.ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "postgresql:") {
		t.Fatalf("the other process did not open the cluster: %s %v", line, err)
	}
	h.url = strings.TrimSpace(line)
}

func (h *house) leave(t testing.TB) {
	t.Helper()
	h.in.Close()
	said, _ := io.ReadAll(h.out)
	if err := h.cmd.Wait(); err != nil {
		t.Fatalf("the other process did not leave well: %v %s", err, said)
	}
}

// kill is what a power cut does to the process; PostgreSQL lives on.
func (h *house) kill() {
	_ = h.cmd.Process.Kill()
	_ = h.cmd.Wait()
}

// tempDir is removed at the end, with the PostgreSQL that a failed test left.
func tempDir(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	t.Cleanup(func() { killAll(dir) })
	return dir
}

// template is a cluster that most tests copy: initdb takes a second.
var template struct {
	once sync.Once
	dir  string
	err  error
}

// settled is a data directory that was used before.
func settled(t testing.TB) string { return settledIn(t, "") }

// settledIn is one with a folder's name of its own.
func settledIn(t testing.TB, folder string) string {
	t.Helper()
	template.once.Do(makeTemplate)
	must(t, template.err)
	dir := filepath.Join(tempDir(t), folder)
	t.Cleanup(func() { killAll(dir) })
	must(t, os.CopyFS(dir, os.DirFS(template.dir)))
	c := at(t, dir)
	must(t, os.Chmod(c.folder, 0o700))
	must(t, os.Chmod(c.data(), 0o700))
	return dir
}

func makeTemplate() {
	if template.dir, template.err = os.MkdirTemp("", "embedded"); template.err != nil {
		return
	}
	c, err := Open(context.Background(), Options{Dir: template.dir})
	if template.err = err; err == nil {
		template.err = c.Close()
	}
}

func killAll(dir string) {
	c := &Cluster{dir: dir}
	majors, _ := c.versions()
	for _, major := range majors {
		c.setVersion(major)
		if pid := c.pid(); c.alive(pid) {
			_ = kill(pid, syscall.SIGQUIT)
			c.waitForEnd(pid, 20*time.Second)
		}
		os.RemoveAll(c.socket)
	}
}

func open(t testing.TB, dir string) *Cluster {
	t.Helper()
	c, err := Open(t.Context(), Options{Dir: dir})
	must(t, err)
	return c
}

// at is the cluster of a directory, seen from outside.
func at(t testing.TB, dir string) *Cluster {
	t.Helper()
	c := &Cluster{dir: dir}
	must(t, c.choose(t.Context(), ""))
	return c
}

// query returns the one value of the answer as text.
func query(t testing.TB, url, sql string) (value string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), sql, pgx.QueryExecModeSimpleProtocol)
	must(t, err)
	for rows.Next() {
		value = string(rows.RawValues()[0])
	}
	must(t, rows.Err())
	return value
}

func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for !holds() {
		if sleep(ctx, 5*time.Millisecond) != nil {
			t.Fatalf("%s: not within a minute", what)
		}
	}
}

// wantLine checks that the error is one line with these words.
func wantLine(t testing.TB, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", words)
	}
	t.Log(err)
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("more than one line: %v", err)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("the error does not say %q: %v", word, err)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
