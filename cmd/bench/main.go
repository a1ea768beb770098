// Command bench is a stranger with a stopwatch: it speaks only HTTP to a house
// that runs, measures how it answers, and audits its books afterwards.
//
// It may import store/auction and store/auction/history, and nothing else of
// ours.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], os.Getenv, os.Stdout, os.Stderr)) }
