// Package history proves that a house kept the rules of bidding (spec: B1 to
// B14) towards those who watched it from outside: it takes what several clients
// recorded of one lot (offers and answers, reads, live frames, with the
// instants at which they asked and were answered) and says whether one order of
// handling them one after another explains all of it.
//
// It imports store/auction. The tests of the store use it, and cmd/bench audits
// a house by it.
package history
