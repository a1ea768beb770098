package web

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

func TestARequestIsFinishedThoughItsVisitorSeemsGoneButNotForEver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		visitor, leave := context.WithCancel(t.Context())
		began := time.Now()
		h := Finish(10 * time.Second)(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			leave()
			if err := r.Context().Err(); err != nil {
				t.Errorf("the visitor left: %v", err)
			}
			<-r.Context().Done()
			if err := r.Context().Err(); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 10*time.Second {
				t.Errorf("after %v: %v", time.Since(began), err)
			}
		}))
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(visitor, http.MethodGet, "/", nil))
	})
}
