//go:build race

package torture_test

// build builds the house like its tests: what is compiled already is used, and
// an instance that finds a race does not end in order.
var build = []string{"build", "-race", "-ldflags=-w"}
