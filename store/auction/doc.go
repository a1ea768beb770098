// Package auction holds the nouns of the house and its pure rules: what an
// auction, an offer, an outcome, an amount and a person are. It imports the
// standard library and the money libraries only, and every other room may
// import it. Nothing here reads a clock, a database or a request.
package auction
