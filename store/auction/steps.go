package auction

// leaps are how far above the floor the quick steps are, in increments.
var leaps = []int64{0, 1, 4}

// Steps are the amounts offered for bidding by one press: the floor, and one
// and four increments more, these rounded up to whole increments ("1,403.27"
// becomes "1,410.00" in steps of 10). They rise; what does not fit an amount
// is left out.
func (s State) Steps() []Money {
	var steps []Money
	for _, leap := range leaps {
		step := s.MinimumBid
		for range leap {
			step = step.Add(s.MinIncrement)
		}
		if leap > 0 {
			step = step.roundUp(s.MinIncrement)
		}
		if step.fits() {
			steps = append(steps, step)
		}
	}
	return steps
}

// CanRise says whether a bid above the price can be written. Where it cannot,
// the price stays until the end.
func (s State) CanRise() bool { return s.MinimumBid.fits() }

// ExtendedBy says whether the newest bid moved the end to where it is: that is
// exactly the soft close after it then. Once a bid has moved the end, each
// later one moves it again, so no older bid need be asked.
func (s State) ExtendedBy(newest Bid) bool {
	return newest.CreatedAt.Add(s.SoftClose).Equal(s.EndTime)
}
