package main

import (
	"strings"
	"testing"
)

func TestAWrongCallIsToldInOneLineAndExits2(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ args, want string }{
		{"", "expected"},
		{"dance", "dance"},
		{"bids --bidders 0", "--bidders 0 is not 1 to 50000"},
		{"bids --bidders many", "--bidders"},
		{"bids --for 0s", "--for 0s"},
		{"bids --for 2h", "--for 2h0m0s"},
		{"bids --rate -1", "--rate"},
		{"bids --rate=NaN", "--rate NaN"},
		{"bids --low 1.5", "--low 1.5 is not a share from 0 to 1"},
		{"bids --instances 0", "--instances 0"},
		{"bids --url http://127.0.0.1:1", "--url needs --tokens"},
		{"bids --url http://127.0.0.1:1 --tokens x", "ROSTRUM_BENCH_TOKEN"},
		{"bids --url http://127.0.0.1:1 --tokens x --bin y", "--bin and --instances"},
		{"bids --tokens x", "give --url"},
		{"bids --plot /nowhere/at/all.svg", "--plot /nowhere/at/all.svg"},
		{"spread --lots 0", "--lots 0"},
		{"spread --low 2", "--low 2"},
		{"close --lots 0", "--lots 0"},
		{"close --rate 0", "--rate"},
		{"close --due 1s", "--due 1s"},
		{"close --others 401", "--others 401"},
		{"watch --streams 0", "--streams 0"},
		{"watch --streams 5 --stalled 5", "--stalled 5"},
		{"watch --rate 0", "--rate"},
		{"pages --visitors 0", "--visitors 0"},
		{"pages --rate -3", "--rate"},
	} {
		code, stdout, stderr := bench(nil, strings.Fields(c.args)...)
		if code != 2 || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, c.want) {
			t.Errorf("bench %s: exit %d, %q, %q, want %q", c.args, code, stdout, stderr, c.want)
		}
	}
}

func TestHelpExits0(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"--help", "bids --help", "spread --help", "close --help", "watch --help", "pages --help"} {
		if code, stdout, _ := bench(nil, strings.Fields(args)...); code != 0 || !strings.Contains(stdout, "Usage: bench") {
			t.Errorf("bench %s: exit %d, %q", args, code, stdout)
		}
	}
}

func TestAHouseThatDoesNotOpenFailsTheRun(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"bids --bin /bin/false", "bids --bin /no/such/program"} {
		if code, _, stderr := bench(nil, strings.Fields(args)...); code != 1 || !strings.Contains(stderr, "bench: ") {
			t.Errorf("bench %s: exit %d, %q", args, code, stderr)
		}
	}
}
