package web

// Sink is where a stream's frames go.
type Sink[T any] struct {
	Send func(*Frame[T]) error // may wait for the reader
	Beat func() error          // breaks a silence; may wait

	// Offer, if there is one, sends a frame without waiting, on a goroutine that serves many streams. It is
	// called while Follow waits, never beside Send, Beat or Rest. What it refuses is given to Send; what it
	// could only begin must be finished by Rest, which is called before anything else is sent.
	Offer func(*Frame[T]) Offered
	Rest  func() error

	// Prepare, if there is one, makes the bytes of a frame that will be offered when its time has come.
	Prepare func(*Frame[T])
}

// Offered is what became of a frame that was offered.
type Offered int

// Nothing of it was sent, a part, or all.
const (
	Refused Offered = iota
	Begun
	Sent
)
