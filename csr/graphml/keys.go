package graphml

import (
	"cmp"
	"encoding/xml"
	"slices"
	"strings"

	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// key is a declaration: <key id="d0" for="edge" attr.name="weight">.
type key struct {
	id, scope, name string
	value           string // the default
	hasDefault      bool
}

// isOf reports whether a key is declared for nodes or edges.
func (k *key) isOf(what string) bool {
	return k.scope == what || k.scope == "all" || k.scope == ""
}

func (p *parser) startKey(t xml.StartElement) error {
	k := key{id: attribute(t, "id"), scope: attribute(t, "for"), name: attribute(t, "attr.name")}
	if p.isWeight(k.name) && k.isOf("edge") {
		switch {
		case p.graph != nil:
			return p.errorf("the key %s after the graph, expected keys before it", lines.Quote([]byte(k.name)))
		case k.id == "":
			return p.errorf("the key %s has no id", lines.Quote([]byte(k.name)))
		}
	}
	k.name = cmp.Or(k.name, k.id)
	p.keys = append(p.keys, k)
	return nil
}

// isWeight reports whether an attribute of edges is their weight.
func (p *parser) isWeight(name string) bool {
	if p.opt.Weight != "" {
		return name == p.opt.Weight
	}
	return strings.EqualFold(name, "weight")
}

// attributeOf returns what the key of data is called: as declared for edges or nodes, whichever
// has the data; else as declared for the other, as Cytoscape does; else, without a declaration,
// like the key. Types are not trusted: values are read as they stand.
func (p *parser) attributeOf(id, what string) (name string, declared bool) {
	other := ""
	for k := range p.keys {
		switch of := &p.keys[k]; {
		case of.id != id:
		case of.isOf(what):
			return of.name, true
		case other == "":
			other = of.name
		}
	}
	return cmp.Or(other, id), false
}

// defaultWeight returns the default of the keys of weights, the last if there are several.
func (p *parser) defaultWeight() (text string, has bool) {
	for _, k := range slices.Backward(p.keys) {
		if k.hasDefault && k.isOf("edge") && p.isWeight(k.name) {
			return k.value, true
		}
	}
	return "", false
}

// checkDefault refuses a default weight that is none.
func (p *parser) checkDefault() error {
	if k := p.keys[len(p.keys)-1]; k.isOf("edge") && p.isWeight(k.name) {
		_, err := p.number64(k.value)
		return err
	}
	return nil
}

// declaresWeight reports whether a key of edges is that of weights.
func (p *parser) declaresWeight() bool {
	return slices.ContainsFunc(p.keys, func(k key) bool { return k.isOf("edge") && p.isWeight(k.name) })
}

// checkWeight refuses a file without the weights that are asked for.
func (p *parser) checkWeight() error {
	if p.opt.Weight == "" || p.weights.given > 0 || p.declaresWeight() {
		return nil
	}
	expected := ""
	if has := p.edges.names(); len(has) > 0 {
		expected = ", expected one of " + lines.Titles(has)
	}
	return &lines.Error{File: p.file, Line: p.graphLine, Msg: "no key of edges is called " + lines.Quote([]byte(p.opt.Weight)) + expected}
}
