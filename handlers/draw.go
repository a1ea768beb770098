package handlers

import (
	"net/http"

	"rostrum/store/auction"
	"rostrum/views"
)

// lot reads everything that a lot's page shows to the reader.
func (h *house) lot(r *http.Request, id int64) (views.Lot, error) {
	listed, err := h.Store.Lot(r.Context(), id, readerID(r))
	if err != nil {
		return views.Lot{}, err
	}
	live, err := h.live(r.Context(), listed.State())
	if err != nil {
		return views.Lot{}, err
	}
	lot := views.Lot{
		ID: listed.ID, Title: listed.Title, Description: listed.Description, SellerAlias: listed.SellerAlias,
		Increment: h.Currency.Format(listed.MinIncrement), SoftClose: listed.SoftClose,
		Star: views.Star{AuctionID: listed.ID, Title: listed.Title, Watched: listed.Watched, Path: auctionPath(listed.ID)},
		Live: live, Panel: h.panel(listed.Auction, reader(r), listed.Own),
	}
	if listed.State().Over() {
		result, err := h.Store.Result(r.Context(), id)
		if err != nil {
			return views.Lot{}, err
		}
		told := h.result(result, readerID(r), listed.Own)
		lot.Result = &told
	}
	return lot, nil
}

func (h *house) bidLines(bids []auction.Bid) []views.BidLine {
	lines := make([]views.BidLine, len(bids))
	for i, b := range bids {
		lines[i] = views.BidLine{Version: b.Version, BidderID: b.BidderID, Alias: b.Alias, Amount: h.Currency.Format(b.Amount), At: b.CreatedAt}
	}
	return lines
}

func (h *house) rowState(s auction.State) views.RowState {
	return views.RowState{State: s, Price: h.Currency.Format(s.CurrentPrice)}
}

// panel is what a lot offers to a reader whose own highest bid is own.
func (h *house) panel(a auction.Auction, reader *auction.Person, own *auction.Money) views.Panel {
	state := a.State()
	p := views.Panel{
		AuctionID: a.ID, Kind: panelKind(state, a.SellerID, reader), Version: a.Version, Start: a.StartTime, Path: auctionPath(a.ID),
		Symbol:    h.Currency.Symbol(),
		RequestID: auction.NewRequestID().String(), Title: a.Title, Steps: h.steps(state),
	}
	p.Floor, p.FloorText = h.floor(state)
	p.Amount = p.FloorText
	p.Changeable = p.Kind == views.PanelOwn && a.BidCount == 0
	if reader != nil {
		p.ReaderID = reader.ID
		p.Standing = standing(state, reader.ID, own)
		p.Confirm = reader.ConfirmBids
	}
	if own != nil {
		p.LastBid = h.Currency.Format(*own)
	}
	return p
}

func panelKind(s auction.State, sellerID int64, reader *auction.Person) views.PanelKind {
	switch phase := s.Phase(); {
	case s.Over():
		return views.PanelOver
	case phase == auction.Confirming:
		return views.PanelConfirming
	case reader != nil && reader.ID == sellerID:
		return views.PanelOwn
	case phase == auction.Scheduled:
		return views.PanelScheduled
	case reader != nil && reader.Suspended:
		return views.PanelSuspended
	case !s.CanRise():
		return views.PanelTop
	case reader == nil:
		return views.PanelSignIn
	default:
		return views.PanelForm
	}
}

func standing(s auction.State, reader int64, own *auction.Money) views.Standing {
	switch {
	case own == nil || s.Status == auction.Withdrawn:
		return views.None
	case s.Status == auction.Closed && s.LedBy(reader):
		return views.Won
	case s.Status == auction.Closed:
		return views.Lost
	case s.LedBy(reader):
		return views.Leading
	default:
		return views.Outbid
	}
}

// result is how a lot ended as one reader is told of it. The other side's
// name and address are told to the winner and to the seller only.
func (h *house) result(r auction.Result, reader int64, own *auction.Money) views.Result {
	told := views.Result{
		AuctionID: r.Auction.ID, Title: r.Auction.Title, Phase: r.Auction.State().Phase(), Role: role(r, reader, own),
		Price: h.Currency.Format(r.Auction.CurrentPrice), WinnerAlias: r.WinnerAlias,
		BidCount: r.Auction.BidCount, EndTime: r.Auction.EndTime,
	}
	if r.Auction.ClosedAt != nil {
		told.ClosedAt = *r.Auction.ClosedAt
	}
	if own != nil {
		told.LastBid = h.Currency.Format(*own)
	}
	if told.Role == views.Seller || told.Role == views.Loser {
		told.Reason = r.Reason
	}
	switch told.Role {
	case views.Winner:
		told.Other = &r.Seller
	case views.Seller:
		told.Other = r.Winner
	}
	return told
}

func role(r auction.Result, reader int64, own *auction.Money) views.Role {
	switch {
	case reader == 0:
		return views.Stranger
	case r.Winner != nil && r.Winner.ID == reader:
		return views.Winner
	case r.Seller.ID == reader:
		return views.Seller
	case own != nil:
		return views.Loser
	default:
		return views.Stranger
	}
}
