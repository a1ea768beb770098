package auction

import (
	"time"
	"unicode/utf8"
)

// MaxTokenName is the most characters in the name of an API token.
const MaxTokenName = 60

// Token is an API token as its person sees it: the token itself is kept nowhere.
type Token struct {
	ID         int64
	Name       string
	CreatedAt  time.Time
	LastUsedAt *time.Time // to about a minute; nil: not yet
}

// SignIn is a browser in which a person is signed in.
type SignIn struct {
	ID        int64
	Agent     string // what the browser calls itself
	Address   string
	CreatedAt time.Time
	SeenAt    time.Time // to about a minute
}

// CheckName returns what is wrong with a person's name, as Registration does.
func CheckName(name string) string { return checkText(name, MaxName) }

// CheckTokenName returns what is wrong with the name of an API token.
func CheckTokenName(name string) string { return checkText(name, MaxTokenName) }

func checkText(text string, most int) string {
	mistakes := Mistakes{}
	mistakes.text("text", text, most)
	return mistakes["text"]
}

// CheckEmail returns what is wrong with a normal e-mail address.
func CheckEmail(email string) string {
	if !ValidEmail(email) {
		return "This is not an e-mail address."
	}
	return ""
}

// CheckPassword returns what is wrong with a new password.
func CheckPassword(password string) string {
	switch n := utf8.RuneCountInString(password); {
	case n < MinPassword:
		return "Use at least 8 characters."
	case n > MaxPassword:
		return "Use at most 200 characters."
	default:
		return ""
	}
}
