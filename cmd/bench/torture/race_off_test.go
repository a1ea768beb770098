//go:build !race

package torture_test

var build = []string{"build", "-ldflags=-w"}
