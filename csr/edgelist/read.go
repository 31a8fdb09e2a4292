package edgelist

import (
	"errors"
	"fmt"
	"io"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// ErrSyntax is wrapped by every [Error].
var ErrSyntax = lines.ErrSyntax

// Error is a fault in the content of a file: its name, the line, what was
// found and what was expected.
type Error = lines.Error

// Header says what the first data line is.
type Header int

// The kinds of first data line.
const (
	// HeaderCheck takes the first data line as an edge, but refuses a file in
	// which it looks like a header: both of its ids are no integers while
	// all others are, or its third field is no number. (default)
	HeaderCheck Header = iota
	HeaderNo           // an edge
	HeaderYes          // column names, skipped
)

// Options are the options of [Read]. The zero value reads an undirected
// graph and adds the weights of duplicates.
type Options struct {
	// Directed takes a-b and b-a as different edges and then makes the
	// matrix symmetric: W ← (W+Wᵀ)/2.
	Directed   bool
	Duplicates csr.Duplicates
	Header     Header
	Threads    int // zero means GOMAXPROCS
}

// Graph is what [Read] returns: the symmetric affinity W, without diagonal,
// and the names of its nodes.
type Graph struct {
	W     *csr.Matrix
	IDs   *ids.Table
	Stats Stats
}

// Stats counts the lines of a file and what was not taken as it was.
type Stats struct {
	Edges int `json:"edges"` // data lines
	csr.BuildStats
	// ScaleExponent is not 0 when weights were past 2^±64 and all were
	// multiplied by 2^ScaleExponent: S, and so every result, stays the same.
	ScaleExponent int `json:"scale_exponent,omitempty"`
	// Raised counts weights that are still too small for float32 beside the
	// largest and became the smallest positive weight.
	Raised int `json:"raised,omitempty"`
}

// Read reads an edge list. The file name is for messages. Memory: 8 bytes an
// edge (12 when weighted) while reading, 32 while building, 16 at the end;
// for each node its id and about 30 bytes.
//
// Faults of the content give an [*Error] with the line.
func Read(r io.Reader, file string, opt Options) (*Graph, error) {
	plain, err := stream.Reader(r)
	if err != nil {
		return nil, &lines.ReadError{File: file, Line: 1, Err: err}
	}
	defer plain.Close()
	p := parser{scan: lines.NewScanner(plain, file), table: ids.NewTable(), opt: opt}
	if err := p.parse(); err != nil {
		return nil, err
	}
	if err := p.checkHeader(file); err != nil {
		return nil, err
	}
	return p.build(file)
}

// parser holds the edges of the lines read so far, by provisional node
// numbers.
type parser struct {
	scan     *lines.Scanner
	table    *ids.Table
	opt      Options
	src, dst []uint32
	weights  weights
	scaled   []float32 // finished weights, kept like lineOf
	lineOf   []int     // the line of each edge, kept only to name duplicates
	first    int       // line of the first edge
}

func (p *parser) parse() error {
	if p.opt.Header == HeaderYes && !p.scan.Scan() {
		return p.scan.Err()
	}
	for p.scan.Scan() {
		if err := p.edge(); err != nil {
			return err
		}
	}
	return p.scan.Err()
}

func (p *parser) edge() error {
	fields := p.scan.Fields()
	if len(fields) < 2 || len(fields) > 3 {
		return p.scan.Errorf("%d columns, expected 2 or 3: src dst [weight]", len(fields))
	}
	ends := [2]uint32{}
	for k, what := range [2]string{"source id", "destination id"} {
		name, err := p.scan.ID(k, what)
		if err != nil {
			return err
		}
		if ends[k], err = p.table.Add(name); err != nil {
			return p.scan.Errorf("%v", err)
		}
	}
	weight := 1.0
	if len(fields) == 3 {
		var err error
		if weight, err = p.scan.Weight(2); err != nil {
			if len(p.src) == 0 && p.opt.Header == HeaderCheck {
				return p.scan.Errorf("weight %s is not a number; if this line is a header, say --header yes", lines.Quote(fields[2]))
			}
			return err
		}
	}
	if len(p.src) == 0 {
		p.first = p.scan.Line()
	}
	p.src = append(p.src, ends[0])
	p.dst = append(p.dst, ends[1])
	p.weights.add(weight, len(p.src))
	if p.opt.Duplicates == csr.DuplicatesError {
		p.lineOf = append(p.lineOf, p.scan.Line())
	}
	return nil
}

// checkHeader refuses a first line of two words above nothing but integers:
// taken as an edge it would add two nodes that nobody meant.
func (p *parser) checkHeader(file string) error {
	if len(p.src) == 0 {
		return &lines.Error{File: file, Msg: "no edges, expected lines of the form: src dst [weight]"}
	}
	if p.opt.Header != HeaderCheck || p.src[0] == p.dst[0] || p.table.Len() == 2 {
		return nil
	}
	for i := range p.table.Len() {
		if (i < 2) == ids.IsInteger([]byte(p.table.Name(i))) {
			return nil
		}
	}
	return &lines.Error{
		File: file, Line: p.first,
		Msg: "ids " + p.quoted(0) + " and " + p.quoted(1) +
			" are words while all others are integers; say --header yes if this line is a header, --header no if it is an edge",
	}
}

// build numbers the nodes by sorted id and builds W.
func (p *parser) build(file string) (*Graph, error) {
	newOf := p.table.Sort()
	for k := range p.src {
		p.src[k] = newOf[p.src[k]]
		p.dst[k] = newOf[p.dst[k]]
	}
	g := &Graph{IDs: p.table, Stats: Stats{Edges: len(p.src)}}
	edges := csr.Edges{Src: p.src, Dst: p.dst}
	edges.Weight, g.Stats.ScaleExponent, g.Stats.Raised = p.weights.finish()
	if p.opt.Duplicates == csr.DuplicatesError {
		p.scaled = edges.Weight
	} else {
		p.src, p.dst = nil, nil // FromEdges frees them once they are scattered
	}
	var err error
	g.W, g.Stats.BuildStats, err = csr.FromEdges(p.table.Len(), &edges, csr.BuildOptions{
		Directed: p.opt.Directed, Duplicates: p.opt.Duplicates, Threads: p.opt.Threads,
	})
	if err != nil {
		return nil, p.explain(file, err)
	}
	if p.opt.Directed {
		g.W = csr.Symmetrize(g.W, csr.Mean, p.opt.Threads)
	}
	return g, nil
}

// explain gives an error of the builder its file, its ids and, for a
// duplicate, the line of the second edge of the pair.
func (p *parser) explain(file string, err error) error {
	var dup *csr.DuplicateError
	if !errors.As(err, &dup) {
		return &lines.Error{File: file, Msg: err.Error()}
	}
	first := 0
	for k := range p.src {
		same := p.src[k] == dup.Src && p.dst[k] == dup.Dst
		mirrored := !p.opt.Directed && p.src[k] == dup.Dst && p.dst[k] == dup.Src
		switch {
		case !same && !mirrored, p.scaled != nil && p.scaled[k] == 0:
		case first == 0:
			first = p.lineOf[k]
		default:
			return &lines.Error{File: file, Line: p.lineOf[k], Msg: fmt.Sprintf(
				"edge %s – %s was given on line %d already, expected each edge once (--duplicates error)",
				p.quoted(dup.Src), p.quoted(dup.Dst), first)}
		}
	}
	return &lines.Error{File: file, Msg: err.Error()}
}

func (p *parser) quoted(node uint32) string { return lines.Quote([]byte(p.table.Name(int(node)))) }
