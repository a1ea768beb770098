package load

import (
	"testing"
	"time"
)

func TestWhatWarmsTheHouseUpIsNotMeasuredAndTheRestCountsFromThen(t *testing.T) {
	const ms = time.Millisecond
	shots := []Shot{
		{Cents: 1, Due: 90 * ms, Sent: 90 * ms, Return: 250 * ms}, // due before, answered after
		{Cents: 2, Due: 100 * ms, Free: 80 * ms, Sent: 101 * ms, Return: 130 * ms},
		{Cents: 3, Due: 110 * ms, Free: 120 * ms, Sent: 120 * ms, Return: 150 * ms},
	}
	measured := After(100*ms, shots)
	if len(measured) != 2 || measured[0].Cents != 2 || measured[1].Cents != 3 {
		t.Fatalf("measured %+v", measured)
	}
	if first, last := measured[0], measured[1]; first.Due != 0 || first.Latency() != 30*ms || first.Late() != ms || first.Queued() ||
		last.Return != 50*ms || last.Latency() != 40*ms || last.Late() != 0 || !last.Queued() {
		t.Errorf("measured %+v", measured)
	}
	if shots[1].Due != 100*ms {
		t.Error("the audit's own times were changed")
	}
	if all := After(0, shots); len(all) != 3 || all[0].Due != 90*ms {
		t.Errorf("without a warm-up: %+v", all)
	}
}
