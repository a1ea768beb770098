// Package history proves that a house kept the rules of bidding (spec: B1 to
// B14) towards those who watched it from outside: it takes what several clients
// recorded of one lot (offers and answers, reads, live frames, with the
// instants at which they asked and were answered) and says whether one order of
// handling them one after another explains all of it.
//
// Lot.Check goes by version, for any number of answers. Lot.Linearizable asks
// porcupine, which tries orders, for small histories.
//
// It imports store/auction, and porcupine in one file. The tests of the store
// use it, and cmd/bench audits a house by it.
package history
