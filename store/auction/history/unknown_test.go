package history_test

import (
	"fmt"
	"testing"
	"time"

	"rostrum/store/auction"
	"rostrum/store/auction/history"
)

// What the rules allow and what looks wrong at first sight.
func TestWhatIsAllowedIsNoContradiction(t *testing.T) {
	judgedTogether := func(change func(first *history.Answer)) *scene {
		s := usual()
		first := s.Answers[0]
		change(&first)
		first.Call, first.Return = 0, time.Hour
		s.Answers = append(s.Answers, first)
		return s
	}
	for name, s := range map[string]*scene{
		"nothing at all":         play(),
		"nothing but reads":      play().read(1).frame(1, 2),
		"closed without a bid":   play().change(auction.Closed, 3600).read(3601),
		"withdrawn after a bid":  usual().change(auction.Withdrawn, 100).refuse(ann, "2000", 7, 101, auction.Ended).replay(2, 102),
		"edited before a bid":    play().change(auction.Open, 1).accept(ann, "1010", 1, 10),
		"a closing nobody wrote": usual().change(auction.Closed, 3600).replay(3, 3601).forget(2),
		"an edit is a version":   play().change(auction.Open, 1).change(auction.Open, 2).read(3),
		"a lost bid that did not happen": usual().lose(ann, "1030", 3, 30, false).accept(ben, "1040", 4, 40).
			lose(ann, "1", 5, 50, false).kept(),
		"a lost bid is asked for again and again": play().lose(ann, "1010", 1, 10, true).lose(ann, "1010", 1, 11, false).
			replay(2, 12).lose(ann, "1010", 1, 13, false).accept(ben, "1020", 2, 20).kept(),
		"only a retry was told": play().lose(ann, "1010", 1, 10, true).replay(2, 11).forget(0).accept(ben, "1020", 2, 20).replay(2, 30),
		"of two alike, the later was lost and happened": play().lose(ann, "1010", 1, 10, false).lose(ann, "1010", 2, 10, true).read(11).
			refuse(ann, "1010", 1, 12, auction.TooLow).refuse(ben, "1010", 2, 13, auction.Reused),
		"of two alike, the later stands in a log without ids": play().lose(ann, "1010", 1, 10, false).lose(ann, "1010", 2, 10, true).read(11).
			refuse(ann, "1010", 1, 12, auction.TooLow).refuse(ben, "1010", 2, 13, auction.Reused).kept().idless(),
		"somebody is suspended between the judging and the commit of their bid": func() *scene {
			s := play().read(9).accept(ann, "1010", 1, 10)
			s.Answers[0].Call, s.Answers[0].Return = 4*time.Second, 5*time.Second
			s.Answers[1].Call, s.Answers[1].Return = time.Second, 9*time.Second
			s.Standings = []history.Standing{{PersonID: ann, Suspended: true, Call: 2 * time.Second, Return: 3 * time.Second, Known: at(11)}}
			return s
		}(),
		"only one retry was told": play().lose(ann, "1010", 1, 10, true).replay(2, 11).forget(0).accept(ben, "1020", 2, 20),
		"a lost bid did not happen and is accepted when it is sent again": play().lose(ann, "1010", 1, 10, false).accept(ann, "1010", 1, 11).kept(),
		"two lost bids, none seen":                                        play().lose(ann, "1010", 1, 10, true).lose(ann, "1020", 2, 10, true).accept(ben, "1030", 3, 20),
		"two lost bids, one seen":                                         play().lose(ann, "1010", 1, 10, true).lose(ben, "1020", 2, 10, true).read(11).accept(ann, "1030", 3, 20).read(21),
		"a lost late bid moves the end":                                   play().lose(ann, "1010", 1, late, true).accept(ben, "1020", 3, late+119).read(late + 120),
		"an id is refused, then taken by another one":                     play().refuse(ann, "5", 1, 1, auction.TooLow).accept(ben, "1010", 1, 2).refuse(ann, "5", 1, 3, auction.Reused),
		"a retry tells a state of its own":                                usual().replay(2, 30).accept(ann, "1030", 3, 40).replay(2, 50).replay(3, 60),
		"refused with the later of two judged together": judgedTogether(func(a *history.Answer) {
			a.Offer, a.Verdict, a.Bid, a.Told = offer(ann, "1005", 9), auction.TooLow, auction.Bid{}, usual().told(20)
		}),
		"refused, and its id accepted, judged together": judgedTogether(func(a *history.Answer) {
			a.Offer, a.Verdict, a.Bid, a.Told = offer(ann, "1005", 2), auction.TooLow, auction.Bid{}, usual().told(20)
		}),
		"asked, and outbid, judged together": judgedTogether(func(a *history.Answer) {
			a.Offer, a.Verdict, a.Bid, a.Told = offer(ann, "1020", 9), auction.Leading, auction.Bid{}, usual().told(20)
			a.Offer.AskLeader = true
		}),
		"a refusal that tells no more than a version": usual().refuse(seller, "5000", 9, 30, auction.OwnAuction).bare(),
		"a reuse that tells nothing":                  usual().refuse(ann, "5000", 1, 30, auction.Reused).bare().nameless(),
		"an answer with the state of a bid after it": func() *scene {
			s := usual()
			s.Answers[0].Told, s.Answers[0].Return = s.Answers[1].Told, time.Hour
			return s
		}(),
	} {
		t.Run(name, func(t *testing.T) {
			legal(t, s.Lot)
			if err := s.Linearizable(time.Minute); err != nil {
				t.Error(err)
			}
		})
	}
}

// forget takes an answer out.
func (s *scene) forget(i int) *scene {
	s.Answers = append(s.Answers[:i], s.Answers[i+1:]...)
	return s
}

// bare leaves of what the last answer told only the version.
func (s *scene) bare() *scene {
	s.last().Told = auction.State{AuctionID: lotID, Version: s.last().Told.Version}
	return s
}

// idless takes the ids out of the log.
func (s *scene) idless() *scene {
	for i := range s.Log {
		s.Log[i].RequestID = auction.RequestID{}
	}
	return s
}

func (s *scene) nameless() *scene {
	s.last().Told.Version = 0
	return s
}

func TestATallyCountsWhatWasChecked(t *testing.T) {
	s := usual().replay(2, 30).refuse(ann, "1", 7, 31, auction.TooLow).read(32).frame(1, 33).
		lose(ann, "1040", 3, 40, true).lose(ben, "1050", 4, 41, false).lose(ben, "1060", 5, 42, false).accept(ben, "1060", 5, 43).
		lose(ann, "1070", 6, 44, true).replay(6, 45).kept()
	want := history.Tally{Answers: 12, Acknowledged: 4, Refused: 1, Replayed: 2, Seen: 2, Unknown: 4, Happened: 2}
	if tally := legal(t, s.Lot); tally != want {
		t.Errorf("%+v, want %+v", tally, want)
	}
}

// A log that is read over HTTP tells no request ids.
func TestALogWithoutRequestIDsFindsTheLostBids(t *testing.T) {
	s := usual().lose(ann, "1030", 3, 30, true).lose(ann, "1040", 4, 31, false).kept().idless()
	if tally := legal(t, s.Lot); tally.Happened != 1 || tally.Unknown != 2 {
		t.Errorf("%+v", tally)
	}
}

// Of many contradictions the first few are told.
func TestAHistoryThatIsWrongEverywhereIsToldInBounds(t *testing.T) {
	s := play()
	for i := range 1000 {
		s.accept(ann, fmt.Sprint(1010+10*i), 0, i).last().Offer.RequestID = auction.NewRequestID()
		s.last().Told.CurrentPrice = money("1")
	}
	_, err := s.Check()
	if found, _ := err.(history.Contradictions); len(found) != 20 {
		t.Errorf("%d are told", len(found))
	}
}

// 100,000 answers, a tenth of them lost, from 100 clients.
func BenchmarkCheck(b *testing.B) {
	s := play()
	for i := range 100_000 {
		amount := fmt.Sprint(1010 + 10*i)
		switch {
		case i%10 == 0:
			s.lose(ann, amount, 0, i/40, i%20 == 0)
		case i%3 == 0:
			s.refuse(ann, "1", 0, i/40, auction.TooLow)
		default:
			s.accept(ben, amount, 0, i/40)
		}
		request := auction.NewRequestID()
		s.last().Offer.RequestID = request
		if n := len(s.Log); n > 0 && s.Log[n-1].RequestID == (auction.RequestID{}) {
			s.Log[n-1].RequestID, s.last().Bid.RequestID = request, request
		}
	}
	s.kept()
	for b.Loop() {
		if tally, err := s.Check(); err != nil || tally.Unknown != 10_000 || tally.Happened != 5_000 {
			b.Fatal(tally, err)
		}
	}
}
