package handlers

import (
	"net/http"

	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

// confirmBid shows a bid once more, as the house understood it, or says at once
// why it would be refused. It places nothing: what is shown is sent to placeBid
// under the same id.
func (h *house) confirmBid(w http.ResponseWriter, r *http.Request) error {
	offer, foreseen, err := h.foresee(r)
	if err == nil && foreseen.Verdict != auction.Leading {
		err = h.refusal(foreseen)
	}
	if err != nil && web.PrefersJSON(r) {
		return err
	}
	return h.drawBid(w, r, offer, foreseen, err)
}

// foresee reads a bid and how it would be judged as the lot stands.
func (h *house) foresee(r *http.Request) (auction.Offer, auction.Outcome, error) {
	person, err := signedIn(r)
	if err != nil {
		return auction.Offer{}, auction.Outcome{}, err
	}
	offer, err := h.readOfferOf(r, person.ID)
	if err != nil {
		return offer, auction.Outcome{}, err
	}
	a, err := h.Store.Auction(r.Context(), offer.AuctionID)
	return offer, auction.Outcome{Verdict: foreseen(a, &person, offer.Amount), Auction: a}, err
}

func foreseen(a auction.Auction, person *auction.Person, amount auction.Money) auction.Verdict {
	switch kind := panelKind(a.State(), a.SellerID, person); {
	case kind == views.PanelOwn:
		return auction.OwnAuction
	case kind == views.PanelSuspended:
		return auction.Suspended
	case kind == views.PanelScheduled:
		return auction.NotStarted
	case kind == views.PanelTop:
		return auction.TooLow
	case kind != views.PanelForm:
		return auction.Ended
	case amount.Cmp(a.MinimumBid()) < 0:
		return auction.TooLow
	case a.State().LedBy(person.ID):
		return auction.Leading
	default:
		return auction.Accepted
	}
}

// ask has a panel show a bid once more. What was typed stays in the field below.
func (h *house) ask(panel *views.Panel, typed string, offer auction.Offer, o auction.Outcome) {
	panel.Amount = typed
	panel.RequestID = offer.RequestID.String()
	panel.Ask = &views.Ask{
		Price: h.Currency.Format(offer.Amount), Amount: h.Currency.Text(offer.Amount), RequestID: panel.RequestID,
		Leading: o.Verdict == auction.Leading, LeadsAt: h.Currency.Format(o.Auction.CurrentPrice),
	}
}
