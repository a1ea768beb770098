package auction

// Result is how a lot ended. Only a closed or withdrawn auction has one.
type Result struct {
	Auction     Auction
	SellerAlias string
	WinnerAlias string // empty where nobody won
	// Reason is why the lot was withdrawn, empty where nobody said. It is for the
	// seller and those who bid.
	Reason string
	// Seller and Winner are how the two sides reach each other. A reader who
	// is neither must not be told of them.
	Seller Contact
	Winner *Contact
}
