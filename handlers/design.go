package handlers

import (
	"net/http"
	"time"

	"rostrum/store"
	"rostrum/store/auction"
	"rostrum/views"
	"rostrum/web"
)

// showDesign is the page of all components, for those who work on them: it is
// there only in a house that was opened with --dev.
func (h *house) showDesign(w http.ResponseWriter, r *http.Request) error {
	s := sample{h, h.Store.Now()}
	design := views.Design{
		Colours: []string{"paper", "sheet", "ink", "soft", "rule", "edge", "accent", "accent-ink", "good", "good-tint", "warn", "warn-tint", "told-tint", "glow"},
		Form: views.Fields{Values: map[string]string{"right": "What was typed", "wrong": "1,0,0"},
			Mistakes: auction.Mistakes{"wrong": "Write an amount like 10.00."}},
	}
	for _, lot := range s.lots() {
		design.Lots = append(design.Lots, lot)
		design.Rows = append(design.Rows, views.Row{ID: lot.Live.State.AuctionID, Title: "A lot, " + lot.Name, SellerAlias: "S3",
			Standing: lot.Panel.Standing, Live: h.rowState(lot.Live.State)})
	}
	for _, phase := range []auction.Phase{auction.Sold, auction.Unsold, auction.CalledOff} {
		for _, role := range []views.Role{views.Winner, views.Seller, views.Loser, views.Stranger} {
			if phase == auction.Sold || role != views.Winner {
				design.Results = append(design.Results, s.result(phase, role))
			}
		}
	}
	return web.Render(w, r, http.StatusOK, views.DesignPage(h.page(r, "Design"), design))
}

// sample makes lots that nobody listed.
type sample struct {
	*house
	now time.Time
}

const sampleReader, sampleOther = 1, 2

func (s sample) lots() []views.DesignLot {
	me, other := auction.Person{ID: sampleReader, ConfirmBids: true}, int64(sampleOther)
	mine, own := int64(sampleReader), s.money("1360")
	open := func(id int64, leader *int64, left time.Duration) auction.Auction {
		a := auction.Auction{ID: id, SellerID: 9, StartingPrice: s.money("1000"), MinIncrement: s.money("20"), CurrentPrice: s.money("1380"), LeaderID: leader,
			BidCount: 9, Version: 10, Status: auction.Open, StartTime: s.now.Add(-time.Hour), EndTime: s.now.Add(left), SoftClose: 2 * time.Minute, Now: s.now}
		if leader == nil {
			a.CurrentPrice, a.BidCount, a.Version = a.StartingPrice, 0, 1
		}
		return a
	}
	scheduled := open(5, nil, 3*time.Hour)
	scheduled.StartTime = s.now.Add(time.Hour)
	lots := []views.DesignLot{
		s.lot("to bid on", open(1, nil, 50*time.Hour), &me, nil),
		s.lot("leading", open(2, &mine, 3*time.Hour), &me, &own),
		s.lot("outbid, ending soon", open(3, &other, 42*time.Second), &me, &own),
		s.lot("for a stranger", open(4, &other, 12*time.Minute), nil, nil),
		s.lot("to come", scheduled, &me, nil),
		s.lot("ended, being confirmed", open(6, &other, -time.Second), &me, &own),
	}
	refused := s.lot("with a refused bid", open(7, &other, 12*time.Minute), &me, &own)
	refused.Panel.Notice, refused.Panel.Refused = "Your bid of $1,390.00 was too low. The lowest bid is $1,400.00.", true
	mistaken := s.lot("with a mistake", open(8, &other, 12*time.Minute), &me, &own)
	mistaken.Panel.Amount, mistaken.Panel.Mistake = "1,4", "Write an amount like 1400.00."
	asked := s.lot("with a bid shown once more", open(9, &other, 12*time.Minute), &me, &own)
	asked.Panel.Ask = &views.Ask{Price: s.Currency.Format(s.money("1400")), Amount: "1400"}
	raised := s.lot("with the leader asked", open(10, &mine, 12*time.Minute), &me, &own)
	raised.Panel.Ask = &views.Ask{Price: s.Currency.Format(s.money("1500")), Amount: "1500", Leading: true, LeadsAt: raised.Live.Price}
	highest := open(11, &other, 12*time.Minute)
	highest.CurrentPrice = s.money("999999999999")
	return append(lots, refused, mistaken, asked, raised, s.lot("as high as it can go", highest, &me, &own))
}

func (s sample) lot(name string, a auction.Auction, reader *auction.Person, own *auction.Money) views.DesignLot {
	state := a.State()
	lot := views.DesignLot{Name: name, Panel: s.panel(a, reader, own), Live: views.Live{
		State: state, Price: s.Currency.Format(a.CurrentPrice),
		Steps: s.steps(state), Watching: "37"}}
	lot.Panel.Title = "A lot"
	lot.Live.Floor, lot.Live.FloorText = s.floor(state)
	var prices []store.PricePoint
	if a.LeaderID != nil {
		lot.Live.Bids = []views.BidLine{
			{Version: 10, BidderID: *a.LeaderID, Alias: "K7", Amount: lot.Live.Price, At: s.now.Add(-time.Minute)},
			{Version: 9, BidderID: sampleReader, Alias: "R2", Amount: s.Currency.Format(s.money("1360")), At: s.now.Add(-2 * time.Minute)},
		}
		for i, price := range []string{"1020", "1100", "1180", "1360", "1380"} {
			prices = append(prices, store.PricePoint{Price: s.money(price), Since: s.now.Add(time.Duration(i*i-30) * time.Minute)})
		}
	}
	lot.Live.Chart = s.history(state, prices)
	return lot
}

func (s sample) result(phase auction.Phase, role views.Role) views.Result {
	r := views.Result{AuctionID: 10, Title: "A lot", Phase: phase, Role: role, Price: s.Currency.Format(s.money("1380")), WinnerAlias: "K7",
		BidCount: 9, EndTime: s.now, ClosedAt: s.now, LastBid: s.Currency.Format(s.money("1360"))}
	if phase == auction.Sold && (role == views.Winner || role == views.Seller) {
		r.Other = &auction.Contact{ID: 3, Name: "Somebody Else", Email: "somebody@example.com"}
	}
	return r
}

// money reads an amount of whole units, which every currency has.
func (s sample) money(text string) auction.Money {
	m, err := s.Currency.Parse(text)
	if err != nil {
		panic(err)
	}
	return m
}
