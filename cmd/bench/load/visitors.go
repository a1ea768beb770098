package load

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"rostrum/cmd/bench/house"
	"rostrum/cmd/bench/wire"
)

// Page is one kind of page that visitors look at.
type Page struct {
	Kind string
	Path func(*rand.Rand) string
	Has  string // what stands in a right one
}

// Tour says who looks at which pages.
type Tour struct {
	House    *house.House
	Pages    []Page // each as often as the others
	Visitors int    // each with a connection, none signed in
	For      time.Duration
	Warm     time.Duration // how long they look before that, which is not told
	Rate     float64       // pages a second; 0: as fast as they are answered
	Seed     uint64
}

// Visit is one page that was asked for. Times are as a Shot's.
type Visit struct {
	Page                    int
	Due, Free, Sent, Return time.Duration
	Status                  int // 0: no answer
	Right                   bool
	Size                    int
}

// asksPage are a browser's headers; what it would cost to unpack a page is not
// the house's.
const asksPage = "Accept: text/html\r\n"

// Run lets the visitors look.
func (t Tour) Run(ctx context.Context) ([]Visit, error) {
	conns := make([]*wire.Conn, t.Visitors)
	for i := range conns {
		conn, err := wire.New(t.House.URLs[i%len(t.House.URLs)], house.Patience)
		if err != nil {
			return nil, err
		}
		defer conn.Close()
		if err := conn.Open(); err != nil {
			return nil, fmt.Errorf("visitor %d: %w", i+1, err)
		}
		conns[i] = conn
	}
	schedule := NewSchedule(t.Rate, t.Warm+t.For)
	visits := make([][]Visit, t.Visitors)
	var wait sync.WaitGroup
	for i := range conns {
		wait.Go(func() { visits[i] = t.look(ctx, schedule, conns[i], rand.New(rand.NewPCG(t.Seed, uint64(i)))) })
	}
	wait.Wait()
	var all []Visit
	for _, some := range visits {
		for _, v := range some {
			if v.Due >= t.Warm {
				v.Due, v.Free, v.Sent, v.Return = v.Due-t.Warm, v.Free-t.Warm, v.Sent-t.Warm, v.Return-t.Warm
				all = append(all, v)
			}
		}
	}
	return all, nil
}

func (t Tour) look(ctx context.Context, schedule *Schedule, conn *wire.Conn, dice *rand.Rand) (visits []Visit) {
	schedule.Work(ctx, func(due, free time.Duration) {
		v := Visit{Page: dice.IntN(len(t.Pages)), Due: due, Free: free}
		page := t.Pages[v.Page]
		path := page.Path(dice)
		v.Sent = schedule.Now()
		status, body, err := conn.Do(http.MethodGet, path, asksPage, nil)
		v.Return = schedule.Now()
		if err == nil {
			v.Status, v.Size = status, len(body)
			v.Right = status == http.StatusOK && bytes.Contains(body, []byte(page.Has))
		}
		visits = append(visits, v)
	})
	return visits
}
