package store_test

import (
	"database/sql"
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"rostrum/migrations"
	"rostrum/store"
	"rostrum/store/storetest"
)

// empty is a house whose database has nothing in it.
func empty(t *testing.T) *storetest.House {
	t.Helper()
	h := storetest.Open(t)
	h.Exec(`DROP SCHEMA public CASCADE`)
	h.Exec(`CREATE SCHEMA public`)
	return h
}

func files(t *testing.T) int {
	t.Helper()
	list, err := fs.Glob(migrations.Files, "*.sql")
	ok(t, err)
	return len(list)
}

func TestInstancesThatStartTogetherMigrateOnce(t *testing.T) {
	t.Parallel()
	h := empty(t)
	type migrated struct {
		n   int
		err error
	}
	answers := make(chan migrated, 4)
	for range cap(answers) {
		go func() {
			n, err := store.Migrate(t.Context(), h.URL, migrations.Files)
			answers <- migrated{n, err}
		}()
	}
	total := 0
	for range cap(answers) {
		m := receive(t, answers)
		ok(t, m.err)
		total += m.n
	}
	if total != files(t) {
		t.Errorf("%d migrations were applied, of %d", total, files(t))
	}
	if n, err := store.Migrate(t.Context(), h.URL, migrations.Files); n != 0 || err != nil {
		t.Errorf("once more: %d, %v", n, err)
	}
	h.Person(true)
}

func TestANewerSchemaIsRefusedAndLeftAlone(t *testing.T) {
	t.Parallel()
	h := empty(t)
	newer := fstest.MapFS{}
	for _, name := range []string{"20261130090000_people.sql", "20261130090100_auctions.sql"} {
		newer[name] = &fstest.MapFile{Data: []byte("-- +goose Up\nSELECT 1;\n")}
	}
	newer["99990101000000_far.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\nCREATE TABLE far ();\n")}
	if n, err := store.Migrate(t.Context(), h.URL, newer); n != 3 || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	if n, err := store.Migrate(t.Context(), h.URL, migrations.Files); n != 0 || !errors.Is(err, store.ErrNewerSchema) {
		t.Errorf("%d, %v", n, err)
	}
	if n := value[int](t, h, `SELECT count(*) FROM goose_db_version WHERE version_id > 0`); n != 3 {
		t.Errorf("%d migrations are applied", n)
	}
}

// A migration that was written earlier may land later.
func TestAMigrationMayComeOutOfOrder(t *testing.T) {
	t.Parallel()
	h := empty(t)
	some := fstest.MapFS{
		"20270101000000_first.sql": {Data: []byte("-- +goose Up\nCREATE TABLE first ();\n")},
		"20270103000000_third.sql": {Data: []byte("-- +goose Up\nCREATE TABLE third ();\n")},
	}
	if n, err := store.Migrate(t.Context(), h.URL, some); n != 2 || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	some["20270102000000_second.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\nCREATE TABLE second ();\n")}
	if n, err := store.Migrate(t.Context(), h.URL, some); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

// A migration that fails leaves nothing of itself, and is tried again.
func TestAFailedMigrationLeavesNothing(t *testing.T) {
	t.Parallel()
	h := empty(t)
	some := fstest.MapFS{"20270101000000_first.sql": {Data: []byte("-- +goose Up\nCREATE TABLE first ();\nSELECT 1 / 0;\n")}}
	if _, err := store.Migrate(t.Context(), h.URL, some); err == nil {
		t.Error("it went through")
	}
	some["20270101000000_first.sql"].Data = []byte("-- +goose Up\nCREATE TABLE first ();\n")
	if n, err := store.Migrate(t.Context(), h.URL, some); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

func TestTheMigrationsGoDownAndUpAgain(t *testing.T) {
	t.Parallel()
	h := storetest.Open(t)
	db, err := sql.Open("pgx", h.URL)
	ok(t, err)
	t.Cleanup(func() { _ = db.Close() })
	provider, err := goose.NewProvider(goose.DialectPostgres, db, migrations.Files)
	ok(t, err)
	_, err = provider.DownTo(t.Context(), 0)
	ok(t, err)
	if left := value[[]string](t, h, `
		SELECT coalesce(array_agg(name), '{}') FROM (
			SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
			UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace) o
		WHERE name NOT LIKE 'goose_db_version%'`); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if n, err := store.Migrate(t.Context(), h.URL, migrations.Files); n != files(t) || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}
