package torture_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strings"

	"rostrum/store/auction"
	"rostrum/store/auction/history"
)

// watch records a lot's live frames at an instance, on a new stream after each
// that broke, until one says that the lot is over and the stream ends with it.
func (r *round) watch(ctx context.Context, l *lot, in *instance) {
	for ctx.Err() == nil {
		if r.stream(ctx, l, in) {
			return
		}
		pause(ctx, retry)
	}
	r.t.Errorf("seed %d: at instance %d no stream told that lot %d is over", r.seed, in.number, l.begin.ID)
}

func (r *round) stream(ctx context.Context, l *lot, in *instance) (over bool) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/auctions/%d/events", in.at(), l.begin.ID), nil)
	if err != nil {
		r.t.Error(err)
		return false
	}
	request.Header.Set("Accept", "text/event-stream")
	a := history.Answer{Kind: history.Frame, Client: int(r.streams.Add(1)), Call: r.recorder.Now()}
	response, err := r.readers.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		if response.StatusCode != http.StatusServiceUnavailable {
			r.t.Errorf("seed %d: a stream was answered %d", r.seed, response.StatusCode)
		}
		return false
	}
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		data, found := strings.CutPrefix(lines.Text(), "data:")
		if !found {
			continue
		}
		a.Return = r.recorder.Now()
		if _, a.Told, err = r.readTold([]byte(data)); err != nil {
			r.t.Errorf("seed %d: %v", r.seed, err)
			return true
		}
		r.recorder.Add(l.begin.ID, a)
		if over {
			r.t.Errorf("seed %d: after the last frame of lot %d came another", r.seed, l.begin.ID)
		}
		over = a.Told.Status != auction.Open
	}
	return over
}
