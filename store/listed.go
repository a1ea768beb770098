package store

import (
	"github.com/jackc/pgx/v5"

	"rostrum/store/auction"
)

// Listed is an auction with what a list tells of it beside the row.
type Listed struct {
	auction.Auction
	SellerAlias string
	Own         *auction.Money // the reader's own highest bid, nil where there is none
	Watched     bool           // it is on the reader's watch list

	place Mark // where it was found in its list
}

// Mark is a place in a list: behind the auction with this key and id. The key
// is the end (ByEnd), the closing (Won), the price in hundredths, the number of bids, or the id.
type Mark struct {
	Key int64
	ID  int64
	At  int64 // the moment whose order is read, for sorts by price and bids
}

// LastMicros is the end of the year 9999, behind which no auction ends: RFC
// 3339 has four digits for the year.
const LastMicros = 253_402_300_799_999_999

// Mark is the place behind the auction in the list that it was read from.
func (l Listed) Mark() Mark { return l.place }

// endMark is the place behind the auction in a list by end.
func (l Listed) endMark() Mark { return Mark{Key: l.EndTime.UnixMicro(), ID: l.ID} }

// listedColumns are those of a Listed; listedJoins bring them to a row named a.
// The reader is $1, 0 where nobody is signed in.
const (
	listedColumns = auctionColumns + `, clock_timestamp(), p.alias, own.amount,
		EXISTS (SELECT FROM watch WHERE watch.account_id = $1 AND watch.auction_id = a.id)`
	listedJoins = `
		JOIN account p ON p.id = a.seller_id
		LEFT JOIN LATERAL (SELECT b.amount FROM bid b WHERE b.bidder_id = $1 AND b.auction_id = a.id
			ORDER BY b.version DESC LIMIT 1) own ON true`
)

func listedFields(l *Listed) []any {
	return append(auctionFields(&l.Auction), &l.SellerAlias, &l.Own, &l.Watched)
}

func scanListed(row pgx.CollectableRow) (Listed, error) {
	var l Listed
	err := row.Scan(listedFields(&l)...)
	l.place = l.endMark()
	return l, err
}

// scanPlaced reads a Listed and, after it, the key of its place and how many
// were gathered.
func scanPlaced(gathered *int) pgx.RowToFunc[Listed] {
	return func(row pgx.CollectableRow) (Listed, error) {
		var l Listed
		err := row.Scan(append(listedFields(&l), &l.place.Key, gathered)...)
		l.place.ID = l.ID
		return l, err
	}
}
