package views_test

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"
)

// element is a piece of a rendered component, to be looked at by selector.
type element struct {
	tag      string
	attr     map[string]string
	children []*element
	text     string // its own and its descendants', blanks folded
}

// draw renders a component and reads what came out.
func draw(t *testing.T, component templ.Component) *element {
	t.Helper()
	var out strings.Builder
	if err := component.Render(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	decoder := xml.NewDecoder(strings.NewReader(out.String()))
	decoder.Strict, decoder.Entity = false, xml.HTMLEntity
	root := &element{}
	open := []*element{root}
	for {
		token, err := decoder.RawToken()
		if errors.Is(err, io.EOF) {
			return root
		}
		if err != nil {
			t.Fatalf("%v in %s", err, out.String())
		}
		switch token := token.(type) {
		case xml.StartElement:
			child := &element{tag: name(token.Name), attr: map[string]string{}}
			for _, attribute := range token.Attr {
				child.attr[name(attribute.Name)] = attribute.Value
			}
			parent := open[len(open)-1]
			parent.children = append(parent.children, child)
			if !slices.Contains(void, child.tag) {
				open = append(open, child)
			}
		case xml.EndElement:
			closed := open[len(open)-1]
			if closed.tag != name(token.Name) {
				t.Fatalf("</%s> closes <%s> in %s", name(token.Name), closed.tag, out.String())
			}
			open = open[:len(open)-1]
		case xml.CharData:
			for _, e := range open {
				e.text = strings.Join(strings.Fields(e.text+" "+string(token)), " ")
			}
		}
	}
}

func name(n xml.Name) string {
	if n.Space != "" {
		return n.Space + ":" + n.Local
	}
	return n.Local
}

// void elements have no end tag in HTML.
var void = []string{"meta", "link", "input", "br", "hr"}

var simple = regexp.MustCompile(`([#.]?[\w-]+)|\[([\w:-]+)(?:=([^\]]*))?\]`)

// all finds elements by a selector of tags, ids, classes, attributes and
// descent: "#panel form [name=amount]".
func (e *element) all(selector string) []*element {
	steps := strings.Fields(selector)
	found := []*element{e}
	for _, step := range steps {
		var next []*element
		for _, from := range found {
			from.walk(func(child *element) {
				if child.is(step) {
					next = append(next, child)
				}
			})
		}
		found = next
	}
	return found
}

func (e *element) walk(visit func(*element)) {
	for _, child := range e.children {
		visit(child)
		child.walk(visit)
	}
}

func (e *element) is(step string) bool {
	for _, part := range simple.FindAllStringSubmatch(step, -1) {
		value, has := e.attr[part[2]]
		switch {
		case part[2] != "":
			if !has || part[3] != "" && value != part[3] {
				return false
			}
		case part[1][0] == '#':
			if e.attr["id"] != part[1][1:] {
				return false
			}
		case part[1][0] == '.':
			if !strings.Contains(" "+e.attr["class"]+" ", " "+part[1][1:]+" ") {
				return false
			}
		case e.tag != part[1]:
			return false
		}
	}
	return true
}

// one is the only element that a selector finds.
func (e *element) one(t *testing.T, selector string) *element {
	t.Helper()
	found := e.all(selector)
	if len(found) != 1 {
		t.Fatalf("%d elements match %q, want 1", len(found), selector)
	}
	return found[0]
}

// has says whether a selector finds anything that is not hidden.
func (e *element) has(selector string) bool {
	for _, found := range e.all(selector) {
		if _, hidden := found.attr["hidden"]; !hidden {
			return true
		}
	}
	return false
}
