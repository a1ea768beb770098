package auction

import (
	"net/mail"
	"strings"
)

// Person is somebody with an account. Everybody may bid; Seller and Admin say
// what more they may do.
type Person struct {
	ID        int64
	Email     string // lower case, unique
	Name      string // told only to the other side of a sale
	Alias     string // what others see, unique
	Seller    bool
	Admin     bool
	Suspended bool
	// Zone is the IANA name of the zone in which the person wants to see times,
	// "" for that of their browser.
	Zone string
	// ConfirmBids says that a bid is shown once more before it is sent.
	ConfirmBids bool
	// PasswordChanges counts them. Who signed in with an older password is not
	// signed in any more.
	PasswordChanges int64
}

// Contact is how the two sides of a sale reach each other.
type Contact struct {
	ID    int64
	Name  string
	Email string
}

// The lengths of what a person writes about themselves, in characters.
const (
	MaxName     = 100
	MaxEmail    = 254 // RFC 5321, section 4.5.3.1.3
	MinPassword = 8
	MaxPassword = 200
)

// Registration is what somebody asks for who wants an account.
type Registration struct {
	Name, Email, Password string
}

// Tidy takes the blanks from around the name and the address and writes the
// address in lower case.
func (r Registration) Tidy() Registration {
	r.Name = strings.TrimSpace(r.Name)
	r.Email = NormalEmail(r.Email)
	return r
}

// Check returns the mistakes in a tidy registration, nil where there are none.
func (r Registration) Check() Mistakes {
	mistakes := Mistakes{}
	mistakes.text("name", r.Name, MaxName)
	mistakes.note("email", CheckEmail(r.Email))
	mistakes.note("password", CheckPassword(r.Password))
	return mistakes.orNil()
}

// NormalEmail is the form in which an address is kept and compared.
func NormalEmail(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// ValidEmail says whether a text is one bare address (RFC 5322) that mail can
// be sent to.
func ValidEmail(text string) bool {
	address, err := mail.ParseAddress(text)
	return err == nil && address.Address == text && len(text) <= MaxEmail && !strings.ContainsAny(text, "\" \t\x00\uFFFD")
}
