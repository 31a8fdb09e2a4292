package labelfile

import (
	"bytes"
	"io"
	"slices"
	"strconv"

	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// Options are the options of [Read].
type Options struct {
	// Header skips the first data line.
	Header bool
	// SkipUnknown counts labels of nodes that are not in the graph instead of
	// refusing them.
	SkipUnknown bool
}

// Labels are the known labels of a graph's nodes.
type Labels struct {
	// Classes are the names of the classes in sorted order: as numbers where
	// all are integers, else by bytes.
	Classes []string
	// Seeds are in no special order, one for each pair of node and class.
	Seeds []diffuse.Seed
	Stats Stats
}

// Stats counts what was not taken as it was.
type Stats struct {
	Lines    int `json:"lines"`
	Unknown  int `json:"unknown"`  // labels of nodes that are not in the graph
	Repeated int `json:"repeated"` // lines that repeat the label of a node
	Zero     int `json:"zero"`     // lines of weight 0, which say nothing
}

// Read reads labels of the nodes in the table. The file name is for
// messages. A label of an unknown node is an error unless SkipUnknown. Two
// labels for one node are an error unless each has a weight: they are then
// soft seeds. The same label given twice counts once, with the larger weight.
func Read(r io.Reader, file string, nodes *ids.Table, opt Options) (*Labels, error) {
	plain, err := stream.Reader(r)
	if err != nil {
		return nil, &lines.ReadError{File: file, Line: 1, Err: err}
	}
	defer plain.Close()
	p := parser{
		scan: lines.NewScanner(plain, file), nodes: nodes, opt: opt,
		classes: ids.NewTable(), given: map[uint32]given{}, seedOf: map[uint64]int{},
	}
	if opt.Header {
		p.scan.Scan()
	}
	for p.scan.Scan() {
		if err := p.line(); err != nil {
			return nil, err
		}
	}
	if err := p.scan.Err(); err != nil {
		return nil, err
	}
	if len(p.out.Seeds) == 0 {
		return nil, &lines.Error{File: file, Msg: "no labels of nodes of the graph, expected lines of the form: id label [weight]"}
	}
	return p.finish(), nil
}

type parser struct {
	scan    *lines.Scanner
	nodes   *ids.Table
	opt     Options
	classes *ids.Table
	given   map[uint32]given // what the file said of a node first
	seedOf  map[uint64]int   // index in out.Seeds of a node and class
	out     Labels
}

// given is the first label of a node, the line of its first label without a
// weight (0: none), and whether it has another label.
type given struct {
	line, bare int
	class      uint32
	several    bool
}

func (p *parser) line() error {
	fields := p.scan.Fields()
	if len(fields) < 2 || len(fields) > 3 {
		return p.scan.Errorf("%d columns, expected 2 or 3: id label [weight]", len(fields))
	}
	p.out.Stats.Lines++
	id, err := p.scan.ID(0, "node id")
	if err != nil {
		return err
	}
	label, err := p.scan.ID(1, "label")
	if err != nil {
		return err
	}
	weight := 1.0
	if len(fields) == 3 {
		if weight, err = p.scan.Weight(2); err != nil {
			return err
		}
	}
	node, ok := p.nodes.Lookup(id)
	switch {
	case !ok && p.opt.SkipUnknown:
		p.out.Stats.Unknown++
		return nil
	case !ok && p.out.Stats.Lines == 1 && !p.opt.Header:
		return p.scan.Errorf("node %s is not in the graph; if this line is a header, say --labels-header; --unknown-labels skip ignores such labels", lines.Quote(id))
	case !ok:
		return p.scan.Errorf("node %s is not in the graph; --unknown-labels skip ignores such labels", lines.Quote(id))
	case weight > maxWeight || weight != 0 && weight < 1/maxWeight:
		return p.scan.Errorf("label weight %s, expected 0 or between %g and %g", lines.Quote(fields[2]), 1/maxWeight, maxWeight)
	case weight == 0:
		p.out.Stats.Zero++
		return nil
	}
	return p.add(node, id, label, weight, len(fields) == 3)
}

// maxWeight keeps weights, their squares and sums within float32.
const maxWeight = 1e9

func (p *parser) add(node uint32, id, label []byte, weight float64, weighted bool) error {
	class, err := p.classes.Add(label)
	if err != nil {
		return p.scan.Errorf("%v", err)
	}
	said, seen := p.given[node]
	if !seen {
		said = given{line: p.scan.Line(), class: class}
	}
	said.several = said.several || said.class != class
	if !weighted && said.bare == 0 {
		said.bare = p.scan.Line()
	}
	p.given[node] = said
	if said.several && said.bare > 0 {
		return p.conflict(id, label, class, said)
	}
	pair := uint64(node)<<32 | uint64(class)
	if at, ok := p.seedOf[pair]; ok {
		p.out.Stats.Repeated++
		p.out.Seeds[at].Weight = max(p.out.Seeds[at].Weight, float32(weight))
		return nil
	}
	p.seedOf[pair] = len(p.out.Seeds)
	p.out.Seeds = append(p.out.Seeds, diffuse.Seed{Node: node, Class: class, Weight: float32(weight)})
	return nil
}

// conflict says that a label without a weight is not the only one of its node.
func (p *parser) conflict(id, label []byte, class uint32, said given) error {
	const expected = "expected one label a node, or a weight with each"
	if said.class != class {
		return p.scan.Errorf("node %s has label %s, but %s on line %d; %s", lines.Quote(id), lines.Quote(label), lines.Quote([]byte(p.classes.Name(int(said.class)))), said.line, expected)
	}
	return p.scan.Errorf("node %s has label %s without a weight, but another label above; %s", lines.Quote(id), lines.Quote(label), expected)
}

// finish numbers the classes in sorted order.
func (p *parser) finish() *Labels {
	newOf := p.classes.Sort()
	for k := range p.out.Seeds {
		p.out.Seeds[k].Class = newOf[p.out.Seeds[k].Class]
	}
	for j := range p.classes.Len() {
		p.out.Classes = append(p.out.Classes, p.classes.Name(j))
	}
	return &p.out
}

// Prediction is a row of a file that [Write] wrote.
type Prediction struct {
	Node, Label        string
	Confidence, Margin float64
	Status             string
}

// ReadPredictions reads a file that [Write] wrote, without its further
// columns.
func ReadPredictions(r io.Reader, file string) ([]Prediction, error) {
	plain, err := stream.Reader(r)
	if err != nil {
		return nil, &lines.ReadError{File: file, Line: 1, Err: err}
	}
	defer plain.Close()
	scan := lines.NewScanner(plain, file)
	scan.KeepComments() // a node may have an id that starts like one
	want := [][]byte{[]byte("node"), []byte("label"), []byte("confidence"), []byte("margin"), []byte("status")}
	if !scan.Scan() || len(scan.Fields()) < len(want) || !slices.EqualFunc(scan.Fields()[:len(want)], want, bytes.Equal) {
		if err := scan.Err(); err != nil {
			return nil, err
		}
		return nil, scan.Errorf("expected the header: node label confidence margin status")
	}
	var out []Prediction
	for scan.Scan() {
		f := scan.Fields()
		if len(f) < len(want) {
			return nil, scan.Errorf("%d columns, expected at least %d", len(f), len(want))
		}
		p := Prediction{Node: string(f[0]), Label: string(f[1]), Status: string(f[4])}
		var bad [2]error
		p.Confidence, bad[0] = strconv.ParseFloat(string(f[2]), 64)
		p.Margin, bad[1] = strconv.ParseFloat(string(f[3]), 64)
		if bad[0] != nil || bad[1] != nil {
			return nil, scan.Errorf("confidence %s and margin %s, expected numbers", lines.Quote(f[2]), lines.Quote(f[3]))
		}
		out = append(out, p)
	}
	return out, scan.Err()
}
