package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/cmd/internal/inputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/csr/parts"
	"github.com/adp-sparse/adp-sparse/csr/store"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// ReadGraph reads the graph of --graph. A plain .csr file is mapped. A matrix that is not symmetric
// is an error without --directed.
func (g *Flags) ReadGraph(std streams.Stdio) (*opened.Graph, error) {
	if info, err := os.Stat(g.Graph); format.IsPlainCSR(g.Graph) && (err != nil || info.Mode().IsRegular() && !packed(g.Graph)) {
		file, err := store.Open(g.Graph)
		if err != nil {
			return nil, err
		}
		out := &opened.Graph{W: file.Matrix(), IDs: file.IDs(), File: file}
		if err := out.Guard(func() error { return g.symmetric(out) }); err != nil {
			return nil, errors.Join(err, out.Close())
		}
		return out, nil
	}
	out := &opened.Graph{}
	err := inputs.Read(g.Graph, std, func(r io.Reader, shown string, size int64) error {
		plain, size, err := format.Decompress(r, shown, size)
		if err != nil {
			return err
		}
		head, plain := format.Peek(plain, size)
		of, err := format.Decide("graph", g.Graph, head)
		if err != nil {
			return err
		}
		if err := g.checkFormat(of); err != nil {
			return err
		}
		read, err := of.Read(std.Context(), format.Input{R: plain, Name: shown, Size: size}, g.readOptions())
		if err != nil {
			return err
		}
		out.W, out.IDs, out.Read, out.Notes = read.W, read.IDs, read.Stats, read.Notes.Reword(exits.AsFlags.Replace)
		if !of.Matrix {
			return nil
		}
		g.fromOne = of.FromOne
		if out.IDs == nil {
			n, _ := out.W.Dims()
			out.IDs = ids.Sequence(n)
		}
		return g.symmetric(out)
	})
	return out, err
}

// packed reports whether a file begins as compressed ones do, of which none can be mapped.
func packed(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false // mapping it says why
	}
	defer f.Close()
	var head [16]byte
	n, _ := f.ReadAt(head[:], 0)
	return stream.Compressed(head[:n])
}

// symmetric makes an affinity of a matrix, by the rules of edge lists: a stored 0 is no edge. A
// learned graph keeps its diagonal.
func (f *Flags) symmetric(g *opened.Graph) error {
	name, threads := f.Graph, f.Threads
	n, _ := g.W.Dims()
	if n == 0 {
		return &lines.Error{File: name, Msg: "no rows, expected at least one node"}
	}
	if !f.directed && csr.Zeros(g.W) == 0 && csr.CheckAffinity(g.W, threads) == nil {
		g.Read.Edges = g.W.NNZ() / 2
		return nil
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
		if csr.AreDistances(g.W) {
			g.Notes.Doubt(notes.DistanceWeights, g.W.NNZ(), 0, "", notes.DistancesAdvice+", or give them to run --neighbors (.npz)")
		}
		g.W = csr.Symmetrize(g.W, csr.Mean, threads)
	}
	if err := csr.CheckAffinity(g.W, threads); err != nil {
		return &lines.Error{File: name, Msg: strings.TrimPrefix(err.Error(), "csr: ") + f.toAffinity(g.W, err)}
	}
	g.Read.Edges = g.W.NNZ() / 2
	if f.Learned {
		g.W, _ = csr.WithoutZeros(whole)
		g.Read.SelfLoops, g.Read.ZeroWeight = 0, 0
		return checkLoops(name, whole)
	}
	return nil
}

// toAffinity says what makes an affinity of a matrix with a fault, where something does: not where values
// are below 0.
func (f *Flags) toAffinity(m *csr.Matrix, fault error) string {
	switch rows, cols := m.Dims(); {
	case rows != cols:
		return `; if rows and columns are two kinds of nodes, a graph of both is, in Python: scipy.sparse.save_npz("graph.npz", scipy.sparse.bmat([[None, m], [m.T, None]], "csr")) of the matrix m`
	case strings.HasSuffix(fault.Error(), "expected a symmetric matrix") && csr.AreDistances(m):
		return "; its values read like distances to nearest neighbours: scipy.sparse.save_npz writes such a matrix for run --neighbors"
	case strings.HasSuffix(fault.Error(), "expected a symmetric matrix"):
		return "; --directed makes (W+Wᵀ)/2 of a matrix that is not symmetric"
	}
	return ""
}

// copies refuses a matrix whose copies do not fit the memory: leaving out entries and adding the
// transpose make copies, two at a time.
func (f *Flags) copies(g *opened.Graph) error {
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
	if g.File == nil {
		bytes += g.W.Bytes()
	}
	g.Peak = max(g.Peak, bytes)
	return f.Memory.Allows("leaving out loops and zeros of "+f.Graph+", or --directed,", bytes)
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

// holds refuses a file whose entries alone do not fit the memory. Mapped files fit.
func holds(l limit.Memory, name string) error {
	if format.IsPlainCSR(name) || name == "-" {
		return nil
	}
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil // reading gives the error
	}
	return l.Allows("reading "+name, 2*info.Size())
}

// Read reads or builds the graph, or both and adds them.
func (g *Flags) Read(ctx context.Context, std streams.Stdio) (*opened.Graph, error) {
	if g.Edges == "" && g.Graph == "" {
		return g.build(ctx, std, nil)
	}
	edges, err := g.readFile(std)
	if err != nil {
		return nil, err
	}
	if g.Features.Source() == "" {
		if in := (fit.Input{Edges: edges.W}); g.Features.Combine && in.MayCombine() {
			edges.Input = &in
		}
		return edges, nil
	}
	var out *opened.Graph
	err = edges.Guard(func() error {
		out, err = g.build(ctx, std, &opened.Edges{Graph: edges, Name: g.Source(), Limit: g.Memory, Rows: g.Graph != "" && edges.IDs.IsSequence()})
		return err
	})
	if err != nil {
		return nil, errors.Join(err, edges.Close())
	}
	return out, nil
}

// readFile reads the graph of --edges or --graph.
func (g *Flags) readFile(std streams.Stdio) (*opened.Graph, error) {
	if g.Edges != "" {
		return g.ReadEdges(std)
	}
	if parts.Is(g.Graph) {
		return nil, usage.Errorf("--graph %s is a graph in parts, which run alone takes; expected a graph in one file", g.Graph)
	}
	if err := holds(g.Memory, g.Graph); err != nil {
		return nil, err
	}
	out, err := g.ReadGraph(std)
	if err != nil {
		return nil, err
	}
	if err := out.SetNames(g.Features.Names, g.Graph, std); err != nil {
		return nil, errors.Join(err, out.Close())
	}
	return out, nil
}

// build builds the graph of features, and of edges of the same nodes unless they are nil.
func (g *Flags) build(ctx context.Context, std streams.Stdio, edges *opened.Edges) (*opened.Graph, error) {
	f := &g.Features
	if f.Memory, f.Edges = g.Memory, edges; edges != nil && f.Memory.Bytes > 0 {
		f.Memory.Bytes = max(f.Memory.Bytes-edges.W.Bytes()-edges.IDs.Bytes(), 1)
	}
	if g.Labels != "" {
		f.Choose = func(of *opened.Graph) (*diffuse.Seeds, error) { return g.choosingSeeds(std, of) }
	}
	out, err := f.Build(ctx, std, g.Threads)
	f.Edges = nil // W is made of it
	if err == nil && out.Built.KNN != nil {
		out.Built.KNN.Found = nil // the model keeps its own copy
	}
	return out, err
}

// ReadEdges reads the edge list of --edges, text or Parquet.
func (g *Flags) ReadEdges(std streams.Stdio) (out *opened.Graph, err error) {
	err = inputs.Read(g.Edges, std, func(r io.Reader, name string, size int64) (err error) {
		head, r := format.Peek(r, size)
		of, err := format.Decide("edges", g.Edges, head)
		switch {
		case err != nil:
			return err
		case of != format.EdgeList && g.Features.Given("header"):
			return usage.Errorf("--header is for text; %s is %s, whose columns have names", name, of.What)
		case of != format.EdgeList && g.bipartite:
			return usage.Errorf("--bipartite is for --edges in text; %s is %s", name, of.What)
		case !of.Columns && len(g.Columns) > 0:
			return usage.Errorf("--columns is for --edges in %s; %s is %s", format.ColumnsOf(), name, of.What)
		}
		read, err := of.Read(std.Context(), format.Input{R: r, Name: name, Size: size}, g.readOptions())
		if errors.Is(err, edgelist.ErrMemory) {
			return opened.TooMuch(g.Memory, err, opened.LessForEdges)
		}
		if err == nil {
			out = &opened.Graph{W: read.W, IDs: read.IDs, Read: read.Stats, Notes: read.Notes.Reword(exits.AsFlags.Replace), Peak: read.Peak}
		}
		return err
	})
	return out, err
}

// readOptions are the options of the readers of graphs.
func (g *Flags) readOptions() format.Options {
	return format.Options{Edges: g.EdgeOptions(), Columns: g.Columns, WeightKey: g.weightKey, NameKey: g.nameKey, Memory: g.Memory.Bytes}
}

func (g *Flags) EdgeOptions() edgelist.Options {
	return edgelist.Options{Directed: g.directed, Duplicates: g.duplicatesBy, Header: g.headerBy, Columns: g.Columns, Bipartite: g.bipartite, Comments: g.comments.Prefixes, Threads: g.Threads, Most: g.Memory.Data()}
}
