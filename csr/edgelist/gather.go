package edgelist

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// Gatherer makes an edge list of edges from other readers, by the rules of text: the same ids,
// duplicates, loops, weights and order of nodes. It ignores Options.Header. [Gatherer.List] and
// [Gatherer.Graph] use it up: what comes after is a [csr.ErrUsed].
type Gatherer struct {
	list  *List
	batch batch
	text  []byte // of the names of the batch
	named bool   // the batch has an id that is no plain integer
	arena *arena
	used  bool // the edges are in a list
}

// gathered is the number of edges of a batch.
const gathered = 1 << 14

// NewGatherer returns a gatherer without edges. The file name is for messages.
func NewGatherer(file string, opt Options) *Gatherer {
	opt.Header = HeaderNo
	return &Gatherer{list: &List{file: file, opt: opt}}
}

// Undirected takes back Options.Directed, for readers that learn of directions with the first edge.
func (g *Gatherer) Undirected() { g.list.opt.Directed = false }

// Node adds a node, which need not have an edge.
func (g *Gatherer) Node(name []byte) error {
	if g.used {
		return usedUp(g.list.file)
	}
	b := &batch{edges: 1, form: named}
	if v, ok := ids.Plain(name); ok {
		b.form, b.numbers = plain, [2][]int64{{v}, {v}}
		if id := uint32(v); int64(id) == v {
			b.form, b.src, b.dst = small, []uint32{id}, []uint32{id}
		}
	} else {
		b.names = [2][][]byte{{name}, {name}}
	}
	g.list.nodes.mark(b)
	return g.list.nodes.number(b)
}

// Edge adds an edge. Its line counts from 1 and never decreases: a line of a text, or a row of a
// table. Names are not kept. A weight that is not finite, or below 0, is an [*Error].
func (g *Gatherer) Edge(src, dst []byte, weight float64, line int) error {
	if err := g.check(weight, line); err != nil {
		return err
	}
	i, iPlain := ids.Plain(src)
	j, jPlain := ids.Plain(dst)
	if !g.named && iPlain && jPlain {
		return g.Numbers(i, j, weight, line)
	}
	if !g.named {
		g.nameAll()
	}
	g.name(0, src)
	g.name(1, dst)
	return g.add(weight, line)
}

// check returns the error of an edge that cannot be added.
func (g *Gatherer) check(weight float64, line int) error {
	switch {
	case g.used:
		return usedUp(g.list.file)
	case !(weight >= 0 && weight <= math.MaxFloat64):
		return &lines.Error{File: g.list.file, Line: line, Msg: fmt.Sprintf("weight %v, expected a finite number of at least 0", weight)}
	}
	return nil
}

// Numbers adds an edge between nodes whose names are integers.
func (g *Gatherer) Numbers(src, dst int64, weight float64, line int) error {
	if err := g.check(weight, line); err != nil {
		return err
	}
	if g.named {
		g.nameNumber(0, src)
		g.nameNumber(1, dst)
	} else {
		b := &g.batch
		b.numbers[0], b.numbers[1] = append(b.numbers[0], src), append(b.numbers[1], dst)
	}
	return g.add(weight, line)
}

// nameAll converts the numbers of the batch to names.
func (g *Gatherer) nameAll() {
	g.named = true
	for side, numbers := range g.batch.numbers {
		for _, v := range numbers {
			g.nameNumber(side, v)
		}
		g.batch.numbers[side] = numbers[:0]
	}
}

func (g *Gatherer) nameNumber(side int, v int64) {
	var digits [20]byte
	g.name(side, strconv.AppendInt(digits[:0], v, 10))
}

// name appends the name of the source, side 0, or the destination of an edge.
func (g *Gatherer) name(side int, name []byte) {
	g.batch.names[side] = append(g.batch.names[side], g.keep(name))
}

// keep copies a name to the text of the batch. The text may move: names in the old one stay there.
func (g *Gatherer) keep(name []byte) []byte {
	at := len(g.text)
	g.text = append(g.text, name...)
	return g.text[at:len(g.text):len(g.text)]
}

// add ends an edge whose ids have been appended.
func (g *Gatherer) add(weight float64, line int) error {
	b := &g.batch
	if b.edges == 0 {
		b.first = line
	}
	if weight != 1 && len(b.weights) == 0 {
		for range b.edges {
			b.weights = append(b.weights, 1)
		}
		b.weights = append(b.weights, weight)
	} else if len(b.weights) > 0 {
		b.weights = append(b.weights, weight)
	}
	if g.list.opt.Duplicates == csr.DuplicatesError {
		b.lineOf = append(b.lineOf, int32(line-b.first))
	}
	if b.edges++; b.edges < gathered {
		return nil
	}
	return g.flush()
}

// flush passes the batch on. Its lines count from that of its first edge.
func (g *Gatherer) flush() error {
	b := &g.batch
	before := b.first
	b.first = 0
	b.form = g.form()
	b.survey()
	g.list.nodes.mark(b)
	c, err := g.list.collect(b, before)
	if err == nil {
		err = g.list.store(c, b, &g.arena)
	}
	b.reset(small)
	g.text, g.named = g.text[:0], false
	return err
}

// form returns the form of the batch, and stores ids below 2^32 in their place.
func (g *Gatherer) form() form {
	b := &g.batch
	if g.named {
		return named
	}
	b.src, b.dst = b.src[:0], b.dst[:0]
	for k, from := range b.numbers[0] {
		to := b.numbers[1][k]
		src, dst := uint32(from), uint32(to)
		if int64(src) != from || int64(dst) != to {
			return plain
		}
		b.src, b.dst = append(b.src, src), append(b.dst, dst)
	}
	return small
}

// List returns the edges as a list, and uses the gatherer up.
func (g *Gatherer) List() (*List, error) {
	if g.used {
		return nil, usedUp(g.list.file)
	}
	g.used = true
	if err := g.flush(); err != nil {
		return nil, err
	}
	if g.list.Stats.Edges == 0 {
		return nil, &lines.Error{File: g.list.file, Msg: "no edges, expected at least one"}
	}
	g.list.IDs = g.list.nodes.sort()
	g.list.IDs.NoteSpelling(&g.list.Notes)
	if err := g.list.noteDistances(); err != nil {
		return nil, errors.Join(err, g.list.Close())
	}
	return g.list, nil
}

// Graph is List, then [List.Graph].
func (g *Gatherer) Graph() (*Graph, error) {
	list, err := g.List()
	if err != nil {
		return nil, err
	}
	return list.Graph(context.Background())
}
