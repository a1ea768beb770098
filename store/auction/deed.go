package auction

import (
	"encoding/json"
	"strings"
	"time"
)

// Action names what was done to a person or a lot by somebody who looks after
// the house.
type Action string

// The actions of the audit log. Those of the first group are an admin's acts
// on a person; the others are done by the command line or told by their lot.
const (
	ActionSuspend      Action = "suspend"
	ActionRestore      Action = "restore"
	ActionAllowSelling Action = "allow-selling"
	ActionEndSelling   Action = "end-selling"
	ActionMakeAdmin    Action = "make-admin"
	ActionEndAdmin     Action = "end-admin"

	ActionAdd         Action = "add"
	ActionRename      Action = "rename"
	ActionSetPassword Action = "set-password"
	ActionAddToken    Action = "add-token" // by the house's own command line
	ActionWithdraw    Action = "withdraw"
)

// Act is what an admin asks for: to do Action to a person, for a reason.
type Act struct {
	ActorID, PersonID int64
	Action            Action
	Reason            string // 1 to MaxReason characters
}

// Tidy takes the blanks from around the reason and folds it into one line.
func (a Act) Tidy() Act {
	a.Reason = strings.Join(strings.Fields(a.Reason), " ")
	return a
}

// Check returns the mistakes in a tidy act, nil where there are none.
func (a Act) Check() Mistakes {
	mistakes := Mistakes{}
	mistakes.text("reason", a.Reason, MaxReason)
	return mistakes.orNil()
}

// Deed is a row of the audit log: who did what, to whom or what, why and when.
type Deed struct {
	ID        int64
	Actor     *Named // nil: the command line
	Action    Action
	Account   *Named // the person it was done to, nil where it was a lot
	LotID     int64  // the lot it was done to, 0 where it was a person
	LotTitle  string
	Reason    string
	Detail    json.RawMessage // what was before, and what else is worth knowing
	CreatedAt time.Time
}

// Named is a person as admins see them in a line.
type Named struct {
	ID                 int64
	Name, Alias, Email string
}
