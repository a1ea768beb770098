package web

import (
	"container/list"
	"runtime"
	"sync"
	"time"
)

const (
	// fewest is how many streams a belt has before a second one is worth its goroutine.
	fewest = 1000
	// courtesy is after how many streams a belt lets others have its processor: a write takes some ten
	// microseconds, and a bid that arrives in the middle of ten thousand must not wait for the last.
	courtesy = 32
	// nap is the shortest sleep: streams that are due within it are served together.
	nap = time.Millisecond
)

// belt serves streams of one key and one form, each in its turn: in front is who was sent to longest ago.
// Nobody behind is due before them, nor older in what they know (but for who took long over a frame, and
// looks for itself after that), so one look at the front tells what is to do. A rush of ten thousand streams
// is one goroutine's work, not ten thousand wake-ups that everything else in the program must queue behind.
type belt[T any] struct {
	topic *topic[T]
	form  string

	mu      sync.Mutex
	seats   list.List // of *seat[T], by at
	running bool
	made    int64 // the version whose bytes were made ahead; of who runs
}

// beltsAtMost leaves half of the processors to those who bid.
func beltsAtMost() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// start sets the belt going, if it is not and somebody rides on it.
func (b *belt[T]) start() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.running && b.seats.Len() > 0 {
		b.running = true
		go b.run()
	}
}

// run serves until everybody has the newest frame.
func (b *belt[T]) run() {
	for n := 1; ; n++ {
		at, f, wait := b.next()
		switch {
		case at == nil:
			return
		case wait <= 0:
			at.stream.offer(at, f)
		case b.made < f.Version: // what takes long to make would else come that much later each time
			at.stream.prepare(f)
			b.made = f.Version
		default:
			time.Sleep(max(wait, nap))
		}
		if n%courtesy == 0 {
			runtime.Gosched()
		}
	}
}

// next returns who is next and their frame, and how long until they are due. Who is due goes to the back.
// Nobody is next where all have the newest: the belt stands still.
func (b *belt[T]) next() (at *seat[T], f *Frame[T], wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f = b.topic.newest.Load()
	front := b.seats.Front()
	if front == nil || f == nil || front.Value.(*seat[T]).told >= f.Version {
		b.running = false
		return nil, nil, 0
	}
	at = front.Value.(*seat[T])
	now := time.Now()
	if wait := b.topic.pace - now.Sub(at.at); wait > 0 {
		return at, f, wait
	}
	at.told, at.at = f.Version, now
	b.seats.MoveToBack(front)
	return at, f, 0
}

// add lets a seat ride along, in front, since it was never sent to. Of what was let out before it need not
// be told: its stream looks for itself when it begins.
func (b *belt[T]) add(at *seat[T]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	at.belt, at.place = b, b.seats.PushFront(at)
}

// sent notes what a seat was sent just now, and puts it where it belongs: at the back.
func (b *belt[T]) sent(at *seat[T], version int64, when time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	at.told, at.at = version, when
	b.seats.MoveToBack(at.place)
}

func (b *belt[T]) remove(at *seat[T]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seats.Remove(at.place)
}

func (b *belt[T]) len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.seats.Len()
}
