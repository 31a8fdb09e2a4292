package graphml

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/bounded"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// Options are the options of [Read].
type Options struct {
	// Weight is the attr.name of the key of edge weights, or EdgeLabel for the text that yEd
	// draws at an edge. Empty means weight, in large letters or small ones, and that a file need
	// not have it.
	Weight string
	// Name is the attr.name of the key of the names of nodes, or NodeLabel for the text that yEd
	// draws in a node. Empty means that nodes are called by their ids.
	Name string
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
		nodes: ids.NewTable(), names: names{table: ids.NewTable()}, edges: newAttributes(), vertices: newAttributes(),
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
	if p.graph == nil {
		return nil, &lines.Error{File: name, Msg: "no graph, expected an element graphml with an element graph in it"}
	}
	if err := p.checkDirected(); err != nil { // of a graph without edges
		return nil, err
	}
	if p.declared < p.nodes.Len() {
		return nil, &lines.Error{File: name, Line: p.missingLine, Msg: fmt.Sprintf("an edge names node %s, which the file does not have", lines.Quote([]byte(p.missing())))}
	}
	if err := p.heldBack(); err != nil {
		return nil, err
	}
	if err := p.checkWeight(); err != nil {
		return nil, err
	}
	g, err := p.graph.Graph()
	if err == nil {
		p.note(&g.Notes)
	}
	return g, err
}

// parser is where the reader is in the file.
type parser struct {
	file string
	in   *bounded.Reader
	xml  *xml.Decoder
	opt  Options
	path []string // the names of the elements that are open

	keys      []key
	graph     *edgelist.Gatherer // nil before the element
	graphLine int
	directed  bool
	byDefault bool // whether edges are directed that do not say
	begun     bool // there was an edge
	// Nodes may follow the edges that name them. Those that have been declared
	// are marked; their number says whether any is missing.
	nodes       *ids.Table
	isDeclared  []bool
	declared    int
	missingLine int // of the first edge that names a node before its element
	generated   int // nodes that are called n0, n1, … as programs call them
	names       names

	edges, vertices *attributes
	weights         struct { // edges, those with a weight or a default, and with a weight without a key
		edges, given, free int
		own                int // with a weight of their own, not a default
		line               int // of the first without a key
		name               string
	}
	bare struct { // the first edge without
		line int
		text string
	}
	edge edge

	text  strings.Builder // of the element that is open
	depth int             // of that element, 0 for none
	most  int             // bytes of it that are kept; more are an error if it is maxElement
	into  *seen           // whose value it is, nil for a default
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
		return p.write(t)
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

// write keeps text of the element that is asked for.
func (p *parser) write(text []byte) error {
	switch {
	case len(p.path) != p.depth || p.depth == 0:
		return nil
	case p.text.Len()+len(text) <= p.most:
	case p.most == maxElement:
		return p.errorf("%v", errElement)
	default:
		text = text[:p.most-p.text.Len()]
	}
	p.text.Write(text)
	return nil
}

// read asks for the text of the element that begins.
func (p *parser) read(into *seen, whole bool) {
	p.into, p.depth = into, len(p.path)
	p.most = mostSeen
	if whole {
		p.most = maxElement
	}
	p.text.Reset()
}

func (p *parser) start(t xml.StartElement) error {
	switch {
	case len(p.path) == 1 && t.Name.Local != "graphml":
		return p.errorf("element %s, expected graphml", lines.Quote([]byte(t.Name.Local)))
	case p.inside("key"):
		return p.startKey(t)
	case p.inside("key", "default") && len(p.keys) > 0:
		k := p.keys[len(p.keys)-1]
		p.read(nil, k.isOf("edge") && p.isWeight(k.name))
	case t.Name.Local == "graph":
		return p.startGraph(t)
	case p.inside("graph", "hyperedge"):
		return p.errorf("a hyperedge, expected edges between two nodes")
	case p.inside("graph", "node"):
		return p.startNode(t)
	case p.inside("graph", "edge"):
		return p.startEdge(t)
	case p.inside("graph", "edge", "data"):
		name, declared := p.attributeOf(attribute(t, "key"), "edge")
		p.edge.free = !declared
		p.startData(p.edges, name)
	case p.inside("graph", "node", "data"):
		name, _ := p.attributeOf(attribute(t, "key"), "node")
		p.startData(p.vertices, name)
	case len(p.path) > 4 && p.path[1] == "graph" && p.path[3] == "data":
		p.startLabel(t.Name.Local)
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

func (p *parser) startGraph(t xml.StartElement) error {
	switch {
	case !p.inside("graph"):
		return p.errorf("a graph within %s, expected one graph, not nested", lines.Quote([]byte(p.path[len(p.path)-2])))
	case p.graph != nil:
		return p.errorf("a second graph, expected one")
	}
	switch edges := attribute(t, "edgedefault"); edges {
	case "undirected":
	case "directed":
		p.directed, p.byDefault = true, true
	default:
		return p.errorf("edgedefault %s, expected directed or undirected", lines.Quote([]byte(edges)))
	}
	opt := p.opt.Edges
	opt.Directed = p.directed
	p.graph, p.graphLine = edgelist.NewGatherer(p.file, opt), p.line()
	return nil
}

// checkDirected refuses a graph of directed edges, unless they are asked for.
func (p *parser) checkDirected() error {
	if p.directed && !p.opt.Edges.Directed {
		return &lines.Error{File: p.file, Line: p.graphLine, Msg: "edges are directed, expected undirected ones; edgelist.Options.Directed makes (W+Wᵀ)/2 of them"}
	}
	return nil
}

// direct takes what an edge says of its direction, all as the first one. Some programs call a graph
// directed whose edges say that they are not.
func (p *parser) direct(said string) error {
	if said != "" && said != "true" && said != "false" {
		return p.errorf("directed %s, expected true or false", lines.Quote([]byte(said)))
	}
	if !p.begun && said == "false" {
		p.directed = false
		p.graph.Undirected()
	}
	p.begun = true
	if is := said == "true" || said == "" && p.byDefault; is != p.directed {
		return p.errorf("an edge with directed %q in a graph of others, expected one kind", strconv.FormatBool(is))
	}
	return p.checkDirected()
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
	if isGenerated(id) {
		p.generated++
	}
	p.names.node = i
	if p.opt.Name != "" { // called by its name, when that has been read
		return nil
	}
	return p.addNode([]byte(id))
}

func (p *parser) addNode(name []byte) error {
	if err := p.graph.Node(name); err != nil {
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

// edge is the edge that is open.
type edge struct {
	ends       [2]string
	rows       [2]uint32
	weight, by string // empty where it has none; the key of the weight
	hasWeight  bool
	free       bool // the data that is open, or was last, has no key that is declared for edges
	line       int
}

func (p *parser) startEdge(t xml.StartElement) (err error) {
	p.edge = edge{line: p.line()}
	e := &p.edge
	for k, name := range []string{"source", "target"} {
		if e.ends[k], err = p.id(t, name); err != nil {
			return err
		}
	}
	for k, id := range e.ends {
		if e.rows[k], err = p.number(id); err != nil {
			return err
		}
		if !p.isDeclared[e.rows[k]] && p.missingLine == 0 {
			p.missingLine = e.line
		}
	}
	if err := p.direct(attribute(t, "directed")); err != nil {
		return err
	}
	return p.edgeAttributes(t)
}

// edgeAttributes takes what programs write into the element of an edge and GraphML does not have
// there, and ports, which say where an edge touches a node.
func (p *parser) edgeAttributes(t xml.StartElement) error {
	p.edge.free = true
	for _, a := range t.Attr {
		if a.Name.Space != "" || slices.Contains([]string{"id", "source", "target", "directed", "xmlns"}, a.Name.Local) {
			continue
		}
		if err := p.value(p.edges.of(a.Name.Local), a.Value); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) end(name string) error {
	asked := len(p.path) == p.depth
	switch {
	case asked && p.into == nil:
		p.keys[len(p.keys)-1].value, p.keys[len(p.keys)-1].hasDefault = p.text.String(), true
		if err := p.checkDefault(); err != nil {
			return err
		}
	case asked:
		if err := p.value(p.into, p.text.String()); err != nil {
			return err
		}
	case p.inside("graph", "node"):
		return p.endNode()
	case p.inside("graph", "edge"):
		return p.endEdge()
	}
	if asked {
		p.depth = 0
	}
	return nil
}

// endEdge adds the edge, with its weight, the default, or 1.
func (p *parser) endEdge() error {
	e := &p.edge
	p.weights.edges++
	if !e.hasWeight {
		e.weight, e.hasWeight = p.defaultWeight()
	}
	weight := 1.0
	if e.hasWeight {
		var err error
		if weight, err = p.number64(e.weight); err != nil {
			return err
		}
		p.weights.given++
	} else if p.bare.line == 0 {
		p.bare.line, p.bare.text = e.line, e.ends[0]+" – "+e.ends[1]
	}
	if p.opt.Name != "" {
		return p.namedEdge(weight)
	}
	return p.graph.Edge([]byte(e.ends[0]), []byte(e.ends[1]), weight, e.line)
}

// number64 returns the value of a weight, in the syntax of edge lists.
func (p *parser) number64(text string) (float64, error) {
	weight, err := lines.ParseWeight([]byte(strings.Trim(text, lines.Blanks)))
	if err != nil {
		return 0, p.errorf("%v", err)
	}
	return weight, nil
}
