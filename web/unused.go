package web

import (
	"net"
	"net/http"
	"sync"
)

// unused are the connections on which nothing has been asked yet. Browsers open such ahead; Shutdown
// takes each for a request that is on its way and waits up to six seconds for it.
type unused struct {
	mu    sync.Mutex
	conns map[net.Conn]struct{}
}

// track is the server's ConnState.
func (u *unused) track(c net.Conn, state http.ConnState) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if state == http.StateNew {
		u.conns[c] = struct{}{}
	} else {
		delete(u.conns, c)
	}
}

// close closes them all, once no new ones can come.
func (u *unused) close() {
	u.mu.Lock()
	defer u.mu.Unlock()
	for c := range u.conns {
		_ = c.Close()
	}
}
