package auction

import (
	"encoding/json"
	"time"
)

// Event is something that happened, written in the same transaction as the
// change it tells of. (Topic, AggregateID, Sequence) names it for ever; an
// auction's events carry its version as their sequence.
type Event struct {
	ID          int64
	Topic       string
	AggregateID int64
	Sequence    int64
	Payload     json.RawMessage
	CreatedAt   time.Time
	PublishedAt *time.Time
	Attempts    int
	LastError   *string
}

// The topics of events.
const (
	TopicClosed       = "auction-closed"
	TopicBidsAccepted = "bids-accepted"
	TopicWithdrawn    = "auction-withdrawn"
	TopicEdited       = "auction-edited"
)
