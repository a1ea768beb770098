package main

import (
	"context"
	"fmt"

	"rostrum/cmd/bench/books"
	"rostrum/cmd/bench/load"
	"rostrum/store/auction"
	"rostrum/store/auction/history"
)

const (
	mostWrong  = 20  // how many of the things that are wrong are told
	mostByHand = 200 // how many lots' books are read over the counter
)

// audit checks the books of the lots that were bid on, and of those that
// nobody bid on. The first ones are read over the counter, all of them in the
// database where bench started the house.
func (s *session) audit(ctx context.Context, lots string, plan load.Plan, volley load.Volley) error {
	s.say("the audit of the %s", lots)
	answers, err := plan.Answers(volley.All())
	if err != nil {
		return err
	}
	var tally history.Tally
	byHand := len(plan.Lots)
	if s.house.Started() {
		byHand = min(byHand, mostByHand)
	}
	for i, lot := range plan.Lots[:byHand] {
		book, err := books.Read(s.house, lot.ID)
		if err != nil {
			return err
		}
		tally = tally.Plus(s.check(book, lot, answers[i]))
	}
	s.checked("over the counter: GET /auctions/{id}, its bids, its result, and /admin/events, of %d of the %d %s", byHand, len(plan.Lots), lots)
	if rest := plan.Lots[byHand:]; len(rest) > 0 {
		all, err := books.ReadAll(ctx, s.house, rest)
		if err != nil {
			return err
		}
		for i, book := range all {
			tally = tally.Plus(s.check(book, rest[i], answers[byHand+i]))
		}
		s.checked("in the database: the rows, logs, results and events of the rest of them")
	}
	s.tally(tally)
	return nil
}

func (s *session) check(book books.Book, begin auction.Auction, answers []history.Answer) history.Tally {
	tally, wrong := book.Check(begin, answers)
	for _, text := range wrong {
		if len(s.report.Audit.Wrong) < mostWrong {
			s.report.Audit.Wrong = append(s.report.Audit.Wrong, text)
		}
	}
	return tally
}

func (s *session) checked(format string, args ...any) {
	s.report.Audit.Checked = append(s.report.Audit.Checked, fmt.Sprintf(format, args...))
}

// tally tells what the oracle looked at.
func (s *session) tally(t history.Tally) {
	s.checked("version order: %d answers and last looks, %d acknowledged bids, %d refusals, %d bids sent again, %d not answered of which %d had happened",
		t.Answers, t.Acknowledged, t.Refused, t.Replayed, t.Unknown, t.Happened)
}
