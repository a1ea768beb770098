package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// patience is how long PostgreSQL may show no sign of life. Recovery, which
// says that it is at work, may take as long as it needs.
const patience = 30 * time.Second

// ready returns when the database accepts connections, having started
// PostgreSQL if need be. Only a connection proves that it runs: right after a
// kill its pid file, and even its process, can still be there. The caller is
// inside the gate.
func (c *Cluster) ready(ctx context.Context, gate *os.File) (err error) {
	var server *server
	defer func() {
		if err != nil && server != nil {
			_ = c.end(server.pid) // nobody is waiting for it any more
		}
	}()
	sign := time.Now()
	for pause := 5 * time.Millisecond; ; pause = min(pause*3/2, 250*time.Millisecond) {
		obstacle := c.connect(ctx)
		switch {
		case obstacle == nil:
			return nil
		case ctx.Err() != nil:
			return fmt.Errorf("the start of PostgreSQL in %s was interrupted: %w", c.folder, ctx.Err())
		case isStarting(obstacle):
			sign = time.Now()
		case server == nil && !c.running():
			if server, err = c.launch(ctx, gate); err != nil {
				return err
			}
			pause = 5 * time.Millisecond
		case server != nil && server.exited():
			if !server.mayRetry() || time.Since(sign) > patience {
				return fmt.Errorf("PostgreSQL in %s does not start: %s", c.folder, server.lastWords())
			}
			c.killOrphans()
			server = nil
		case time.Since(sign) > patience:
			return fmt.Errorf("PostgreSQL in %s does not answer: %s", c.folder, reason(obstacle))
		}
		_ = sleep(ctx, pause) // cut short, the next connection fails for it
	}
}

// launch starts PostgreSQL, on a cluster made anew where there is none, and
// does not wait for it to be ready.
func (c *Cluster) launch(ctx context.Context, gate *os.File) (*server, error) {
	if c.bin == "" {
		found, err := matching(ctx, c.folder, c.major)
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
	cmd := command(context.Background(), c.bin, "postgres", c.arguments()...)
	cmd.Dir = c.data() // from the first moment, for alive
	cmd.SysProcAttr = who.attr()
	cmd.Stdout, cmd.Stderr = log, log
	return start(cmd, log)
}

// reason is the part of a failed connection's error that fits in a line.
func reason(err error) string {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Message
	}
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
