package main

import (
	"context"
	"fmt"

	"rostrum/cmd/bench/books"
	"rostrum/cmd/bench/load"
	"rostrum/store/auction/history"
)

// mostWrong is how many of the things that are wrong are told.
const mostWrong = 20

// audit reads the books of lots that were bid on, over the counter, and checks
// them.
func (s *session) audit(_ context.Context, plan load.Plan, volley load.Volley) error {
	s.say("the audit")
	answers, err := plan.Answers(volley.All())
	if err != nil {
		return err
	}
	var tally history.Tally
	for i, lot := range plan.Lots {
		book, err := books.Read(s.house, lot.ID)
		if err != nil {
			return err
		}
		checked, wrong := book.Check(lot, answers[i])
		tally = tally.Plus(checked)
		s.wrong(wrong)
	}
	s.checked("%d lots' books were read over the counter: GET /auctions/{id}, its bids, its result, /admin/events", len(plan.Lots))
	s.tally(tally)
	return nil
}

func (s *session) checked(format string, args ...any) {
	s.report.Audit.Checked = append(s.report.Audit.Checked, fmt.Sprintf(format, args...))
}

func (s *session) wrong(wrong []string) {
	for _, text := range wrong {
		if len(s.report.Audit.Wrong) < mostWrong {
			s.report.Audit.Wrong = append(s.report.Audit.Wrong, text)
		}
	}
}

// tally tells what the oracle looked at.
func (s *session) tally(t history.Tally) {
	s.checked("version order: %d answers, %d acknowledged bids, %d refusals, %d of bids sent again, %d not answered of which %d had happened",
		t.Answers, t.Acknowledged, t.Refused, t.Replayed, t.Unknown, t.Happened)
	if len(s.report.Audit.Wrong) == 0 {
		s.checked("nothing is wrong")
	}
}
