package store_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"rostrum/store"
)

// A beginning that few words have is looked for by these words, others by the
// prefix. That must tell nobody anything: the lots are those whose words begin
// so, told here by going through all of them, in the same order and number.
func TestABeginningFindsTheSameLotsHoweverManyWordsHaveIt(t *testing.T) {
	t.Parallel()
	s := setup(t)
	last := strings.Repeat("\U0010ffff", 3)
	s.Exec(`INSERT INTO auction (seller_id, title, starting_price, min_increment, current_price, start_time, end_time, soft_close)
		SELECT $1, concat_ws(' ', ($2::text[])[1 + n % 11], ($2::text[])[1 + n % 7], 'no', n), n % 10 + 1, 1, n % 10 + 1,
			clock_timestamp(), clock_timestamp() + interval '1 day' + n / 5 * interval '1 minute', '2 days'
		FROM generate_series(1, 200) n`,
		s.seller.ID, []string{"vase", "vases", "clock", "clocks", "clockwork", "cloc", "z", "z" + last, "north", "花瓶", "花瓶の箱"})
	s.Exec(`UPDATE auction SET title = title || ' unheard' WHERE id % 9 = 0`)
	texts := []string{"vase", "vases", "vas", "clock", "clocks", "cl", "clockw", "z", "z" + last, "n", "no", "no 1", "no 12", "vase no 1", "unheard no",
		"clock vase", "clocks vases", "vase vases", "unh cloc", "花瓶", "瓶", "花", "花瓶 no", "nothing", "nothing no", "vase nothing"}
	for _, closed := range []bool{false, true} {
		if closed {
			s.Exec(`UPDATE auction SET status = 'CLOSED', closed_at = end_time`)
		}
		_, err := s.RefreshRanks(t.Context())
		ok(t, err)
		found := 0
		for _, text := range texts {
			for sort, order := range map[store.Sort]string{
				store.ByEnd:  map[bool]string{false: "end_time, id", true: "end_time DESC, id DESC"}[closed],
				store.Newest: "id DESC", store.PriceLow: "current_price, id", store.PriceHigh: "current_price DESC, id DESC",
			} {
				want := value[[]int64](t, s.House, fmt.Sprintf(`
					SELECT coalesce(array_agg(id ORDER BY %s), '{}') FROM auction WHERE NOT EXISTS (
						SELECT FROM string_to_table('%s', ' ') beginning WHERE NOT EXISTS (
							SELECT FROM lot_search, unnest(tsvector_to_array(words)) word WHERE auction_id = id AND starts_with(word, beginning)))`, order, text))
				found += len(want)
				q := store.Query{Closed: closed, Text: text, Sort: sort, Limit: 7}
				if read := s.read(t, q, func() {}); !slices.Equal(read, want) {
					t.Errorf("%q, closed %v, by %s: read %v, want %v", text, closed, sort, read, want)
				}
				if n, err := s.Count(t.Context(), q, math.MaxInt32); n != len(want) || err != nil {
					t.Errorf("%q, closed %v, by %s: counted %d, %v, want %d", text, closed, sort, n, err, len(want))
				}
			}
		}
		if found < 1000 {
			t.Errorf("the texts find %d lots: too few to tell anything", found)
		}
	}
}

func TestEveryWordOfALotIsKnown(t *testing.T) {
	t.Parallel()
	s := crowded(t)
	s.Exec(`UPDATE auction SET description = 'newly worded' WHERE id % 2 = 0`)
	if unknown := s.count(t, `SELECT count(*) FROM lot_search, unnest(tsvector_to_array(words)) w WHERE w COLLATE "C" NOT IN (SELECT word FROM lot_word)`); unknown != 0 {
		t.Errorf("%d words are not known", unknown)
	}
	for text, want := range map[string]string{
		"seventh": `'seventh'`, "newl": `'newly'`, "WORDED newly": `'newly' & 'worded'`, "f se": `'first' & 'seventh'`,
		"nowhere": `'nowhere':*`, "": "",
	} {
		if query := value[string](t, s.House, `SELECT coalesce(search_for('`+text+`')::text, '')`); query != want {
			t.Errorf("%q is searched for by %s, want %s", text, query, want)
		}
	}
}
