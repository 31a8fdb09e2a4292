package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/internal/inputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/csr/store"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/knn"
)

// graph is what all commands work on: the affinity W and the names of its
// nodes, however they came.
type graph struct {
	W    *csr.Matrix
	IDs  *ids.Table
	Read edgelist.Stats // what the reader counted
	KNN  *knnFacts      // how it was built from features; else nil
	Made *fit.Graph     // what was built; else nil
	// What joins new points to a graph of dense features, where asked for.
	Features *model.Features
	Joins    *knn.Attachment

	peak int64       // about the bytes that reading or building it needed
	file *store.File // where W and IDs lie, when they are mapped; else nil
}

// guard calls f, which reads the graph: a mapped file that another process
// cuts short or changes gives an error and does not end the program.
func (g *graph) guard(f func() error) error {
	if g.file == nil {
		return f()
	}
	return g.file.Guard(f)
}

// unchanged returns an error if another process wrote into the mapped file.
func (g *graph) unchanged() error {
	if g.file == nil {
		return nil
	}
	return g.file.Unchanged()
}

// close frees a mapped file.
func (g *graph) close() error {
	if g.file == nil {
		return nil
	}
	return g.file.Close()
}

// readGraph reads the graph of --graph, or maps it: a .csr file, no pipe, that is not
// compressed. A matrix that is not symmetric is refused unless its entries are
// directed edges.
func (g *graphFlags) readGraph(std streams.Stdio) (*graph, error) {
	if info, err := os.Stat(g.graph); filepath.Ext(g.graph) == ".csr" && (err != nil || info.Mode().IsRegular()) {
		file, err := store.Open(g.graph)
		if err != nil {
			return nil, err
		}
		out := &graph{W: file.Matrix(), IDs: file.IDs(), file: file}
		if err := out.guard(func() error { return g.symmetric(out) }); err != nil {
			return nil, errors.Join(err, out.close())
		}
		return out, nil
	}
	out := &graph{}
	err := inputs.Read(g.graph, std, func(r io.Reader, shown string, size int64) error {
		plain, size, err := format.Decompress(r, shown, size)
		if err != nil {
			return err
		}
		head, plain := format.Peek(plain, size)
		of, err := format.Decide("graph", g.graph, head)
		if err != nil {
			return err
		}
		if err := g.checkFormat(of); err != nil {
			return err
		}
		read, err := of.Read(std.Context(), format.Input{Reader: plain, Name: shown, Size: size}, g.readOptions())
		if err != nil {
			return err
		}
		out.W, out.IDs, out.Read = read.W, read.IDs, read.Stats
		if !of.Matrix {
			return nil
		}
		if out.IDs == nil {
			n, _ := out.W.Dims()
			out.IDs = ids.Sequence(n)
		}
		return g.symmetric(out)
	})
	return out, err
}

// symmetric makes an affinity of the matrix that was read, by the rules of edge lists: what
// is stored as 0 is no edge. A learned graph keeps its diagonal.
func (f *graphFlags) symmetric(g *graph) error {
	name, threads := f.graph, f.threads
	n, _ := g.W.Dims()
	if n == 0 {
		return &lines.Error{File: name, Msg: "no rows, expected at least one node"}
	}
	if err := f.copies(g); err != nil {
		return err
	}
	whole := g.W
	g.W, g.Read.SelfLoops = csr.WithoutDiagonal(g.W)
	g.W, g.Read.ZeroWeight = csr.WithoutZeros(g.W)
	if !f.directed {
		g.Read.ZeroWeight = (g.Read.ZeroWeight + 1) / 2 // an edge is stored at both ends
	} else if r, c := g.W.Dims(); r == c {
		g.W = csr.Symmetrize(g.W, csr.Mean, threads)
	}
	if err := csr.CheckAffinity(g.W, threads); err != nil {
		return &lines.Error{File: name, Msg: strings.TrimPrefix(err.Error(), "csr: ") + "; --directed makes (W+Wᵀ)/2 of a matrix that is not symmetric"}
	}
	g.Read.Edges = g.W.NNZ() / 2
	if f.learned {
		g.W, _ = csr.WithoutZeros(whole)
		g.Read.SelfLoops, g.Read.ZeroWeight = 0, 0
		return checkLoops(name, whole)
	}
	return nil
}

// copies refuses to make the copies of a matrix that leaving out entries and adding the
// transpose take, two at a time, where they do not fit.
func (f *graphFlags) copies(g *graph) error {
	copies := 0
	if csr.Loops(g.W) > 0 {
		copies++
	}
	if csr.Zeros(g.W) > 0 {
		copies++
	}
	if f.directed {
		copies = min(copies, 1) + 3 // the transpose, and up to twice the entries
	}
	if copies == 0 {
		return nil
	}
	n, _ := g.W.Dims()
	bytes := int64(copies) * (8*int64(g.W.NNZ()) + 8*int64(n))
	if g.file == nil {
		bytes += g.W.Bytes()
	}
	g.peak = max(g.peak, bytes)
	return f.memory.Allows("leaving out loops and zeros of "+f.graph+", or --directed,", bytes)
}

// checkLoops refuses an entry on the diagonal that is below 0.
func checkLoops(name string, m *csr.Matrix) error {
	n, _ := m.Dims()
	for i := range n {
		cols, vals := m.Row(i)
		if k, ok := slices.BinarySearch(cols, uint32(i)); ok && vals[k] < 0 {
			return &lines.Error{File: name, Msg: fmt.Sprintf("row %d: value %v on the diagonal, expected none below 0", i, vals[k])}
		}
	}
	return nil
}
