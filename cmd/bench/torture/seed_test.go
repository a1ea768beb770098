package torture_test

import (
	"slices"
	"testing"
	"time"
)

func TestTheSameSeedMakesTheSameOffersAndFaults(t *testing.T) {
	made := func(seed uint64) (steps []step, made []fault) {
		for round := range 20 {
			for number := range 3 {
				s := script{seed: seed, round: round, lot: number, client: number, clients: 4, of: 30, pace: time.Millisecond}
				steps = append(steps, s.steps()...)
			}
			made = append(made, faults(seed, round)...)
		}
		return steps, made
	}
	steps, faults := made(7)
	again, faultsAgain := made(7)
	others, otherFaults := made(8)
	if !slices.Equal(steps, again) || !slices.Equal(faults, faultsAgain) {
		t.Error("the same seed makes other offers or faults")
	}
	if slices.Equal(steps, others) || slices.Equal(faults, otherFaults) {
		t.Error("another seed makes the same")
	}
}

func TestEachFaultIsMadeInTheShortForm(t *testing.T) {
	var made []string
	for round := range kinds {
		for _, f := range faults(7, round) {
			made = append(made, f.kind)
		}
	}
	if !slices.Equal(made, kinds) {
		t.Errorf("the faults are %q, want each of %q", made, kinds)
	}
}
