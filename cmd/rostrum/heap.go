package main

import "runtime"

// spacious lets the heap grow by so much more between two collections. A house
// whose streams are few keeps some MB alive, and would be collected every few
// hundred bids: a quarter of what a bid costs the server went there. The bytes
// are never touched, so they take no memory themselves; what may grow is what is
// not collected yet, by these 64 MB at most, however large the heap is.
const spacious = 64 << 20

// makeRoom reserves them until the returned function is called.
func makeRoom() (giveBack func()) {
	room := make([]byte, spacious)
	return func() { runtime.KeepAlive(room) }
}
