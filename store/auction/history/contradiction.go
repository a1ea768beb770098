package history

import (
	"fmt"
	"strings"
)

// Contradiction is a rule that was broken, and the answers that show it. Other
// is nil where one answer contradicts itself, the lot's beginning or the log.
type Contradiction struct {
	Rule       string // "B5"
	Says       string
	One, Other *Answer
}

// String tells it in one to three lines.
func (c Contradiction) String() string {
	lines := c.Rule + ": " + c.Says
	for _, a := range []*Answer{c.One, c.Other} {
		if a != nil {
			lines += "\n    " + a.String()
		}
	}
	return lines
}

// Contradictions are what a check found, the first ones of them.
type Contradictions []Contradiction

// mostFound bounds what is kept: what is wrong once is often wrong everywhere.
const mostFound = 20

// Error tells all of them.
func (c Contradictions) Error() string {
	texts := make([]string, len(c))
	for i := range c {
		texts[i] = c[i].String()
	}
	return fmt.Sprintf("%d contradictions:\n%s", len(c), strings.Join(texts, "\n"))
}

func (c *check) contradict(rule string, one, other *Answer, format string, arguments ...any) {
	if len(c.found) < mostFound {
		c.found = append(c.found, Contradiction{rule, fmt.Sprintf(format, arguments...), one, other})
	}
}
