package graphml

import (
	"slices"
	"strconv"
	"strings"

	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// names are those of nodes that Options.Name asks for.
type names struct {
	node   uint32 // that is open
	called []uint32
	has    []bool
	table  *ids.Table
	later  []held // edges that came before the names of their ends, and all after them
}

// held is an edge whose ends are not named yet.
type held struct {
	rows   [2]uint32
	weight float64
	line   int
}

// name takes a value of the node that is open. The first NodeLabel of a node is its name.
func (p *parser) name(of, text string) error {
	n := &p.names
	if p.opt.Name == "" || of != p.opt.Name {
		return nil
	}
	if strings.ContainsFunc(text, lines.IsControl) {
		return p.errorf("name %s of node %s, expected no control characters", lines.Quote([]byte(text)), p.quoted(n.node))
	}
	for int(n.node) >= len(n.has) {
		n.has, n.called = append(n.has, false), append(n.called, 0)
	}
	if n.has[n.node] {
		return nil
	}
	before := n.table.Len()
	at, err := n.table.Add([]byte(text))
	if err != nil {
		return p.errorf("%v", err)
	}
	if int(at) < before {
		return p.errorf("name %s of node %s is that of another node already, expected names that differ", lines.Quote([]byte(text)), p.quoted(n.node))
	}
	n.has[n.node], n.called[n.node] = true, at
	return nil
}

func (p *parser) quoted(node uint32) string { return lines.Quote([]byte(p.nodes.Name(int(node)))) }

// endNode adds a node that is called by its name.
func (p *parser) endNode() error {
	if p.opt.Name == "" {
		return nil
	}
	node := p.names.node
	if !p.names.known(node) {
		expected := ""
		if has := p.vertices.names(); len(has) > 0 {
			expected = "; nodes have " + lines.Titles(has)
		}
		return p.errorf("node %s has no %s, expected the name of each node%s", p.quoted(node), lines.Quote([]byte(p.opt.Name)), expected)
	}
	return p.addNode(p.names.of(node))
}

func (n *names) known(node uint32) bool { return int(node) < len(n.has) && n.has[node] }

func (n *names) of(node uint32) []byte { return n.table.AppendName(nil, int(n.called[node])) }

// namedEdge adds the edge that is open, if its ends have names by now and no edge before it waits.
func (p *parser) namedEdge(weight float64) error {
	e := held{p.edge.rows, weight, p.edge.line}
	if len(p.names.later) > 0 || !p.names.known(e.rows[0]) || !p.names.known(e.rows[1]) {
		p.names.later = append(p.names.later, e)
		return nil
	}
	return p.addEdge(e)
}

func (p *parser) addEdge(e held) error {
	return p.graph.Edge(p.names.of(e.rows[0]), p.names.of(e.rows[1]), e.weight, e.line)
}

// heldBack adds the edges that waited for names.
func (p *parser) heldBack() error {
	for _, e := range p.names.later {
		if err := p.addEdge(e); err != nil {
			return err
		}
	}
	return nil
}

// isGenerated reports whether an id is one that programs make: n0, or a number.
func isGenerated(id string) bool {
	digits := strings.TrimPrefix(id, "n")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// noteNames says that nodes have names beside generated ids, which are not used. Numbers may be
// ids that people gave: they are no reason to warn.
func (p *parser) noteNames(to *notes.List) {
	if p.opt.Name != "" || p.generated < p.declared || p.declared == 0 {
		return
	}
	for _, title := range []string{"name", "label", "NodeLabel", "shared name", "id"} {
		at := slices.IndexFunc(p.vertices.list, func(of *seen) bool { return strings.EqualFold(of.name, title) })
		if at < 0 || p.vertices.list[at].differ == 0 {
			continue
		}
		of := p.vertices.list[at]
		if p.nodes.Name(0)[0] != 'n' {
			to.Add(notes.NodeNames, of.values, of.line, of.name)
			return
		}
		to.Doubt(notes.NodeNames, of.values, of.line, of.name, "nodes are called by their ids, such as "+p.quoted(0)+": graphml.Options.Name "+strconv.Quote(of.name)+" calls them by their names")
		return
	}
}
