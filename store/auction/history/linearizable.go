package history

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"

	"rostrum/store/auction"
)

// Linearizable asks porcupine whether some order of handling everything one
// after another explains what was recorded. It does not take the order from
// the versions and needs no log: an unknown bid may have happened or not.
// It is for small histories, a few clients and some dozens of answers, because
// it may try very many orders.
func (l Lot) Linearizable(patience time.Duration) error {
	for i := range l.Answers {
		a := &l.Answers[i]
		if a.Told.Version < a.Bid.Version || a.Told.Version == 0 && !a.Unknown() && a.Verdict != auction.Reused {
			return fmt.Errorf("it tells no state, or one older than its bid's: %s", a)
		}
	}
	operations := l.operations()
	history := make([]porcupine.Operation, len(operations))
	for i, o := range operations {
		history[i] = porcupine.Operation{Input: o, Call: int64(o.call), Return: int64(o.ret)}
	}
	result, info := porcupine.CheckOperationsVerbose(l.model(operations), history, patience)
	switch result {
	case porcupine.Ok:
		return nil
	case porcupine.Unknown:
		return fmt.Errorf("%d operations were not decided in %v", len(history), patience)
	default:
		return unexplained(history, info)
	}
}

func (l Lot) model(operations []operation) porcupine.Model {
	asked := map[auction.RequestID]int{}
	for _, a := range l.Answers {
		asked[a.Offer.RequestID]++
		if a.Verdict == auction.Replayed { // after an acceptance that may be nobody's answer
			asked[a.Offer.RequestID]++
		}
	}
	tellings := map[int64]int{}
	for _, o := range operations {
		if o.what == telling {
			tellings[o.answer.Told.Version]++
		}
	}
	begin := world{state: stateOf(l.Begin), lot: &l, asked: asked, tellings: tellings, untold: tellings[l.Begin.Version]}
	nondeterministic := porcupine.NondeterministicModel{
		Init: func() []any { return []any{begin} },
		Step: func(s, input, _ any) []any {
			var next []any
			for _, w := range s.(world).step(input.(operation)) {
				next = append(next, w)
			}
			return next
		},
		Equal: func(a, b any) bool { return a.(world).equal(b.(world)) },
		Hash:  func(s any) uint64 { return uint64(s.(world).version) },
	}
	return nondeterministic.ToModel()
}

// unexplained tells the longest order that was found, and what fits nowhere.
func unexplained(history []porcupine.Operation, info porcupine.LinearizationInfo) error {
	var longest []int
	for _, order := range info.PartialLinearizations()[0] {
		if len(order) > len(longest) {
			longest = order
		}
	}
	text := func(i int) string {
		o := history[i].Input.(operation)
		switch {
		case o.answer != nil:
			return fmt.Sprintf("    %s: %s", o.what, o.answer)
		default:
			return "    " + o.what
		}
	}
	lines := []string{"no order explains it. The longest:"}
	for _, i := range longest {
		lines = append(lines, text(i))
	}
	lines = append(lines, "after which none of these fits:")
	for i := range history {
		if !slices.Contains(longest, i) {
			lines = append(lines, text(i))
		}
	}
	return fmt.Errorf("%s", strings.Join(lines, "\n"))
}
