package edgelist

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/rows"
	"github.com/adp-sparse/adp-sparse/internal/scratch"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// ErrMemory is wrapped when Options.Memory is too little for a file.
var ErrMemory = errors.New("edgelist: over the memory limit")

// List is an edge list that has been read: the edges, and the nodes by sorted
// id. Its matrix can be built in memory, by [List.Matrix], or row by row, by
// the builder that [List.Builder] returns; either uses the list up.
type List struct {
	IDs   *ids.Table
	Stats Stats // complete once the matrix is built

	file     string
	opt      Options
	nodes    nodes
	chunks   []chunk
	held     int64 // bytes of chunks in memory
	spilled  int64 // bytes of chunks in the file
	spill    *scratch.File
	entries  *scratch.File // of the builder
	scaling  scaling
	weighted bool
	first    int // line of the first edge
}

// Parse reads an edge list. The file name is for messages. Memory: 8 bytes an
// edge (12 when weighted) while reading, or a quarter of Options.Memory, the
// rest being in a temporary file; for each node up to 8 bytes where ids are
// whole numbers that lie close together, 32 where they are other integers, and
// its id and about 30 bytes where they are names.
//
// Faults of the content give an [*Error] with the line. A list that is not
// built must be closed.
func Parse(r io.Reader, file string, opt Options) (list *List, err error) {
	plain, err := stream.Reader(r)
	if err != nil {
		return nil, &lines.ReadError{File: file, Line: 1, Err: err}
	}
	defer plain.Close()
	l := &List{file: file, opt: opt}
	defer func() {
		if err != nil {
			err = errors.Join(err, l.Close())
		}
	}()
	if err := parseFile(plain, file, opt, l.collect); err != nil {
		return nil, err
	}
	if err := l.checkHeader(); err != nil {
		return nil, err
	}
	if need := l.nodes.bytes() + leastMemory; opt.Memory > 0 && need > opt.Memory {
		return nil, fmt.Errorf("%w: %s has %d nodes, which need %d bytes at least, of %d", ErrMemory, file, l.nodes.len(), need, opt.Memory)
	}
	l.IDs = l.nodes.sort()
	return l, nil
}

// leastMemory is what is needed beside the nodes: blocks of text, and the
// buffers of the builder.
const leastMemory = 24 << 20

// Close removes the temporary files of a list that was not built.
func (l *List) Close() error {
	var err error
	for _, f := range []*scratch.File{l.spill, l.entries} {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	l.spill, l.entries, l.chunks = nil, nil, nil
	return err
}

// collect takes the edges of a block.
func (l *List) collect(b *batch, before int) error {
	c := chunk{count: b.edges, before: before}
	if b.edges > 0 {
		if l.Stats.Edges == 0 {
			l.first = before + b.first
		}
		var err error
		ends := make([]uint32, 2*b.edges)
		c.src, c.dst = ends[:b.edges], ends[b.edges:]
		if len(b.names) > 0 {
			err = l.nodes.named(c.src, c.dst, b.names)
		} else {
			c.own, err = l.nodes.numbers(c.src, c.dst, b.numbers)
		}
		if err != nil {
			return &lines.Error{File: l.file, Line: before + b.lines, Msg: err.Error()}
		}
		if err := l.keep(c, b); err != nil {
			return err
		}
	}
	var fault *lines.Error
	if errors.As(b.err, &fault) {
		fault.Line += before
	}
	return b.err
}

// keep stores a chunk.
func (l *List) keep(c chunk, b *batch) error {
	c.setWeights(b.weights)
	l.weighted = l.weighted || len(b.weights) > 0
	l.scaling.needed = l.scaling.needed || c.wide != nil
	if len(b.weights) == 0 {
		l.scaling.most = max(l.scaling.most, 1)
	}
	for _, w := range b.weights {
		l.scaling.most = max(l.scaling.most, w)
	}
	if len(b.lineOf) > 0 {
		c.lineOf = append([]int32(nil), b.lineOf...)
	}
	l.Stats.Edges += c.count
	if need := l.readBytes(); l.opt.Most > 0 && need > l.opt.Most {
		return fmt.Errorf("%w: the first %d edges of %s need %d bytes to be read, of %d", ErrMemory, l.Stats.Edges, l.file, need, l.opt.Most)
	}
	if size := c.bytes(); l.opt.Memory > 0 && l.held+size > l.opt.Memory/4 {
		if l.spill == nil {
			var err error
			if l.spill, err = scratch.New(l.opt.Dir); err != nil {
				return err
			}
		}
		var err error
		if l.spilled, err = c.spill(l.spill, l.spilled); err != nil {
			return err
		}
	} else {
		l.held += size
	}
	l.chunks = append(l.chunks, c)
	return nil
}

// readBytes returns about what [Read] needs for the edges so far: those of
// [csr.FromEdges], with the nodes, the blocks of text and, where duplicates are
// to be named, the chunks.
func (l *List) readBytes() int64 {
	edge := int64(28)
	if l.weighted {
		edge = 36
	}
	if l.opt.Duplicates == csr.DuplicatesError {
		edge += 16
	}
	edges := int64(l.Stats.Edges)
	text := min(3<<20*int64(rows.Workers(l.opt.Threads)+2), 40*edges)
	return edge*edges + l.nodes.bytes() + 8*int64(l.nodes.len()) + text
}

// Builder returns a builder that has been given the edges.
func (l *List) Builder(ctx context.Context) (*csr.Builder, error) {
	opt := csr.BuildOptions{Directed: l.opt.Directed, Mean: l.opt.Directed, Duplicates: l.opt.Duplicates, Threads: l.opt.Threads}
	if l.opt.Memory > 0 {
		opt.Memory = max(l.opt.Memory-l.nodes.bytes()-l.held, leastMemory) / 2
		var err error
		if l.entries, err = scratch.New(l.opt.Dir); err != nil {
			return nil, err
		}
		opt.Scratch = l.entries
	}
	b := csr.NewBuilder(l.IDs.Len(), int64(l.Stats.Edges), l.weighted, opt)
	var raised atomic.Int64
	err := rows.Tasks(ctx, len(l.chunks), l.opt.Threads, func(worker, k int) error {
		e, low, err := l.edges(k)
		if err != nil {
			return err
		}
		raised.Add(int64(low))
		if l.opt.Duplicates != csr.DuplicatesError {
			l.chunks[k] = chunk{}
		}
		return b.Add(worker, e)
	})
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	l.Stats.ScaleExponent, l.Stats.Raised = l.scaling.exponent(), int(raised.Load())
	if l.opt.Duplicates != csr.DuplicatesError {
		l.chunks = nil
		l.nodes = nodes{}
	}
	return b, nil
}

func (l *List) edges(k int) (*csr.Edges, int, error) {
	c, err := l.chunks[k].load(l.spill)
	if err != nil {
		return nil, 0, err
	}
	e, raised := c.edges(&l.nodes, l.scaling)
	return e, raised, nil
}

// Matrix builds the matrix in memory.
func (l *List) Matrix(ctx context.Context) (*csr.Matrix, error) {
	b, err := l.Builder(ctx)
	if err != nil {
		return nil, err
	}
	m, stats, err := b.Matrix(ctx)
	return m, l.Built(stats, err)
}

// Built ends the list with what its builder returned: it completes Stats, or
// returns the error with the file, the ids and, for a duplicate, the line of
// the second edge of the pair.
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
	for c := range l.chunks {
		e, _, err := l.edges(c)
		if err != nil {
			return err
		}
		for k := range e.Src {
			same := e.Src[k] == dup.Src && e.Dst[k] == dup.Dst
			mirrored := !l.opt.Directed && e.Src[k] == dup.Dst && e.Dst[k] == dup.Src
			line := l.chunks[c].before + int(l.chunks[c].lineOf[k])
			switch {
			case !same && !mirrored, e.Weight != nil && e.Weight[k] == 0:
			case first == 0:
				first = line
			default:
				return &lines.Error{File: l.file, Line: line, Msg: fmt.Sprintf(
					"edge %s – %s was given on line %d already, expected each edge once (--duplicates error)",
					l.quoted(dup.Src), l.quoted(dup.Dst), first)}
			}
		}
	}
	return &lines.Error{File: l.file, Msg: dup.Error()}
}

func (l *List) quoted(node uint32) string { return lines.Quote([]byte(l.IDs.Name(int(node)))) }

// checkHeader refuses a first line of two words above nothing but integers:
// taken as an edge it would add two nodes that nobody meant.
func (l *List) checkHeader() error {
	if l.Stats.Edges == 0 {
		return &lines.Error{File: l.file, Msg: "no edges, expected lines of the form: src dst [weight]"}
	}
	table := l.nodes.table
	// The words would be the first names, for the first block became names as
	// a whole.
	if l.opt.Header != HeaderCheck || table == nil || l.chunks[0].own || table.Len() <= 2 {
		return nil
	}
	for i := range table.Len() {
		if (i < 2) == ids.IsInteger([]byte(table.Name(i))) {
			return nil
		}
	}
	quote := func(i int) string { return lines.Quote([]byte(table.Name(i))) }
	return &lines.Error{
		File: l.file, Line: l.first,
		Msg: "ids " + quote(0) + " and " + quote(1) +
			" are words while all others are integers; say --header yes if this line is a header, --header no if it is an edge",
	}
}
