package graphml

import (
	"slices"
	"strconv"
	"strings"

	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// seen is an attribute of nodes or edges, and what its values were like.
type seen struct {
	name            string
	values, numbers int // those that could be a weight
	differ          int // those of nodes that are not their id
	line            int // of the first
}

// attributes are those of all nodes, or of all edges, in the order of the file.
type attributes struct {
	list []*seen
	by   map[string]*seen
}

const (
	mostAttributes = 1 << 10 // that are told apart
	mostSeen       = 128     // bytes of a value that is only looked at
)

func newAttributes() *attributes { return &attributes{by: map[string]*seen{}} }

// of returns the attribute of a name.
func (a *attributes) of(name string) *seen {
	if found := a.by[name]; found != nil {
		return found
	}
	if len(a.list) == mostAttributes {
		return a.list[mostAttributes-1]
	}
	found := &seen{name: name}
	a.list, a.by[name] = append(a.list, found), found
	return found
}

func (a *attributes) names() (names []string) {
	for _, of := range a.list {
		names = append(names, of.name)
	}
	return names
}

// startData asks for the value of an attribute.
func (p *parser) startData(of *attributes, name string) {
	isEdge := of == p.edges
	p.read(of.of(name), isEdge && p.isWeight(name) || !isEdge && p.opt.Name == name)
}

// startLabel asks for a text of yEd, which is deep in the data of a node or an edge.
func (p *parser) startLabel(name string) {
	switch {
	case name == "NodeLabel" && p.path[2] == "node":
		p.startData(p.vertices, name)
	case name == "EdgeLabel" && p.path[2] == "edge":
		p.startData(p.edges, name)
	}
}

// value takes a value of the node or the edge that is open.
func (p *parser) value(of *seen, text string) error {
	plain := strings.Trim(text, lines.Blanks)
	onEdge := p.path[2] == "edge"
	if plain == "" && !(onEdge && p.isWeight(of.name)) {
		return nil
	}
	if of.values++; of.line == 0 {
		of.line = p.line()
	}
	switch {
	case onEdge && p.isWeight(of.name):
		return p.weight(of.name, text)
	case onEdge:
		if _, err := lines.ParseWeight([]byte(plain)); err == nil {
			of.numbers++
		}
		return nil
	case plain != p.nodes.Name(int(p.names.node)):
		of.differ++
	}
	return p.name(of.name, plain)
}

// weight takes the weight of the edge that is open.
func (p *parser) weight(by, text string) error {
	e := &p.edge
	if e.hasWeight && e.weight != text {
		return p.errorf("an edge with the weights %s (of %s) and %s (of %s), expected one; graphml.Options.Weight says which", lines.Quote([]byte(e.weight)), lines.Quote([]byte(e.by)), lines.Quote([]byte(text)), lines.Quote([]byte(by)))
	}
	if !e.hasWeight {
		p.weights.own++
	}
	e.weight, e.by, e.hasWeight = text, by, true
	if e.free && by != "EdgeLabel" {
		if p.weights.free++; p.weights.free == 1 {
			p.weights.line, p.weights.name = e.line, by
		}
	}
	return nil
}

// note says what was not taken as it stands.
func (p *parser) note(to *notes.List) {
	p.noteAttributes(to)
	p.noteWeights(to)
	p.noteNames(to)
}

// noteAttributes counts the attributes that were not used. Where no edge has a weight, one that
// looks like a weight is in doubt.
func (p *parser) noteAttributes(to *notes.List) {
	ignored := func(of *seen, used bool) bool { return of.values > 0 && !used }
	var edges, all []*seen
	for _, of := range p.edges.list {
		if ignored(of, p.isWeight(of.name)) {
			edges = append(edges, of)
		}
	}
	all = slices.Clone(edges)
	for _, of := range p.vertices.list {
		if ignored(of, of.name == p.opt.Name) {
			all = append(all, of)
		}
	}
	if len(all) == 0 {
		return
	}
	if p.opt.Weight == "" && p.weights.own == 0 {
		if like := likeWeight(edges); like != nil {
			to.Doubt(notes.Attributes, len(all), like.line, like.name,
				"no edge has a weight of its own: if "+lines.Quote([]byte(like.name))+" is one, say graphml.Options.Weight "+strconv.Quote(like.name))
			return
		}
	}
	first := all[0]
	for _, of := range all[1:] {
		if of.line < first.line {
			first = of
		}
	}
	to.Add(notes.Attributes, len(all), first.line, first.name)
}

// likeWeight returns the attribute that is a weight most likely: by its title, then by numbers;
// nil for none. Numbers that are ids of edges are none.
func likeWeight(edges []*seen) *seen {
	var number *seen
	for _, of := range edges {
		switch {
		case of.numbers == 0 || slices.Contains([]string{"id", "suid", "key", "index", "edgeid", "edge id", "sourceport", "targetport"}, strings.ToLower(of.name)):
		case !lines.NoWeight([]byte(of.name)):
			return of
		case of.numbers == of.values && number == nil:
			number = of
		}
	}
	return number
}

// noteWeights counts the edges without a weight where others have one, or a key says so.
func (p *parser) noteWeights(to *notes.List) {
	to.Add(notes.FreeWeights, p.weights.free, p.weights.line, p.weights.name)
	if bare := p.weights.edges - p.weights.given; bare > 0 && (p.weights.given > 0 || p.declaresWeight()) {
		to.Doubt(notes.DefaultWeights, bare, p.bare.line, p.bare.text, "give each edge a weight, or the key a default")
	}
}
