package torture_test

import (
	"net"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"rostrum/cmd/bench/house"
)

// instance is one process of the house, or after a restart the next one.
type instance struct {
	number int
	log    string

	mu     sync.Mutex
	url    string
	cmd    *exec.Cmd
	exited chan struct{} // closed when the process has ended, as err says
	err    error
}

// at is where the instance listens, or did before it was killed.
func (in *instance) at() string {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.url
}

// start starts an instance at an address of its own and waits until it is open.
func (p *place) start(in *instance) {
	p.t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	ok(p.t, err)
	address := listener.Addr().String()
	ok(p.t, listener.Close())
	log, err := os.OpenFile(in.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	ok(p.t, err)
	defer log.Close()
	cmd := exec.Command(p.bin, "serve")
	cmd.Env = append(p.env[:len(p.env):len(p.env)], "ROSTRUM_ADDR="+address)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = house.Child() // a test that is killed leaves nobody behind
	ok(p.t, cmd.Start())
	exited := make(chan struct{})
	in.mu.Lock()
	in.url, in.cmd, in.exited = "http://"+address, cmd, exited
	in.mu.Unlock()
	go func() {
		in.err = cmd.Wait()
		close(exited)
	}()
	p.ready(in)
}

func (p *place) ready(in *instance) {
	p.t.Helper()
	client := http.Client{Timeout: 5 * time.Second}
	p.until("an instance opens", func() bool {
		if !in.runs() {
			p.t.Fatalf("instance %d ended by itself: %v", in.number, in.err)
		}
		response, err := client.Get(in.at() + "/readyz")
		if err != nil {
			return false
		}
		response.Body.Close()
		return response.StatusCode == http.StatusOK
	})
}

func (in *instance) runs() bool {
	select {
	case <-in.exited:
		return false
	default:
		return true
	}
}

// kill ends an instance at once.
func (p *place) kill(in *instance) {
	p.t.Helper()
	ok(p.t, in.cmd.Process.Kill())
	<-in.exited
}

// stop asks an instance to end, which it must do without an error.
func (p *place) stop(in *instance) {
	if in.cmd == nil || !in.runs() {
		return
	}
	if err := in.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Error(err)
	}
	select {
	case <-in.exited:
		if in.err != nil {
			p.t.Errorf("instance %d was asked to stop and ended with %v", in.number, in.err)
		}
	case <-time.After(patience):
		p.t.Errorf("instance %d did not stop within %v", in.number, patience)
		_ = in.cmd.Process.Kill()
		<-in.exited
	}
}
