package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rostrum/store/auction"
)

// noted writes what the command line did to an account into the audit log: a
// part of a statement in which before is the account's row as it was (none for
// a new account) and p as it is. What changed nothing has no line.
const noted = `noted AS (
	INSERT INTO audit (action, subject, subject_id, detail)
	SELECT act.action, 'account', p.id, act.detail
	FROM p LEFT JOIN before ON true CROSS JOIN LATERAL (VALUES
		(1, 'add', before.id IS NULL, jsonb_build_object('seller', p.seller, 'admin', p.admin)),
		(2, 'rename', p.name <> before.name, jsonb_build_object('name', before.name)),
		(3, 'set-password', p.password_changes <> before.password_changes, '{}'),
		(4, CASE WHEN p.seller THEN 'allow-selling' ELSE 'end-selling' END, p.seller <> before.seller, jsonb_build_object('seller', before.seller)),
		(5, CASE WHEN p.admin THEN 'make-admin' ELSE 'end-admin' END, p.admin <> before.admin, jsonb_build_object('admin', before.admin)),
		(6, CASE WHEN p.suspended_at IS NULL THEN 'restore' ELSE 'suspend' END,
			(p.suspended_at IS NULL) <> (before.suspended_at IS NULL), jsonb_build_object('suspendedAt', instant_text(before.suspended_at)))
	) AS act (place, action, happened, detail)
	WHERE act.happened
	ORDER BY act.place)`

// AuditQuery says which lines of the audit log to read.
type AuditQuery struct {
	ByCommandLine bool
	By            int64 // the actor's account; 0: anybody's
	About         int64 // the account; 0: any
	AboutLot      int64 // the auction; 0: any
	Before        int64 // ids below it; math.MaxInt64 to begin with the newest
	Limit         int
}

// Audit reads lines of the audit log, newest first.
func (s *Store) Audit(ctx context.Context, q AuditQuery) ([]auction.Deed, error) {
	where, arguments := `d.id < $1`, []any{q.Before, q.Limit}
	and := func(condition string, argument any) {
		arguments = append(arguments, argument)
		where += fmt.Sprintf(" AND "+condition, len(arguments))
	}
	if q.ByCommandLine {
		where += ` AND d.actor_id IS NULL`
	}
	if q.By != 0 {
		and(`d.actor_id = $%d`, q.By)
	}
	if q.About != 0 {
		and(`d.subject = 'account' AND d.subject_id = $%d`, q.About)
	}
	if q.AboutLot != 0 {
		and(`d.subject = 'auction' AND d.subject_id = $%d`, q.AboutLot)
	}
	rows, _ := s.pool.Query(ctx, `
		SELECT d.id, d.action, d.reason, d.detail, d.created_at,
			by.id, by.name, by.alias, by.email, p.id, p.name, p.alias, p.email, a.id, a.title
		FROM (SELECT * FROM audit d WHERE `+where+` ORDER BY d.id DESC LIMIT $2) d
		LEFT JOIN account by ON by.id = d.actor_id
		LEFT JOIN account p ON d.subject = 'account' AND p.id = d.subject_id
		LEFT JOIN auction a ON d.subject = 'auction' AND a.id = d.subject_id
		ORDER BY d.id DESC`, arguments...)
	deeds, err := pgx.CollectRows(rows, scanDeed)
	return deeds, fault("read the audit log", err)
}

func scanDeed(row pgx.CollectableRow) (auction.Deed, error) {
	var d auction.Deed
	var actor, account maybeNamed
	var lot *int64
	var title *string
	err := row.Scan(append(append(append([]any{&d.ID, &d.Action, &d.Reason, &d.Detail, &d.CreatedAt},
		actor.fields()...), account.fields()...), &lot, &title)...)
	d.Actor, d.Account = actor.named(), account.named()
	if lot != nil {
		d.LotID, d.LotTitle = *lot, *title
	}
	return d, err
}

// maybeNamed is a person of an outer join: id, name, alias, email, or nothing.
type maybeNamed struct {
	id                 *int64
	name, alias, email *string
}

func (n *maybeNamed) fields() []any { return []any{&n.id, &n.name, &n.alias, &n.email} }

func (n *maybeNamed) named() *auction.Named {
	if n.id == nil {
		return nil
	}
	return &auction.Named{ID: *n.id, Name: *n.name, Alias: *n.alias, Email: *n.email}
}
