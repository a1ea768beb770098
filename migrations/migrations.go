// Package migrations holds the database's schema as goose migrations, embedded
// in the program. A migration that has landed is never edited: what changes
// comes in a new file, named by its timestamp, and a changed function is copied
// into it whole. It imports nothing.
package migrations

import "embed"

// Files are the migrations, in the order of their names.
//
//go:embed *.sql
var Files embed.FS
