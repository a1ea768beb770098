package store

import (
	"context"
	"fmt"

	"rostrum/store/auction"
)

// Act does an admin's act on a person and writes it into the audit log, in one
// step. Done twice it changes and writes nothing more: done says whether it
// changed something. ErrNotFound where there is no such person, ErrNotAdmin
// where the actor is no admin (any more), ErrOwnAccount where nobody does this
// to themselves. A suspension counts for every bid judged after this returned.
func (s *Store) Act(ctx context.Context, a auction.Act) (done bool, err error) {
	defer s.holders.changed()
	var verdict string
	err = s.pool.QueryRow(ctx, `SELECT act_on_account($1, $2, $3, $4)`, a.ActorID, a.PersonID, a.Action, a.Reason).Scan(&verdict)
	if err != nil {
		return false, fault("act on an account", err)
	}
	switch verdict {
	case "done":
		return true, nil
	case "nothing":
		return false, nil
	case "not_found":
		return false, auction.ErrNotFound
	case "not_admin":
		return false, auction.ErrNotAdmin
	case "own":
		return false, auction.ErrOwnAccount
	default:
		return false, fmt.Errorf("act on an account: the verdict is %q", verdict)
	}
}
