package history_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"rostrum/store/auction"
)

// seenByVersion needs to be compared with a version's state, with holds or with frames.
var seenByVersion = []string{
	"judged while nobody else holds the lot",
	"nobody is judged after their suspension",
	"an id is used once it is accepted",
	"the first frame sees what was acknowledged",
}

// The same histories once more, with an oracle that knows no versions' order
// and has no log. What only the log, the holds or a stream's order tells it cannot see.
func TestPorcupineSeesARuleKeptAndBroken(t *testing.T) {
	for _, c := range ruleCases() {
		t.Run(c.name, func(t *testing.T) {
			if err := c.legal.Linearizable(time.Minute); err != nil {
				t.Fatal(err)
			}
			elsewhere := c.rule == "trap 11" || c.legal.Logged || slices.Contains(seenByVersion, c.name)
			c.change(c.legal)
			err := c.legal.Linearizable(time.Minute)
			if err == nil && !elsewhere {
				t.Error("an order is found")
			}
			if testing.Verbose() {
				t.Log(err)
			}
		})
	}
}

// A lost bid that moved the end, or did not.
func TestPorcupineTriesALostBidBothWays(t *testing.T) {
	lost := func(happened bool) *scene {
		return play().accept(ben, "1010", 1, 10).lose(ann, "1020", 2, late, happened)
	}
	for name, s := range map[string]*scene{
		"it happened":                  lost(true).accept(ben, "1030", 3, late+1),
		"it happened, and a read":      lost(true).read(late+1).accept(ben, "1030", 3, late+110),
		"it did not happen":            lost(false).accept(ben, "1020", 3, late+1),
		"it moved the end":             lost(true).accept(ben, "1030", 3, late+119),
		"it did not, and the lot over": lost(false).refuse(ben, "1030", 3, late+60, auction.Ended),
		"it is sent again":             lost(true).replay(3, late+1).refuse(ann, "1021", 2, late+2, auction.Reused),
		"it is sent again after that":  lost(false).accept(ann, "1020", 2, late+1),
	} {
		t.Run(name, func(t *testing.T) {
			legal(t, s.Lot)
			if err := s.Linearizable(time.Minute); err != nil {
				t.Error(err)
			}
			last := s.last() // with one thing changed no order is left
			last.Told.Version++
			last.Bid.Version = min(last.Bid.Version, 1)
			if err := s.Linearizable(time.Minute); err == nil {
				t.Error("it was explained all the same")
			}
		})
	}
}

func TestPorcupineTellsWhatFitsNowhere(t *testing.T) {
	s := usual()
	s.Answers[1].Offer.Amount = money("1011")
	err := s.Linearizable(time.Minute)
	if err == nil || !strings.Contains(err.Error(), "1010.00 of 2") || !strings.Contains(err.Error(), `after which none of these fits:
    judged: client 3, bid from 2s to 3s: 1011.00 of 3`) {
		t.Error(err)
	}
}

func TestAFewClientsAreDecidedQuickly(t *testing.T) {
	s := play()
	for i := range 12 { // eight at a time
		from := len(s.Answers)
		for j := range 3 {
			s.lose(ann, money1000(10*(4*i+j+1)), byte(4*i+j), 10*i, j == 1)
		}
		s.accept(ben, money1000(10*(4*i+4)), byte(4*i+3), 10*i)
		for range 3 {
			s.refuse(ann, "1000", 99, 10*i, auction.TooLow)
		}
		s.read(10 * i)
		for j := from; j < len(s.Answers); j++ {
			s.Answers[j].Call, s.Answers[j].Return = time.Duration(i)*time.Hour, time.Duration(i)*time.Hour+time.Minute
		}
	}
	legal(t, s.Lot)
	if err := s.Linearizable(time.Minute); err != nil {
		t.Error(err)
	}
}

func money1000(more int) string { return strconv.Itoa(1000 + more) }
