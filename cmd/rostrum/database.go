package main

import (
	"context"
	"time"

	"rostrum/migrations"
	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/store/embedded"
)

// database is the house's PostgreSQL: the one that was named, or the embedded
// one, which this process then shares with others.
type database struct {
	url     string
	cluster *embedded.Cluster // nil: DATABASE_URL was set
}

func (p *program) openDatabase(ctx context.Context) (*database, error) {
	if p.settings.DatabaseURL != "" {
		return &database{url: p.settings.DatabaseURL}, nil
	}
	cluster, err := embedded.Open(ctx, embedded.Options{Dir: p.settings.DataDir})
	if err != nil {
		return nil, err
	}
	return &database{url: cluster.URL(), cluster: cluster}, nil
}

// close gives the share in an embedded PostgreSQL up; the last one out stops
// it. An error goes into err where there is none yet.
func (d *database) close(err *error) {
	if d.cluster == nil {
		return
	}
	if closing := d.cluster.Close(); *err == nil {
		*err = closing
	}
}

// openStore migrates the database and opens it.
func (p *program) openStore(ctx context.Context, url string, judged func(auction.Verdict, time.Duration)) (*store.Store, error) {
	applied, err := store.Migrate(ctx, url, migrations.Files)
	if err != nil {
		return nil, err
	}
	if applied > 0 {
		p.log.Info("the schema was brought up to date", "migrations", applied)
	}
	return store.Open(ctx, store.Options{
		URL: url, ReadURL: p.settings.ReadURL, SoftClose: p.settings.SoftClose,
		LaneConns: p.settings.LaneConns, LaneQueue: p.settings.LaneQueue, Judged: judged,
	})
}

// withStore runs a command that needs the house's database.
func (p *program) withStore(ctx context.Context, command func(*store.Store) error) (err error) {
	db, err := p.openDatabase(ctx)
	if err != nil {
		return err
	}
	defer db.close(&err)
	s, err := p.openStore(ctx, db.url, nil)
	if err != nil {
		return err
	}
	defer s.Close()
	return command(s)
}
