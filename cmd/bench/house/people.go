package house

import (
	"crypto/rand"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// importPeople makes people with tokens, as a house's owner does. Their
// addresses are new in each run, since a database may be used again.
func (s *started) importPeople(name string, n int, trusted bool) ([]Person, error) {
	s.crowd++
	run := strings.ToLower(rand.Text()[:10])
	var b strings.Builder
	b.WriteString("email,name,seller,admin\n")
	for i := range n {
		fmt.Fprintf(&b, "%s%d-%d-%s@bench.example,Bench %s %d,%t,%t\n", name, s.crowd, i, run, name, i, trusted, trusted)
	}
	file := filepath.Join(s.folder, name+".csv")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		return nil, err
	}
	printed, err := s.command("user", "import", file, "--tokens")
	if err != nil {
		return nil, err
	}
	return ReadPeople(strings.NewReader(printed))
}

// ReadPeople reads what `rostrum user import FILE --tokens` prints.
func ReadPeople(from io.Reader) ([]Person, error) {
	rows, err := csv.NewReader(from).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read the tokens: %w", err)
	}
	if len(rows) == 0 || len(rows[0]) != 3 || rows[0][1] != "id" || rows[0][2] != "token" {
		return nil, fmt.Errorf("the tokens do not begin with the line email,id,token")
	}
	people := make([]Person, 0, len(rows)-1)
	for i, row := range rows[1:] {
		id, err := strconv.ParseInt(row[1], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("the tokens, line %d: %q is no id", i+2, row[1])
		}
		people = append(people, Person{id, row[2]})
	}
	return people, nil
}
