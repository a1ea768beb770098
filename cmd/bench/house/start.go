package house

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"rostrum/store/auction"
)

// Options say how to start a house.
type Options struct {
	Bin       string // "": it is built
	Instances int    // at least 1
	SoftClose time.Duration
	Log       io.Writer // what the instances say goes here
}

// BidRate is how many bids a second a house that is started takes from one
// person: a few bidders stand for many, so nobody is slowed down.
const BidRate = 1_000_000

// started is what a house is made of that bench started.
type started struct {
	folder   string
	bin      string
	env      []string
	servers  []*exec.Cmd
	exited   chan error
	crowd    int    // how many imports there were
	database string // its address; "": not asked for yet
}

// Start starts a house, with its own database in a temporary folder unless
// DATABASE_URL names one. It is open when Start returns; Stop it.
func Start(ctx context.Context, o Options) (h *House, err error) {
	s := &started{bin: o.Bin, exited: make(chan error, o.Instances)}
	if s.folder, err = os.MkdirTemp("", "rostrum-bench-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.stop())
		}
	}()
	if s.bin == "" {
		if s.bin, err = build(ctx, s.folder); err != nil {
			return nil, err
		}
	}
	s.env = append(os.Environ(), "ROSTRUM_DATA_DIR="+filepath.Join(s.folder, "data"), "ROSTRUM_CURRENCY=USD",
		"ROSTRUM_BID_RATE="+strconv.Itoa(BidRate), "ROSTRUM_SOFT_CLOSE="+o.SoftClose.String())
	h = &House{Currency: auction.Currency{Code: "USD", Digits: 2}, SoftClose: o.SoftClose, started: s}
	for range o.Instances { // one after the other: the first one migrates
		url, err := s.serve(o.Log)
		if err != nil {
			return nil, err
		}
		if err := s.ready(ctx, url); err != nil {
			return nil, err
		}
		h.URLs = append(h.URLs, url)
	}
	sellers, err := s.importPeople("seller", 1, true)
	if err != nil {
		return nil, err
	}
	h.Seller = sellers[0]
	return h, nil
}

func build(ctx context.Context, folder string) (string, error) {
	bin := filepath.Join(folder, "rostrum")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", bin, "rostrum/cmd/rostrum")
	if said, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the house (--bin names one that is built): %w: %s", err, said)
	}
	return bin, nil
}

// serve starts one instance.
func (s *started) serve(log io.Writer) (string, error) {
	address, err := freeAddress()
	if err != nil {
		return "", err
	}
	cmd := exec.Command(s.bin, "serve")
	cmd.Env = append(s.env, "ROSTRUM_ADDR="+address)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = Child()
	if err := cmd.Start(); err != nil {
		return "", err
	}
	s.servers = append(s.servers, cmd)
	go func() { s.exited <- cmd.Wait() }()
	return "http://" + address, nil
}

func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}

func (s *started) ready(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	for {
		if answers(ctx, url+"/readyz") {
			return nil
		}
		select {
		case err := <-s.exited:
			s.exited <- err
			return fmt.Errorf("the house did not open (its own words are above): %w", err)
		case <-ctx.Done():
			return fmt.Errorf("the house did not open in time: %w", ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func answers(ctx context.Context, url string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	return response.StatusCode == http.StatusOK
}

// command runs one of the house's own commands and returns what it prints.
func (s *started) command(args ...string) (string, error) {
	cmd := exec.Command(s.bin, args...)
	cmd.Env = s.env
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("rostrum %s: %w: %s", strings.Join(args[:2], " "), err, &said)
	}
	return string(out), nil
}

func (s *started) stop() error {
	var errs []error
	for _, server := range s.servers {
		_ = server.Process.Signal(syscall.SIGTERM) // it may have ended
	}
	for range s.servers {
		select {
		case err := <-s.exited:
			errs = append(errs, err)
		case <-time.After(30 * time.Second):
			errs = append(errs, errors.New("an instance did not stop within 30 s and was killed"))
			for _, server := range s.servers {
				_ = server.Process.Kill()
			}
		}
	}
	return errors.Join(append(errs, os.RemoveAll(s.folder))...)
}
