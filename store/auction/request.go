package auction

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
)

// RequestID is the id that a request carries so that sending it again changes
// nothing: a UUID (RFC 9562).
type RequestID [16]byte

// ErrRequestID says that a text is no UUID.
var ErrRequestID = errors.New("not a UUID")

// NewRequestID makes a random one (version 4).
func NewRequestID() RequestID {
	var id RequestID
	rand.Read(id[:]) // never fails: crypto/rand ends the program instead
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id
}

// ParseRequestID reads the usual 36 characters, in either case.
func ParseRequestID(text string) (RequestID, error) {
	if len(text) != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return RequestID{}, ErrRequestID
	}
	var id RequestID
	digits := text[:8] + text[9:13] + text[14:18] + text[19:23] + text[24:]
	if _, err := hex.Decode(id[:], []byte(digits)); err != nil {
		return RequestID{}, ErrRequestID
	}
	return id, nil
}

// String writes the usual 36 characters in lower case.
func (id RequestID) String() string {
	text := hex.EncodeToString(id[:])
	return text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:]
}
