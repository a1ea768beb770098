package auction

import "errors"

// What can stop a request apart from mistakes in it and from the verdict on an
// offer. The table in `handlers` says how each is answered.
var (
	ErrNotFound     = errors.New("not found")
	ErrUnavailable  = errors.New("unavailable for now")
	ErrSignedOut    = errors.New("not signed in")
	ErrCredentials  = errors.New("e-mail address and password do not match")
	ErrSuspended    = errors.New("the account is suspended")
	ErrNotSeller    = errors.New("the account may not sell")
	ErrEmailTaken   = errors.New("the e-mail address has an account already")
	ErrNotYours     = errors.New("the lot is somebody else's")
	ErrHasBids      = errors.New("somebody has bid on the lot")
	ErrEnded        = errors.New("the lot's end has come")
	ErrWithdrawn    = errors.New("the lot was withdrawn before")
	ErrEdited       = errors.New("the lot was edited meanwhile")
	ErrAliasTaken   = errors.New("somebody has an alias that looks the same")
	ErrOpenLots     = errors.New("the account has open lots")
	ErrTooMany      = errors.New("the account has as many of these as it may")
	ErrStillOpen    = errors.New("the auction has not closed yet")
	ErrNotAdmin     = errors.New("the account may not look after the house")
	ErrOwnAccount   = errors.New("admins do not do this to their own account")
	ErrNoMatch      = errors.New("nobody is called that")
	ErrManyMatch    = errors.New("too many are called that")
	ErrRequestReuse = errors.New("the request id belongs to another request")
)
