package handlers

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"
	"time"

	"rostrum/store/auction"
	"rostrum/web"
)

// instant is a time in JSON: RFC 3339 in UTC with microseconds.
type instant time.Time

// MarshalText writes the time.
func (t instant) MarshalText() ([]byte, error) {
	return time.Time(t).UTC().AppendFormat(nil, "2006-01-02T15:04:05.000000Z"), nil
}

func instantOf(t *time.Time) *instant { return (*instant)(t) }

type auctionJSON struct {
	ID            int64          `json:"id"`
	SellerID      int64          `json:"sellerId"`
	Title         string         `json:"title"`
	Description   string         `json:"description"`
	Currency      string         `json:"currency"`
	StartingPrice string         `json:"startingPrice"`
	CurrentPrice  string         `json:"currentPrice"`
	MinIncrement  string         `json:"minIncrement"`
	MinimumBid    string         `json:"minimumBid"`
	LeaderID      *int64         `json:"leaderId"`
	BidCount      int64          `json:"bidCount"`
	Status        auction.Status `json:"status"`
	StartTime     instant        `json:"startTime"`
	EndTime       instant        `json:"endTime"`
	ClosedAt      *instant       `json:"closedAt"`
	Version       int64          `json:"version"`
	ServerTime    instant        `json:"serverTime"`
}

func (h *house) auctionJSON(a auction.Auction) auctionJSON {
	return auctionJSON{
		ID: a.ID, SellerID: a.SellerID, Title: a.Title, Description: a.Description,
		Currency: h.Currency.Code, StartingPrice: h.Currency.Text(a.StartingPrice), CurrentPrice: h.Currency.Text(a.CurrentPrice),
		MinIncrement: h.Currency.Text(a.MinIncrement), MinimumBid: h.Currency.Text(a.MinimumBid()),
		LeaderID: a.LeaderID, BidCount: a.BidCount, Status: a.Status,
		StartTime: instant(a.StartTime), EndTime: instant(a.EndTime), ClosedAt: instantOf(a.ClosedAt),
		Version: a.Version, ServerTime: instant(a.Now),
	}
}

// stateJSON is the data of a JSON frame.
type stateJSON struct {
	AuctionID    int64          `json:"auctionId"`
	Version      int64          `json:"version"`
	CurrentPrice string         `json:"currentPrice"`
	MinimumBid   string         `json:"minimumBid"`
	LeaderID     *int64         `json:"leaderId"`
	BidCount     int64          `json:"bidCount"`
	Status       auction.Status `json:"status"`
	EndTime      instant        `json:"endTime"`
	ServerTime   instant        `json:"serverTime"`
}

func (h *house) stateJSON(s auction.State) stateJSON {
	return stateJSON{
		AuctionID: s.AuctionID, Version: s.Version, CurrentPrice: h.Currency.Text(s.CurrentPrice), MinimumBid: h.Currency.Text(s.MinimumBid),
		LeaderID: s.LeaderID, BidCount: s.BidCount, Status: s.Status, EndTime: instant(s.EndTime), ServerTime: instant(s.Now),
	}
}

// bidJSON is a bid of the log, or with its auction and request id one that the
// bidder is told of.
type bidJSON struct {
	ID        int64   `json:"id"`
	AuctionID int64   `json:"auctionId,omitempty"`
	Version   int64   `json:"version"`
	BidderID  int64   `json:"bidderId"`
	Alias     string  `json:"alias,omitempty"`
	Amount    string  `json:"amount"`
	RequestID string  `json:"requestId,omitempty"`
	CreatedAt instant `json:"createdAt"`
}

// placedJSON is a bid that stands, and its auction now.
type placedJSON struct {
	Bid     bidJSON     `json:"bid"`
	Auction auctionJSON `json:"auction"`
}

// standingJSON is how an auction stood when a bid on it was refused.
type standingJSON struct {
	Version      int64   `json:"version"`
	CurrentPrice string  `json:"currentPrice"`
	MinimumBid   string  `json:"minimumBid"`
	EndTime      instant `json:"endTime"`
	ServerTime   instant `json:"serverTime"`
}

// list is one page of anything.
type list[T any] struct {
	Items      []T     `json:"items"`
	NextCursor *string `json:"nextCursor"`
}

func writeJSON(w http.ResponseWriter, status int, v any) error {
	return web.JSON(w, status, "application/json", v)
}

// readJSON reads a body that is one JSON object. Members that it does not know
// are passed over. A name counts only as it is spelled, and once: the decoder
// would take "AMOUNT" for an amount, and of two amounts the last, where a proxy
// may have looked at the first.
func readJSON(r *http.Request, into any) error {
	body, err := io.ReadAll(r.Body)
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return err
	}
	if err != nil || !readObject(json.NewDecoder(bytes.NewReader(body)), reflect.ValueOf(into).Elem()) {
		return errUnreadable
	}
	return nil
}

// readObject reads one object, and nothing behind it, into a struct.
func readObject(decoder *json.Decoder, into reflect.Value) bool {
	if open, err := decoder.Token(); err != nil || open != json.Delim('{') {
		return false
	}
	seen := make([]bool, into.NumField())
	for decoder.More() {
		token, _ := decoder.Token()
		name, ok := token.(string)
		if !ok {
			return false
		}
		var member any = new(json.RawMessage)
		for i := range into.NumField() {
			if field := into.Type().Field(i).Tag.Get("json"); strings.EqualFold(field, name) {
				if field != name || seen[i] {
					return false
				}
				seen[i], member = true, into.Field(i).Addr().Interface()
			}
		}
		if decoder.Decode(member) != nil {
			return false
		}
	}
	if _, err := decoder.Token(); err != nil { // the closing brace
		return false
	}
	_, err := decoder.Token()
	return err == io.EOF
}

// amountText is the text of an amount in JSON: of a string, or of a number as
// it was written, so that no digit is bent by a float. Anything else is "".
func amountText(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	var text string
	if len(raw) > 0 && raw[0] == '"' {
		if json.Unmarshal(raw, &text) != nil {
			return ""
		}
		return text
	}
	var number json.Number
	if json.Unmarshal(raw, &number) != nil {
		return ""
	}
	return number.String()
}
