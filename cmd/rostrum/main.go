// Command rostrum is the auction house: the server, and the command line that
// looks after it.
package main

import (
	"os"
	_ "time/tzdata" // zones also where the system has none
)

func main() { os.Exit(run(os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr)) }
