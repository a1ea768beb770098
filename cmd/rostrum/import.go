package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"rostrum/store"
	"rostrum/store/auction"
)

type userImport struct {
	File   string `arg:"" help:"The CSV file."`
	Tokens bool   `help:"Make an API token for each person and print email,id,token as CSV."`
}

// Run imports all of the file or nothing.
func (c userImport) Run(ctx context.Context, p *program) error {
	people, err := readPeople(c.File)
	if err != nil {
		return err
	}
	return p.withStore(ctx, func(s *store.Store) error {
		imported, err := s.Import(ctx, people)
		if err != nil || !c.Tokens {
			return err
		}
		ids := make([]int64, len(imported))
		for i, person := range imported {
			ids[i] = person.ID
		}
		tokens, err := s.AddTokens(ctx, ids...)
		if err != nil {
			return err
		}
		rows := [][]string{{"email", "id", "token"}}
		for i, person := range imported {
			rows = append(rows, []string{person.Email, strconv.FormatInt(person.ID, 10), tokens[i]})
		}
		return csv.NewWriter(p.stdout).WriteAll(rows)
	})
}

// readPeople reads the rows of a CSV file. The columns may come in any order;
// seller and admin, or cells of theirs, may be left out and change nothing then.
func readPeople(path string) ([]store.Entry, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reader := csv.NewReader(file)
	header, err := reader.Read()
	if err != nil {
		return nil, fmt.Errorf("%s has no first line with the columns email,name,seller,admin", path)
	}
	column := map[string]int{}
	for i, name := range header {
		column[strings.ToLower(strings.TrimSpace(strings.TrimPrefix(name, "\ufeff")))] = i
	}
	if _, ok := column["email"]; !ok {
		return nil, fmt.Errorf("%s has no column email", path)
	}
	if _, ok := column["name"]; !ok {
		return nil, fmt.Errorf("%s has no column name", path)
	}
	var people []store.Entry
	lines := map[string]int{}
	for {
		row, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return people, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		line, _ := reader.FieldPos(0)
		person, err := readPerson(row, column)
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, line, err)
		}
		if before := lines[person.Email]; before > 0 {
			return nil, fmt.Errorf("%s, line %d: %s stands in line %d already", path, line, person.Email, before)
		}
		lines[person.Email] = line
		people = append(people, person)
	}
}

func readPerson(row []string, column map[string]int) (store.Entry, error) {
	person := store.Entry{Email: auction.NormalEmail(row[column["email"]]), Name: strings.TrimSpace(row[column["name"]])}
	for name, to := range map[string]**bool{"seller": &person.Seller, "admin": &person.Admin} {
		i, ok := column[name]
		if !ok || row[i] == "" {
			continue
		}
		value, err := strconv.ParseBool(row[i])
		if err != nil {
			return person, fmt.Errorf("%s is %q, not true or false", name, row[i])
		}
		*to = &value
	}
	return person, checkPerson(person.Email, person.Name)
}
