package gen

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/store"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// WriteEdges writes the graph as an edge list; ids are 0 to n-1. Weights are
// left out where all are 1. Blocks are made and formatted by several threads
// (zero means GOMAXPROCS) and written in order.
func (g *Graph) WriteEdges(ctx context.Context, w io.Writer, separator byte, threads int) error {
	edges := make([]csr.Edges, rows.Workers(threads))
	return g.writeBlocks(ctx, w, 4*len(edges), threads, func(worker, block int, b []byte) []byte {
		g.Block(block, &edges[worker])
		return appendEdges(b, &edges[worker], separator)
	})
}

// writeBlocks writes what is appended for each block, in order; several threads make some blocks at a time.
func (g *Graph) writeBlocks(ctx context.Context, w io.Writer, atATime, threads int, add func(worker, block int, b []byte) []byte) error {
	texts := make([][]byte, atATime)
	for lo := 0; lo < g.Blocks(); lo += atATime {
		count := min(atATime, g.Blocks()-lo)
		err := rows.Tasks(ctx, count, threads, func(worker, k int) error {
			texts[k] = add(worker, lo+k, texts[k][:0])
			return nil
		})
		if err != nil {
			return err
		}
		for _, text := range texts[:count] {
			if _, err := w.Write(text); err != nil {
				return err
			}
		}
	}
	return nil
}

func appendEdges(b []byte, e *csr.Edges, separator byte) []byte {
	for k, i := range e.Src {
		b = append(strconv.AppendUint(b, uint64(i), 10), separator)
		b = strconv.AppendUint(b, uint64(e.Dst[k]), 10)
		if len(e.Weight) > 0 {
			b = strconv.AppendFloat(append(b, separator), float64(e.Weight[k]), 'g', -1, 32)
		}
		b = append(b, '\n')
	}
	return b
}

// WriteCSR writes the graph as a .csr file, by a builder with the given
// options, which say how much memory it may take. It returns the number of
// entries. The file has the bytes that reading the edge list and writing
// .csr would give, but for nodes of RMAT that have no edge: they are rows
// here, and not in a list.
func (g *Graph) WriteCSR(ctx context.Context, f store.Output, opt csr.BuildOptions) (int64, csr.BuildStats, error) {
	b := csr.NewBuilder(g.opt.Nodes, g.Edges(), g.Weighted(), opt)
	edges := make([]csr.Edges, rows.Workers(opt.Threads))
	err := rows.Tasks(ctx, g.Blocks(), opt.Threads, func(worker, k int) error {
		e := &edges[worker]
		g.Block(k, e)
		if !g.Weighted() {
			e.Weight = nil
		}
		return b.Add(worker, e)
	})
	if err != nil {
		return 0, csr.BuildStats{}, err
	}
	return store.Build(ctx, f, b, nil)
}

// WriteLabels writes the class of every node, as lines of id and label.
func (g *Graph) WriteLabels(w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<20)
	for i := range g.opt.Nodes {
		if _, err := fmt.Fprintf(out, "%d\tclass%d\n", i, g.Label(i)); err != nil {
			return err
		}
	}
	return out.Flush()
}

// WriteSeeds writes the classes of [Graph.Seeds].
func (g *Graph) WriteSeeds(w io.Writer, perClass int) error {
	seeds, err := g.Seeds(perClass)
	if err != nil {
		return err
	}
	for _, i := range seeds {
		if _, err := fmt.Fprintf(w, "%d\tclass%d\n", i, g.Label(i)); err != nil {
			return err
		}
	}
	return nil
}
