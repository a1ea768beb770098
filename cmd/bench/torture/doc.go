// Package torture proves that the house as it is run keeps the rules of
// bidding: several processes on one PostgreSQL, a crowd that speaks HTTP, and
// processes killed meanwhile. It has only tests; store's own proofs, in one
// process, make the troubles that are too fine for processes.
package torture
