package handlers_test

import (
	"net/http"
	"testing"

	"rostrum/handlers"
	"rostrum/store/auction"
)

func TestThePageOfAllComponentsIsForThoseWhoWorkOnThem(t *testing.T) {
	t.Parallel()
	if status := open(t).visitor().get("/design").StatusCode; status != http.StatusNotFound {
		t.Errorf("a house for everybody shows it: %d", status)
	}
	for _, code := range []string{"USD", "JPY"} {
		currency, err := auction.NewCurrency(code)
		if err != nil {
			t.Fatal(err)
		}
		a := open(t, func(o *handlers.Options) { o.Dev, o.Currency = true, currency }).visitor().get("/design")
		a.shows(t, "You are leading.", "You have been outbid.", "Ended, being confirmed.", "You won.", "This lot was withdrawn.", "Write an amount like 10.00.")
	}
}
