// Package embedded keeps a private PostgreSQL for a house that was given no
// DATABASE_URL: it finds the machine's binaries, makes a cluster in the data
// directory, starts it, shares it with the command line tools and stops it when
// the last one leaves. It listens on a Unix socket in a folder that only its
// owner may enter, so it needs no password and no port.
//
// Every process that uses the cluster holds a shared lock on a file beside it;
// an exclusive lock on another file, the gate, is held while somebody starts or
// stops it. Locks die with their process, so a server that was killed leaves
// nothing to tidy up: the next one adopts the PostgreSQL it left running.
//
// The package imports nothing of ours. It never logs: what goes wrong is
// returned, as one line in plain English.
package embedded

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

// Options say where the cluster lives and which PostgreSQL runs it.
type Options struct {
	Dir string // the data directory; made where it is missing
	Bin string // the folder of initdb and postgres; "" looks for the newest of version 15 or later
}

// Cluster is one running PostgreSQL that this process has a share in.
type Cluster struct {
	dir    string // the data directory: absolute, without symbolic links
	folder string // everything that belongs to one major version
	socket string // the folder of the Unix socket
	major  int
	bin    string   // the folder of the binaries, "" until they are needed
	share  *os.File // holds the shared lock until Close
	closed atomic.Bool
}

// Open returns a cluster that accepts connections and has the database
// "rostrum": it joins one that runs, adopts one that a killed process left, and
// otherwise starts its own, made anew where there is none. It waits for as long
// as another process is starting or stopping the same cluster.
func Open(ctx context.Context, o Options) (*Cluster, error) {
	dir, err := dataDirectory(o.Dir)
	if err != nil {
		return nil, err
	}
	c := &Cluster{dir: dir}
	gate, err := c.enterGate(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock(gate)
	if err := c.choose(ctx, o.Bin); err != nil {
		return nil, err
	}
	if err := c.prepare(); err != nil {
		return nil, err
	}
	if c.share, err = lock(ctx, c.shareFile(), shared); err != nil {
		return nil, unusable(c.folder, err)
	}
	if err := c.ready(ctx, gate); err != nil {
		_ = c.leave() // the first error tells more
		return nil, err
	}
	return c, nil
}

// URL is the address of the database as a libpq URI, for pgx and for psql -d.
func (c *Cluster) URL() string { return c.address("rostrum") }

// Close gives up this process's share. The last one out stops PostgreSQL and
// returns when it has ended. A second Close does nothing.
func (c *Cluster) Close() error {
	if c.closed.Swap(true) {
		return nil
	}
	// Whoever holds the gate is starting what we are leaving: it can take a
	// while, and is not worth more than this.
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	gate, err := c.enterGate(ctx)
	if err != nil {
		unlock(c.share)
		return err
	}
	defer unlock(gate)
	return c.leave()
}

// leave gives up the share and, if nobody else holds one, stops PostgreSQL. The
// caller is inside the gate, so nobody can join meanwhile.
func (c *Cluster) leave() error {
	unlock(c.share)
	last, err := tryLock(c.shareFile())
	if err != nil || last == nil {
		return err
	}
	defer unlock(last)
	return c.stop()
}

// address writes a blank as %20: libpq does not read "+" as one.
func (c *Cluster) address(database string) string {
	host := strings.ReplaceAll(url.QueryEscape(c.socket), "+", "%20")
	return "postgresql://rostrum@/" + database + "?host=" + host + "&port=5432"
}

func (c *Cluster) data() string      { return filepath.Join(c.folder, "data") }
func (c *Cluster) logFile() string   { return filepath.Join(c.folder, "log") }
func (c *Cluster) shareFile() string { return filepath.Join(c.folder, "in-use") }
