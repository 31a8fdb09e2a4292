package graphml

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/bounded"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// Options are the options of [Read].
type Options struct {
	// Weight is the attr.name of the key of edge weights. Empty means weight, in large
	// letters or small ones, and that a file need not have it.
	Weight string
	// Edges are those of edge lists. A graph of directed edges is an error
	// without Directed, which makes W ← (W+Wᵀ)/2 of it; undirected edges are
	// not changed by it.
	Edges edgelist.Options
}

// The bounds of an element.
const (
	maxElement = 1 << 20
	maxDepth   = 32
)

var errElement = fmt.Errorf("an element longer than %d bytes", maxElement)

// Read reads the graph in r, which is not decompressed. The file name is for messages. Memory: that of
// [edgelist.Read], and the ids of the nodes once more.
func Read(r io.Reader, name string, opt Options) (*edgelist.Graph, error) {
	in := bounded.NewReader(r, maxElement, errElement)
	p := &parser{
		file: name, in: in, xml: xml.NewDecoder(in), opt: opt,
		nodes: ids.NewTable(), weightName: opt.Weight, weight: "1",
	}
	if p.weightName == "" {
		p.weightName = "weight"
	}
	p.xml.CharsetReader = func(label string, _ io.Reader) (io.Reader, error) {
		return nil, p.errorf("encoding %s, expected UTF-8", lines.Quote([]byte(label)))
	}
	for {
		token, err := p.next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = p.take(token)
		}
		if err != nil {
			return nil, err
		}
	}
	if p.edges == nil {
		return nil, &lines.Error{File: name, Msg: "no graph, expected an element graphml with an element graph in it"}
	}
	if p.declared < p.nodes.Len() {
		return nil, &lines.Error{File: name, Line: p.missingLine, Msg: fmt.Sprintf("an edge names node %s, which the file does not have", lines.Quote([]byte(p.missing())))}
	}
	return p.edges.Graph()
}

// parser is where the reader is in the file.
type parser struct {
	file string
	in   *bounded.Reader
	xml  *xml.Decoder
	opt  Options
	path []string // the names of the elements that are open

	weightName string   // the attr.name of keys of weights
	weightKeys []string // their ids: networkx has one for each type of number
	weight     string   // its default

	edges    *edgelist.Gatherer // nil before the graph
	directed bool
	// Nodes may follow the edges that name them. Those that have been declared
	// are marked; their number says whether any is missing.
	nodes       *ids.Table
	isDeclared  []bool
	declared    int
	missingLine int // of the first edge that names a node before its element

	edge struct {
		source, target, weight string
		line                   int
	}
	text strings.Builder // of the default or the data that is open
	keep bool            // whether that is wanted
}

func (p *parser) line() int {
	line, _ := p.xml.InputPos()
	return line
}

func (p *parser) errorf(format string, args ...any) error {
	return &lines.Error{File: p.file, Line: p.line(), Msg: fmt.Sprintf(format, args...)}
}

// next returns the next token, io.EOF at the end of a whole document.
func (p *parser) next() (xml.Token, error) {
	p.in.Next()
	token, err := p.xml.Token()
	var syntax *xml.SyntaxError
	var own *lines.Error
	switch {
	case err == nil:
		return token, nil
	case err == io.EOF && len(p.path) == 0:
		return nil, io.EOF
	case errors.As(err, &own):
		return nil, own
	case errors.As(err, &syntax):
		return nil, p.errorf("%s, expected well-formed XML", quoted(syntax.Msg))
	case errors.Is(err, errElement):
		return nil, p.errorf("%v", err)
	}
	return nil, &lines.ReadError{File: p.file, Line: p.line(), Err: err}
}

// quoted bounds the words of the XML decoder, which may quote the file.
func quoted(message string) string {
	if utf8.ValidString(message) && len(message) <= 80 && !strings.ContainsFunc(message, lines.IsControl) {
		return message
	}
	return lines.Quote([]byte(message))
}

func (p *parser) take(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		if len(p.path) == maxDepth {
			return p.errorf("elements are nested more than %d deep", maxDepth)
		}
		p.path = append(p.path, t.Name.Local)
		return p.start(t)
	case xml.EndElement:
		err := p.end(t.Name.Local)
		p.path = p.path[:len(p.path)-1]
		return err
	case xml.CharData:
		if p.keep && p.text.Len()+len(t) > maxElement {
			return p.errorf("%v", errElement)
		}
		if p.keep {
			p.text.Write(t)
		}
	case xml.Directive:
		if strings.Contains(string(t), "[") {
			return p.errorf("a document type that declares entities, expected none")
		}
	}
	return nil
}

// inside reports whether the open element is the last of the path, below
// graphml.
func (p *parser) inside(path ...string) bool {
	if len(p.path) != len(path)+1 {
		return false
	}
	for k, name := range path {
		if p.path[k+1] != name {
			return false
		}
	}
	return true
}

func (p *parser) start(t xml.StartElement) error {
	switch {
	case len(p.path) == 1 && t.Name.Local != "graphml":
		return p.errorf("element %s, expected graphml", lines.Quote([]byte(t.Name.Local)))
	case p.inside("key"):
		return p.startKey(t)
	case p.inside("key", "default"):
		p.text.Reset()
	case t.Name.Local == "graph":
		return p.startGraph(t)
	case p.inside("graph", "hyperedge"):
		return p.errorf("a hyperedge, expected edges between two nodes")
	case p.inside("graph", "node"):
		return p.startNode(t)
	case p.inside("graph", "edge"):
		return p.startEdge(t)
	case p.inside("graph", "edge", "data"):
		p.keep = slices.Contains(p.weightKeys, attribute(t, "key"))
		p.text.Reset()
	}
	return nil
}

// attribute returns the value of an attribute, empty if there is none.
func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}

// startKey looks whether the key is that of weights. Types are not trusted: the
// values are read as numbers.
func (p *parser) startKey(t xml.StartElement) error {
	scope := attribute(t, "for")
	called := attribute(t, "attr.name")
	p.keep = called == p.weightName || p.opt.Weight == "" && strings.EqualFold(called, p.weightName)
	p.keep = p.keep && (scope == "edge" || scope == "all" || scope == "")
	switch {
	case !p.keep:
		return nil
	case p.edges != nil:
		return p.errorf("the key %s after the graph, expected keys before it", lines.Quote([]byte(p.weightName)))
	}
	id := attribute(t, "id")
	if id == "" {
		return p.errorf("the key %s has no id", lines.Quote([]byte(p.weightName)))
	}
	p.weightKeys = append(p.weightKeys, id)
	return nil
}

func (p *parser) startGraph(t xml.StartElement) error {
	switch {
	case !p.inside("graph"):
		return p.errorf("a graph within %s, expected one graph, not nested", lines.Quote([]byte(p.path[len(p.path)-2])))
	case p.edges != nil:
		return p.errorf("a second graph, expected one")
	case len(p.weightKeys) == 0 && p.opt.Weight != "":
		return p.errorf("no key of edges is called %s", lines.Quote([]byte(p.opt.Weight)))
	}
	switch edges := attribute(t, "edgedefault"); edges {
	case "undirected":
	case "directed":
		if p.directed = true; !p.opt.Edges.Directed {
			return p.errorf("edges are directed, expected undirected ones; edgelist.Options.Directed makes (W+Wᵀ)/2 of them")
		}
	default:
		return p.errorf("edgedefault %s, expected directed or undirected", lines.Quote([]byte(edges)))
	}
	opt := p.opt.Edges
	opt.Directed = p.directed
	p.edges = edgelist.NewGatherer(p.file, opt)
	return nil
}

// id returns the value of an attribute that names a node.
func (p *parser) id(t xml.StartElement, name string) (string, error) {
	id := strings.Trim(attribute(t, name), lines.Blanks)
	switch {
	case id == "":
		return "", p.errorf("%s without the attribute %s", t.Name.Local, name)
	case strings.ContainsFunc(id, lines.IsControl):
		return "", p.errorf("%s %s, expected no control characters", name, lines.Quote([]byte(id)))
	}
	return id, nil
}

// number returns the number of a node, a new one the first time.
func (p *parser) number(id string) (uint32, error) {
	i, err := p.nodes.Add([]byte(id))
	if err != nil {
		return 0, p.errorf("%v", err)
	}
	if int(i) == len(p.isDeclared) {
		p.isDeclared = append(p.isDeclared, false)
	}
	return i, nil
}

func (p *parser) startNode(t xml.StartElement) error {
	id, err := p.id(t, "id")
	if err != nil {
		return err
	}
	i, err := p.number(id)
	if err != nil {
		return err
	}
	if p.isDeclared[i] {
		return p.errorf("node %s is given twice", lines.Quote([]byte(id)))
	}
	p.isDeclared[i] = true
	p.declared++
	if err := p.edges.Node([]byte(id)); err != nil {
		return p.errorf("%v", err)
	}
	return nil
}

// missing returns the first node that an edge names and no element declares.
func (p *parser) missing() string {
	for i, declared := range p.isDeclared {
		if !declared {
			return p.nodes.Name(i)
		}
	}
	return ""
}

func (p *parser) startEdge(t xml.StartElement) (err error) {
	e := &p.edge
	e.line, e.weight = p.line(), p.weight
	if e.source, err = p.id(t, "source"); err != nil {
		return err
	}
	if e.target, err = p.id(t, "target"); err != nil {
		return err
	}
	for _, id := range []string{e.source, e.target} {
		i, err := p.number(id)
		if err != nil {
			return err
		}
		if !p.isDeclared[i] && p.missingLine == 0 {
			p.missingLine = e.line
		}
	}
	switch directed := attribute(t, "directed"); {
	case directed != "" && directed != "true" && directed != "false":
		return p.errorf("directed %s, expected true or false", lines.Quote([]byte(directed)))
	case directed != "" && (directed == "true") != p.directed:
		return p.errorf("an edge with directed %s in a graph of others, expected one kind", lines.Quote([]byte(directed)))
	}
	return nil
}

func (p *parser) end(name string) error {
	switch {
	case p.inside("key", "default") && p.keep:
		if _, err := p.number64(p.text.String()); err != nil {
			return err
		}
		p.weight = p.text.String()
	case p.inside("key"):
		p.keep = false
	case p.inside("graph", "edge", "data") && p.keep:
		p.edge.weight, p.keep = p.text.String(), false
	case p.inside("graph", "edge"):
		weight, err := p.number64(p.edge.weight)
		if err != nil {
			return err
		}
		if err := p.edges.Edge([]byte(p.edge.source), []byte(p.edge.target), weight, p.edge.line); err != nil {
			return err
		}
	}
	return nil
}

// number64 returns the value of a weight, in the syntax of edge lists.
func (p *parser) number64(text string) (float64, error) {
	weight, err := lines.ParseWeight([]byte(strings.Trim(text, lines.Blanks)))
	if err != nil {
		return 0, p.errorf("%v", err)
	}
	return weight, nil
}
