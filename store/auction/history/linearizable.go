package history

import (
	"fmt"
	"math"
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
	history := l.operations()
	result, info := porcupine.CheckOperationsVerbose(l.model(), history, patience)
	switch result {
	case porcupine.Ok:
		return nil
	case porcupine.Unknown:
		return fmt.Errorf("%d operations were not decided in %v", len(history), patience)
	default:
		return unexplained(history, info)
	}
}

// operation is what porcupine sees of an answer: that an offer was judged, or
// that a state was told. Both happen somewhere between the call and the answer,
// not at the same instant, because what is judged together tells the last state.
type operation struct {
	what     string
	answer   *Answer
	standing Standing
}

const (
	judging  = "judged"
	telling  = "told"
	closing  = "closed"
	standing = "standing"
)

func (l Lot) operations() []porcupine.Operation {
	var list []porcupine.Operation
	add := func(o operation, client int, call, ret time.Duration) {
		list = append(list, porcupine.Operation{ClientId: client, Input: o, Call: int64(call), Return: int64(ret)})
	}
	closed, recorded := false, false
	for i := range l.Answers {
		a := &l.Answers[i]
		ret := a.Return
		if a.Unknown() {
			if ret = l.beaten(a.Offer.Amount); ret < a.Call {
				continue
			}
		}
		if a.Kind == Bid || a.Kind == Change {
			add(operation{what: judging, answer: a}, a.Client, a.Call, ret)
		}
		if a.Told.Version != 0 && a.Kind != Change {
			add(operation{what: telling, answer: a}, a.Client, a.Call, ret)
		}
		closed = closed || a.Told.Status == auction.Closed
		recorded = recorded || a.Kind == Change && a.Told.Status == auction.Closed
	}
	if closed && !recorded {
		add(operation{what: closing}, 0, 0, math.MaxInt64)
	}
	for _, s := range l.Standings {
		add(operation{what: standing, standing: s}, 0, s.Call, s.Return)
	}
	return list
}

// beaten is when somebody was first told a price that an amount does not beat,
// for an unknown bid of that amount happened by then or never. Knowing that
// spares porcupine to try it everywhere.
func (l Lot) beaten(amount auction.Money) time.Duration {
	var first time.Duration = math.MaxInt64
	for _, a := range l.Answers {
		if !a.Told.EndTime.IsZero() && a.Told.CurrentPrice.Cmp(amount) >= 0 {
			first = min(first, a.Return)
		}
	}
	return first
}

func (l Lot) model() porcupine.Model {
	asked := map[auction.RequestID]int{}
	for _, a := range l.Answers {
		asked[a.Offer.RequestID]++
	}
	nondeterministic := porcupine.NondeterministicModel{
		Init: func() []any { return []any{world{state: stateOf(l.Begin), asked: asked}} },
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
		case o.what == standing:
			return fmt.Sprintf("    %d suspended: %v, from %v to %v", o.standing.PersonID, o.standing.Suspended, o.standing.Call, o.standing.Return)
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
