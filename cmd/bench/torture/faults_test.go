package torture_test

import (
	"context"
	"syscall"
	"time"
)

// make makes one fault, and mends what it broke where the house does not do so
// itself.
func (r *round) make(f fault) {
	r.t.Helper()
	time.Sleep(f.after - time.Since(r.began))
	in := r.instances[f.victim%len(r.instances)]
	switch f.kind {
	case killInstance:
		r.kill(in)
		time.Sleep(f.down)
		r.start(in)
	case stopInstance:
		r.stop(in)
		time.Sleep(f.down)
		r.start(in)
	case killAll:
		for _, in := range r.instances {
			r.kill(in)
		}
		for _, in := range r.instances {
			r.start(in)
		}
	case killBackend:
		r.killBackend()
	case killPostmaster:
		r.killPostmaster()
	}
}

// killBackend kills a process of PostgreSQL that serves the house, one that
// judges if there is one. PostgreSQL then ends all others and recovers.
func (r *round) killBackend() {
	r.t.Helper()
	var pid int
	r.until("a backend is at work", func() bool {
		err := r.sql.QueryRow(r.t.Context(), `SELECT pid FROM pg_stat_activity WHERE application_name = 'rostrum'
			ORDER BY state = 'active' AND query LIKE '%judge_bids%' DESC, state = 'active' DESC, random() LIMIT 1`).Scan(&pid)
		return err == nil
	})
	ok(r.t, syscall.Kill(pid, syscall.SIGKILL))
	r.recovered()
}

// killPostmaster kills PostgreSQL's first process. The others end when they
// notice, some of them after a commit that nobody is told of, and an instance
// starts it again.
func (r *round) killPostmaster() {
	r.t.Helper()
	pid := r.postmaster()
	ok(r.t, syscall.Kill(pid, syscall.SIGKILL))
	r.until("an instance starts PostgreSQL again", func() bool { now := r.postmaster(); return now != 0 && now != pid })
	r.recovered()
}

// recovered waits until PostgreSQL answers again.
func (r *round) recovered() {
	r.t.Helper()
	r.sql.Reset()
	r.until("PostgreSQL recovers", func() bool {
		ctx, cancel := context.WithTimeout(r.t.Context(), 5*time.Second)
		defer cancel()
		return r.sql.Ping(ctx) == nil
	})
}
