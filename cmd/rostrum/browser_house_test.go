package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"rostrum/store/auction"
)

const (
	// beTheProgram, in the environment, makes the test binary the program: a
	// house is a process of its own, which can be stopped and started again.
	beTheProgram = "ROSTRUM_TEST_BE_THE_PROGRAM"
	password     = "correct horse battery"
)

func TestMain(m *testing.M) {
	switch os.Getenv(beTheProgram) {
	case "":
		if err := flag.Set("test.parallel", "4"); err != nil { // tests that mostly wait
			panic(err)
		}
		failed := m.Run()
		closeBrowser()
		os.Exit(failed)
	case "serve":
		go stopWithoutParent()
	}
	os.Exit(run(os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr))
}

// stopWithoutParent stops the house of a test that was killed: its input ends.
func stopWithoutParent() {
	_, err := io.Copy(io.Discard, os.Stdin)
	self, finding := os.FindProcess(os.Getpid())
	if err = errors.Join(err, finding, self.Signal(syscall.SIGTERM)); err != nil {
		panic(err)
	}
}

// house is a running program with an embedded PostgreSQL of its own.
type house struct {
	t         *testing.T
	dir       string
	softClose time.Duration
	url       string

	process *exec.Cmd
	input   io.Closer
	logged  sync.WaitGroup

	mu  sync.Mutex
	log []string
}

func open(t *testing.T, softClose time.Duration) *house {
	t.Helper()
	h := &house{t: t, dir: t.TempDir(), softClose: softClose}
	h.start()
	t.Cleanup(func() {
		h.stop()
		for _, line := range h.log {
			if t.Failed() || strings.Contains(line, `"level":"ERROR"`) {
				t.Error("the house logged", line)
			}
		}
	})
	return h
}

func (h *house) command(mode string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), beTheProgram+"="+mode, "DATABASE_URL=", "ROSTRUM_URL=", "ROSTRUM_CURRENCY=USD",
		"ROSTRUM_ADDR=127.0.0.1:0", "ROSTRUM_DATA_DIR="+h.dir, "ROSTRUM_SOFT_CLOSE="+h.softClose.String())
	return cmd
}

// start starts the program and waits until it says where the house is.
func (h *house) start() {
	h.t.Helper()
	h.process = h.command("serve", "serve")
	input, err := h.process.StdinPipe()
	must(h.t, err)
	h.input = input
	stderr, err := h.process.StderrPipe()
	must(h.t, err)
	must(h.t, h.process.Start())

	opened := make(chan string, 1)
	h.logged.Go(func() {
		defer close(opened)
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			h.mu.Lock()
			h.log = append(h.log, lines.Text())
			h.mu.Unlock()
			var line struct{ Msg, URL string }
			if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "the house is open" {
				opened <- line.URL
			}
		}
	})
	select {
	case h.url = <-opened:
	case <-time.After(patience):
	}
	if h.url == "" {
		h.t.Fatal("the house did not open")
	}
}

// stop stops the program as a service manager does.
func (h *house) stop() {
	h.t.Helper()
	must(h.t, h.process.Process.Signal(syscall.SIGTERM))
	h.logged.Wait()
	if err := h.process.Wait(); err != nil {
		h.t.Error("the house did not stop well:", err)
	}
	h.input.Close()
	h.url = ""
}

// run runs a command of the program and returns what it printed.
func (h *house) run(input string, args ...string) string {
	h.t.Helper()
	cmd := h.command("once", args...)
	cmd.Stdin = strings.NewReader(input)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	said, err := cmd.Output()
	if err != nil {
		h.t.Fatalf("rostrum %v: %v %s", args, err, complaint.String())
	}
	return strings.TrimSpace(string(said))
}

// person is somebody with an account.
type person struct{ name, email, token string }

// add makes an account by the command line.
func (h *house) add(name string, flags ...string) person {
	h.t.Helper()
	p := person{name: name, email: strings.ToLower(strings.ReplaceAll(name, " ", ".")) + "@example.com"}
	h.run(password+"\n", append([]string{"user", "add", "--email", p.email, "--name", name, "--password-stdin"}, flags...)...)
	p.token = h.run("", "token", "add", "--email", p.email)
	return p
}

// call is a JSON request of a program that acts for a person.
func (h *house) call(p person, path string, body map[string]any) map[string]any {
	h.t.Helper()
	text, err := json.Marshal(body)
	must(h.t, err)
	request, err := http.NewRequest(http.MethodPost, h.url+path, bytes.NewReader(text))
	must(h.t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+p.token)
	request.Header.Set("Idempotency-Key", auction.NewRequestID().String())
	response, err := http.DefaultClient.Do(request)
	must(h.t, err)
	defer response.Body.Close()
	var answer map[string]any
	must(h.t, json.NewDecoder(response.Body).Decode(&answer))
	if response.StatusCode != http.StatusCreated {
		h.t.Fatalf("POST %s: %d %v", path, response.StatusCode, answer)
	}
	return answer
}

// lot lists a lot that starts at 10.00 with an increment of 1.00, and returns its path.
func (h *house) lot(seller person, title string, lasts time.Duration) string {
	h.t.Helper()
	a := h.call(seller, "/auctions", map[string]any{"title": title, "startingPrice": "10.00", "minIncrement": "1.00",
		"endTime": time.Now().Add(lasts).UTC().Format(time.RFC3339Nano)})
	return fmt.Sprintf("/auctions/%.0f", a["id"])
}

// bid places a bid by JSON.
func (h *house) bid(p person, lot, amount string) {
	h.t.Helper()
	h.call(p, lot+"/bids", map[string]any{"amount": amount})
}

// end asks when a lot ends, as things are.
func (h *house) end(lot string) string {
	h.t.Helper()
	request, err := http.NewRequest(http.MethodGet, h.url+lot, nil)
	must(h.t, err)
	request.Header.Set("Accept", "application/json")
	response, err := http.DefaultClient.Do(request)
	must(h.t, err)
	defer response.Body.Close()
	var a struct{ EndTime string }
	must(h.t, json.NewDecoder(response.Body).Decode(&a))
	return a.EndTime
}

// streams asks /metrics how many streams are open.
func (h *house) streams() int {
	h.t.Helper()
	response, err := http.Get(h.url + "/metrics")
	must(h.t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	must(h.t, err)
	found := regexp.MustCompile(`(?m)^rostrum_streams_open (\d+)$`).FindSubmatch(text)
	if found == nil {
		h.t.Fatal("no rostrum_streams_open in /metrics")
	}
	n, err := strconv.Atoi(string(found[1]))
	must(h.t, err)
	return n
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
