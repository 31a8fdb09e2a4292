package edgelist

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync/atomic"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/rows"
	"github.com/adp-sparse/adp-sparse/internal/scratch"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// ErrMemory is wrapped when Options.Memory or Options.Most is too little for a file.
var ErrMemory = errors.New("edgelist: over the memory limit")

// ErrOptions is wrapped by every error about options.
var ErrOptions = errors.New("edgelist: invalid options")

// List is an edge list in memory: the edges, and the nodes by sorted id. Its matrix can be built in
// memory, by [List.Graph], or row by row, by the builder of [List.Builder]. Either uses the list
// up, as [List.Close] does: a second one is a [csr.ErrUsed].
type List struct {
	IDs   *ids.Table
	Stats Stats      // complete once the matrix is built
	Notes notes.List // see [Graph]

	file     string
	opt      Options
	nodes    nodes
	chunks   []*chunk // in the order of the file
	arenas   arenas
	held     int64 // bytes of chunks in memory
	spilled  int64 // bytes of chunks in the file
	spill    *scratch.File
	entries  *scratch.File // of the builder
	scaling  scaling
	least    float64 // the smallest weight
	weighted bool
	first    int // line of the first edge
	opening  opening
	head     []string  // the fields of the first edge, which may be titles or counts
	ended    bool      // lines end with a semicolon
	numbered bool      // the first edge has the numbers of its columns, from 0
	words    [2]string // of the first edge, which may be titles; "" for none
	skips    lines.Skips
	given    int  // weights that are written
	used     bool // the edges went to a builder, or the list is closed
}

// Parse reads an edge list. The file name is for messages. Memory: 8 bytes an edge (12 when
// weighted) while reading, or a quarter of Options.Memory, with the rest in a temporary file. A
// node takes up to 8 bytes if ids are whole numbers close together, 32 if they are other integers,
// and its id twice and about 50 bytes if they are names.
//
// Faults of the content give an [*Error] with the line; an unknown rule for duplicates or kind of
// header gives an [ErrOptions]. A list that is not built must be closed.
func Parse(r io.Reader, file string, opt Options) (list *List, err error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	plain, err := stream.Reader(r)
	if err != nil {
		return nil, &lines.ReadError{File: file, Line: 1, Err: err}
	}
	defer plain.Close()
	opt.Threads = opt.workers()
	l := &List{file: file, opt: opt, least: math.Inf(1)}
	defer func() {
		if err != nil {
			err = errors.Join(err, l.Close())
		}
	}()
	if err := l.read(plain); err != nil {
		return nil, err
	}
	if err := l.checkHeader(); err != nil {
		return nil, err
	}
	if need := l.nodes.bytes() + leastMemory; opt.Memory > 0 && need > opt.Memory {
		return nil, fmt.Errorf("%w: %s has %d nodes, which need %d bytes at least, of %d", ErrMemory, file, l.nodes.count(), need, opt.Memory)
	}
	l.IDs = l.nodes.sort()
	if err := cmp.Or(l.checkTitles(), l.checkCounts()); err != nil {
		return nil, err
	}
	for _, title := range l.opening.titles[:min(len(l.opening.titles), 2)] {
		if _, ok := l.IDs.Lookup([]byte(title)); ok && !l.counts(l.opening.titles, l.Stats.Edges) {
			l.Stats.HeaderNode = title
		}
	}
	if err := l.note(); err != nil {
		return nil, err
	}
	return l, nil
}

// leastMemory is the memory needed beside the nodes: blocks of text, and the buffers of the
// builder.
const leastMemory = 24 << 20

// Close removes the temporary files of a list that was not built.
func (l *List) Close() error {
	var err error
	for _, f := range []*scratch.File{l.spill, l.entries} {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	l.spill, l.entries, l.chunks, l.arenas.all, l.used = nil, nil, nil, nil, true
	return err
}

// collect adds the edges of a block to the list, in the order of the file, and returns the chunk
// for them.
func (l *List) collect(b *batch, before int) (*chunk, error) {
	c := &chunk{count: b.edges, before: before, weighing: b.weighing()}
	l.skips.Join(&b.skips, before)
	l.given += b.given
	if b.edges > 0 {
		if l.Stats.Edges == 0 {
			l.first = before + b.first
		}
		if err := l.nodes.number(b); err != nil {
			return nil, &lines.Error{File: l.file, Line: before + b.lines, Msg: err.Error()}
		}
		c.own = b.known.own
		if err := l.keep(c, b); err != nil {
			return nil, err
		}
	}
	var fault *lines.Error
	if errors.As(b.err, &fault) {
		fault.Line += before
	}
	return c, b.err
}

// keep decides where a chunk is stored.
func (l *List) keep(c *chunk, b *batch) error {
	l.weighted = l.weighted || c.weighing > 0
	l.scaling.needed = l.scaling.needed || b.wide
	l.scaling.most = max(l.scaling.most, b.most)
	l.least = min(l.least, b.least)
	l.Stats.Edges += c.count
	if need := l.readBytes(); l.opt.Most > 0 && need > l.opt.Most {
		return fmt.Errorf("%w: the first %d edges of %s need %d bytes to be read, of %d", ErrMemory, l.Stats.Edges, l.file, need, l.opt.Most)
	}
	c.inFile = l.opt.Memory > 0 && l.held+c.bytes() > l.opt.Memory/4
	if c.inFile && l.spill == nil {
		var err error
		if l.spill, err = scratch.New(l.opt.Dir); err != nil {
			return err
		}
	}
	if c.inFile {
		c.offset = l.spilled
		l.spilled += c.bytes()
	} else {
		l.held += c.bytes()
	}
	l.chunks = append(l.chunks, c)
	return nil
}

// store stores the edges of a batch in memory or in the file. Several goroutines may store at a
// time, each with an arena of its own.
func (l *List) store(c *chunk, b *batch, own **arena) error {
	if c.count == 0 {
		return nil
	}
	if len(b.lineOf) > 0 {
		c.lineOf = append([]int32(nil), b.lineOf...)
	}
	if c.inFile {
		l.arenas.add(&arena{chunks: []*chunk{c}})
		return c.write(b, l.spill)
	}
	if need := c.words(); *own == nil || len((*own).free) < need {
		*own = l.arenas.take(need, l.opt.Memory)
	}
	(*own).take(c, b)
	return nil
}

// readBytes estimates the memory that [Read] needs for the edges so far: that of [csr.FromEdges],
// the nodes, the blocks of text and, if duplicates must be named, the chunks.
func (l *List) readBytes() int64 {
	edge := int64(28)
	if l.weighted {
		edge = 36
	}
	if l.opt.Duplicates == csr.DuplicatesError {
		edge += 16
	}
	edges := int64(l.Stats.Edges)
	text := min(workerBytes*int64(rows.Workers(l.opt.Threads)+2), 40*edges)
	return edge*edges + l.nodes.bytes() + 8*int64(l.nodes.count()) + text
}

// Builder returns a builder with all edges added.
func (l *List) Builder(ctx context.Context) (*csr.Builder, error) {
	if l.used {
		return nil, usedUp(l.file)
	}
	if err := l.opt.check(); err != nil { // of a Gatherer
		return nil, err
	}
	l.used = true
	opt := csr.BuildOptions{Directed: l.opt.Directed, Mean: l.opt.Directed, Duplicates: l.opt.Duplicates, Threads: l.opt.Threads}
	if l.opt.Memory > 0 {
		opt.Memory = max(l.opt.Memory-l.nodes.bytes()-l.held, leastMemory) / 2
		var err error
		if l.entries, err = scratch.New(l.opt.Dir); err != nil {
			return nil, errors.Join(err, l.Close())
		}
		opt.Scratch = l.entries
	}
	b := csr.NewBuilder(l.IDs.Len(), int64(l.Stats.Edges), l.weighted, opt)
	var raised, touching atomic.Int64
	words, mayBeTitles := l.wordNodes()
	keep := l.opt.Duplicates == csr.DuplicatesError // explain needs them
	err := rows.Tasks(ctx, len(l.arenas.all), l.opt.Threads, func(worker, k int) error {
		r := l.arenas.all[k]
		for _, c := range r.chunks {
			e, low, err := l.edges(c)
			if err != nil {
				return err
			}
			raised.Add(int64(low))
			if mayBeTitles && touching.Load() <= 1 {
				touching.Add(touches(e, words))
			}
			if err := b.Add(worker, e); err != nil {
				return err
			}
		}
		if !keep {
			b.Reuse(worker, r.words)
			*r = arena{}
		}
		return nil
	})
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	l.Stats.ScaleExponent, l.Stats.Raised = l.scaling.exponent(), int(raised.Load())
	if mayBeTitles && touching.Load() == 1 {
		l.Stats.HeaderLike = l.words[0] + " " + l.words[1]
	}
	l.arenas.all = nil
	if !keep {
		l.chunks = nil
		l.nodes = nodes{}
	}
	return b, nil
}

// usedUp is the error of edges that have been given to a builder.
func usedUp(file string) error {
	return fmt.Errorf("%w: the edges of %s went to a graph or a builder before, or were closed; expected to read them again", csr.ErrUsed, file)
}

// leastBelow is the least number of edges of a list at which an isolated first edge is worth a
// note.
const leastBelow = 11

// wordNodes returns the nodes of the first edge if they may be titles above names.
func (l *List) wordNodes() (nodes [2]uint32, ok bool) {
	if l.words[0] == "" || l.words[0] == l.words[1] || l.Stats.Edges < leastBelow {
		return nodes, false
	}
	for side, word := range l.words {
		nodes[side], _ = l.IDs.Lookup([]byte(word)) // ends of edges are in the table
	}
	return nodes, true
}

// touches counts the edges at one of two nodes or at both.
func touches(e *csr.Edges, nodes [2]uint32) (n int64) {
	for k, i := range e.Src {
		if j := e.Dst[k]; i == nodes[0] || i == nodes[1] || j == nodes[0] || j == nodes[1] {
			n++
		}
	}
	return n
}

// edges returns the edges of a chunk between nodes numbered by sorted id, with scaled weights, and
// the number of raised weights.
func (l *List) edges(c *chunk) (e *csr.Edges, raised int, err error) {
	if c.inFile {
		if c, err = c.load(l.spill); err != nil {
			return nil, 0, err
		}
	}
	c.number(&l.nodes)
	e = &csr.Edges{Src: c.src, Dst: c.dst, Weight: c.narrow}
	if l.scaling.needed {
		e.Weight, raised = l.scaling.apply(c)
	}
	return e, raised, nil
}

// Graph builds the graph in memory.
func (l *List) Graph(ctx context.Context) (*Graph, error) {
	peak := l.readBytes()
	b, err := l.Builder(ctx)
	if err != nil {
		return nil, err
	}
	w, stats, err := b.Matrix(ctx)
	if err := l.Built(stats, err); err != nil {
		return nil, err
	}
	return &Graph{W: w, IDs: l.IDs, Stats: l.Stats, Notes: l.Notes, Peak: peak}, nil
}

// Built ends the list with the result of its builder. It completes Stats, or returns the error with
// the file, the ids and, for a duplicate, the line of the second edge of the pair.
func (l *List) Built(stats csr.BuildStats, err error) error {
	l.Stats.BuildStats = stats
	var dup *csr.DuplicateError
	switch {
	case errors.As(err, &dup):
		err = l.explain(dup)
	case errors.Is(err, csr.ErrStructure):
		err = &lines.Error{File: l.file, Msg: err.Error()}
	}
	return errors.Join(err, l.Close())
}

// explain finds the lines of a duplicate.
func (l *List) explain(dup *csr.DuplicateError) error {
	first := 0
	for _, c := range l.chunks {
		e, _, err := l.edges(c)
		if err != nil {
			return err
		}
		for k := range e.Src {
			same := e.Src[k] == dup.Src && e.Dst[k] == dup.Dst
			mirrored := !l.opt.Directed && e.Src[k] == dup.Dst && e.Dst[k] == dup.Src
			line := c.before + int(c.lineOf[k])
			switch {
			case !same && !mirrored, e.Weight != nil && e.Weight[k] == 0:
			case first == 0:
				first = line
			default:
				return &lines.Error{File: l.file, Line: line, Msg: fmt.Sprintf(
					"edge %s – %s was given on line %d already, expected each edge once (csr.DuplicatesError)",
					l.quoted(dup.Src), l.quoted(dup.Dst), first)}
			}
		}
	}
	return &lines.Error{File: l.file, Msg: dup.Error()}
}

func (l *List) quoted(node uint32) string { return lines.Quote([]byte(l.IDs.Name(int(node)))) }

// checkHeader refuses a first line of two words above nothing but integers, or of common column
// names: taken as an edge, it would add two nodes that nobody meant.
func (l *List) checkHeader() error {
	if l.Stats.Edges == 0 {
		return &lines.Error{File: l.file, Msg: "no edges, expected lines of the form: src dst [weight]" + l.skips.Advice()}
	}
	table := l.nodes.table
	// The words would be the first names, because the first block became names as a whole.
	if l.opt.Header != HeaderCheck || table == nil || l.chunks[0].own || table.Len() <= 2 {
		return nil
	}
	quote := func(i int) string { return lines.Quote([]byte(table.Name(i))) }
	refuse := func(why string) error {
		return &lines.Error{
			File: l.file, Line: l.first,
			Msg: "ids " + quote(0) + " and " + quote(1) + why + "; say edgelist.HeaderYes if this line is a header, edgelist.HeaderNo if it is an edge",
		}
	}
	if lines.AreEdgeTitles([]byte(table.Name(0)), []byte(table.Name(1))) {
		return refuse(" are names that columns have")
	}
	for i := range table.Len() {
		if (i < 2) == ids.IsInteger([]byte(table.Name(i))) {
			return nil
		}
	}
	return refuse(" are words while all others are integers")
}
