package handlers_test

import (
	"encoding/csv"
	"net/http"
	"strings"
	"testing"
	"time"

	"rostrum/store/auction"
)

// Spreadsheets part cells as their language does, whatever a file means.
func TestNoCellOfAnExportIsAFormulaHoweverItIsParted(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	for _, title := range []string{`=1+1`, ` @SUM(A1)`, `a";=1+1;"`, `a;=1+1`, `";=1`, `a; "=1`, `a;＝1`, `;-1`, `x;+1`, "a;\u00a0=1", "a;\u3000=1", "a;\u2003@x"} {
		a, err := o.List(t.Context(), auction.Listing{SellerID: o.seller.ID, Title: title, StartingPrice: o.Money("1"), MinIncrement: o.Money("1"), EndTime: o.Now().Add(time.Hour)})
		if err == nil {
			_, err = o.Withdraw(t.Context(), auction.Withdrawal{AuctionID: a.ID, ActorID: o.seller.ID})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	file := o.admin.get("/admin/closed.csv")
	if n := strings.Count(file.text, "\r\n"); file.StatusCode != http.StatusOK || n < 10 {
		t.Fatalf("%d, %d lines", file.StatusCode, n)
	}
	for _, comma := range ",;\t" {
		reader := csv.NewReader(strings.NewReader(strings.TrimPrefix(file.text, "\ufeff")))
		reader.Comma, reader.LazyQuotes, reader.FieldsPerRecord = comma, true, -1
		rows, err := reader.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			for _, cell := range row {
				if cell = strings.TrimSpace(cell); cell != "" && strings.ContainsAny(cell[:1], "=+-@") || strings.HasPrefix(cell, "＝") {
					t.Errorf("parted by %q, a cell is %q", comma, cell)
				}
			}
		}
	}
}
