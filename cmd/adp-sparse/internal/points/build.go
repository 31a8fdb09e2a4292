package points

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/cmd/internal/inputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/cmd/internal/progress"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/figures"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/knn"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// beside returns the memory that there is, what the graph is of, and the bytes of the names of the edges.
func (f *Flags) beside() (memory limit.Memory, source string, names int64) {
	if f.Edges == nil {
		return f.Memory, f.Source(), 0
	}
	return f.Edges.Limit, f.Source() + " beside " + f.Edges.Name, f.Edges.IDs.Bytes()
}

// admit refuses a stage that does not fit the memory, with the edges in it.
func (f *Flags) admit(g *opened.Graph, what string, bytes int64) error {
	memory, source, names := f.beside()
	if what != fit.FirstGraph {
		what += " (--graph-kind knn does without)"
	}
	return memory.Admits(what+" of "+source, max(g.Peak, bytes+names))
}

// admitMixture refuses a mixture of methods that does not fit the memory whatever graph the features have, before neighbours are searched for.
func (f *Flags) admitMixture(g *opened.Graph, in *fit.Input, threads int) error {
	memory, source, bytes := f.beside()
	bytes += fit.LeastPoolBytes(in, fit.Options{Run: adp.Options{Threads: threads, ClassColumns: 1}}) - g.Mapped(in.Edges)
	return memory.AllowsLeast("a mixture of methods (--combine none does without) for "+source, bytes)
}

// checkSparse refuses flags that are for dense features.
func (f *Flags) checkSparse(x *vecs.Features) error {
	switch {
	case x.Sparse == nil:
	case f.Scale == "columns" && !f.Given("scale"):
		return usage.Errorf("the columns of the model of --warm were scaled, and %s is sparse: --scale none takes it as it is", f.File)
	case f.Scale == "columns":
		return usage.Errorf("--scale columns takes dense features, and %s is sparse", f.File)
	case f.Kind != "knn" && f.Kind != "auto":
		return usage.Errorf("--graph-kind %s takes dense features, and %s is sparse", f.Kind, f.File)
	}
	return nil
}

// Build reads the features or the neighbours and makes the graph.
func (f *Flags) Build(ctx context.Context, std streams.Stdio, threads int) (*opened.Graph, error) {
	start := time.Now()
	x := &vecs.Features{}
	var err error
	if f.File != "" {
		if x, err = f.readFeatures(std); err != nil {
			return nil, err
		}
	}
	if err := f.checkSparse(x); err != nil {
		return nil, err
	}
	in := fit.Input{Dense: x.Dense, Sparse: x.Sparse}
	var found notes.List // what the reader of neighbours noted
	if in.Neighbors, found, err = f.readNeighbors(std, x); err != nil {
		return nil, err
	}
	points := in.Nodes()
	if nb := in.Neighbors; nb != nil {
		if f.K > nb.K {
			return nil, usage.Errorf("--k %d, and %s has at most %s, expected no more", f.K, f.Neighbors, figures.Counted(nb.K, "neighbour")+" of a point")
		}
		found.Add(notes.UnusedNeighbors, max(0, nb.K-cmp.Or(f.K, knn.DefaultK)), 0, "")
	}
	if in.Neighbors == nil && points > 1 && f.K > points-1 { // before the memory of k neighbours a point is allocated
		return nil, usage.Errorf("--k: k = %d for %d points, expected fewer neighbours than points", f.K, points)
	}
	if x.IDs == nil {
		if x.IDs, err = f.Names.Of(std, ids.Sequence(points)); err != nil {
			return nil, err
		}
	}
	x.IDs.NoteSpelling(&found)
	dims := 0
	if f.File != "" {
		dims = x.Dims()
	}
	g := &opened.Graph{Built: &opened.Built{File: f.File, Notes: slices.Concat(x.Notes, found).Reword(exits.AsFlags.Replace), Titles: x.Titles, Columns: x.Columns, GraphReport: fit.GraphReport{Points: points, Dims: dims}}, IDs: x.IDs}
	if f.Edges != nil {
		if err := f.withEdges(g, threads); err != nil {
			return nil, err
		}
		in.Edges = f.Edges.W
	}
	if f.Choose != nil {
		if in.Seeds, err = f.Choose(g); err != nil {
			return nil, err
		}
		noteLeaks(g.Built, &in)
	}
	g.Built.ReadSec = time.Since(start).Seconds()
	if err := f.makeGraph(ctx, std, in, threads, g); err != nil {
		return nil, err
	}
	g.Joins = g.Made.Joins
	if f.Joinable && f.File != "" {
		of := model.FeaturesOf(diffuse.Features{Dense: x.Dense, Sparse: x.Sparse}, g.Made.Scaling)
		of.File, of.Format, of.Array, of.IDColumn = f.File, f.format, f.array, f.Pick.ID
		of.Without, of.Columns, of.Drop = f.Without, f.Pick.Only, f.Pick.Drop
		of.Titles, of.Categories, of.Means = x.Titles, CategoriesOf(x), x.Means
		g.Features = of
	}
	if f.Edges == nil {
		g.Read.Edges = g.W.NNZ() / 2
	}
	return g, nil
}

// makeGraph makes the graph of the input, with a bar for the search of neighbours.
func (f *Flags) makeGraph(ctx context.Context, std streams.Stdio, in fit.Input, threads int, g *opened.Graph) (err error) {
	shown := progress.Bar{}
	defer func() { shown.End() }()
	opt := f.options(threads)
	if f.Combine && (in.Combines() || f.Unlabelled && in.MayCombine()) {
		g.Input = &in
		opt.Mixed = true
		if err := f.admitMixture(g, &in, threads); err != nil {
			return err
		}
	}
	opt.Admit = func(what string, bytes int64) error { return f.admit(g, what, bytes) }
	opt.Searching = func(by knn.Metric, done, total int) {
		if done == 1 {
			shown.End()
			shown = progress.New(std.Err, "neighbours by "+by.String(), int64(total), false)
		}
		shown.Set(done)
	}
	if g.Made, err = fit.NewGraph(ctx, in, opt); err != nil {
		if f.File != "" && errors.Is(err, knn.ErrFeatures) {
			err = fmt.Errorf("%s: %w", f.File, err)
		}
		return err
	}
	g.W, g.Built.GraphReport = g.Made.W, g.Made.Report
	taken := g.Made.Peak
	if f.Edges != nil {
		taken += f.Edges.IDs.Bytes()
	}
	g.Peak = max(g.Peak, taken)
	return nil
}

// withEdges gives g the nodes of the edges too.
func (f *Flags) withEdges(g *opened.Graph, threads int) (err error) {
	edges := f.Edges
	if g.IDs, err = edges.Place(g.IDs, f.Names.Base == 1 && !f.ownNames(), f.Source(), g.Built.Dims, threads); err != nil {
		return err
	}
	g.Built.Edges, g.Built.Unmatched = edges.W.NNZ()/2, edges.Unmatched
	if edges.Notes.Count(notes.SimilarIDs) > 0 { // of both files
		g.Built.Notes.Drop(notes.SimilarIDs)
	}
	g.Read, g.Notes, g.File, g.Peak = edges.Read, edges.Notes, edges.File, max(g.Peak, edges.Peak)
	return nil
}

func (f *Flags) readFeatures(std streams.Stdio) (x *vecs.Features, err error) {
	err = inputs.Read(f.File, std, func(r io.Reader, name string, size int64) error {
		opt := vecs.Options{Format: f.format, Array: f.array, IDColumn: f.Pick.ID, Header: headerOf(f.Without), Columns: f.Pick.Only, Categories: f.Pick.Categories, Impute: imputations[f.Pick.Impute], Comments: f.Comments, MemoryLimit: f.Memory.Data()}
		opt.Without = slices.Concat(f.Without, f.Pick.Drop)
		x, err = ReadPoints(r, name, size, opt)
		if errors.Is(err, vecs.ErrMemory) {
			return opened.TooMuch(f.Memory, err, opened.LessForFeatures)
		}
		return orLabels(err, f.IfLabels)
	})
	return x, err
}

// readNeighbors reads the neighbours that another program found, if any, and what was noted.
func (f *Flags) readNeighbors(std streams.Stdio, x *vecs.Features) (*knn.Neighbors, notes.List, error) {
	if f.Neighbors == "" {
		return nil, nil, nil
	}
	names := []string{f.Neighbors}
	if !vecs.IsDistances(f.Neighbors) {
		names = append(names, cmp.Or(f.distances, f.similarities))
	}
	sources := make([]vecs.Source, len(names))
	for k, name := range names {
		file, in, err := inputs.Open(std.Context(), name)
		if err != nil {
			return nil, nil, err
		}
		defer file.Close()
		sources[k] = vecs.Source{R: in, Name: name, Size: inputs.Size(file)}
	}
	var read *vecs.Neighbors
	var err error
	if len(sources) == 1 {
		read, err = vecs.ReadDistances(sources[0])
	} else if read, err = vecs.ReadNeighbors(sources[0], sources[1]); err == nil {
		err = f.orient(read)
	}
	if err != nil {
		return nil, nil, err
	}
	if x.Dense != nil && x.Rows() != read.N || x.Sparse != nil && x.Rows() != read.N {
		return nil, nil, fmt.Errorf("%w: %s has %d rows, %s %d", knn.ErrNeighbors, f.Neighbors, read.N, f.File, x.Rows())
	}
	if f.graph.Search.Metric == knn.L2 && x.Dense != nil && read.Squared(x.Dense) {
		return nil, nil, fmt.Errorf("%w: %s has the squares of the distances in %s, as faiss and hnswlib return them, expected their roots: numpy.sqrt(D)", knn.ErrNeighbors, names[len(names)-1], f.File)
	}
	found, err := knn.FromPrecomputed(read.IDs, read.Dists, read.N, read.K, f.graph.Search.Metric)
	return found, read.Notes, err
}

// orient makes distances of similarities, by the metric. It refuses one where the other is said.
func (f *Flags) orient(read *vecs.Neighbors) error {
	similar := read.Similar()
	switch {
	case f.distances != "" && similar:
		return fmt.Errorf("%w: %s has similarities, such as inner products: a point's own is the largest, or rows descend; expected distances: say --similarities %s, with --metric cosine for cosines", knn.ErrNeighbors, f.distances, usage.ShellQuote(f.distances))
	case f.distances != "":
		return nil
	case !similar && read.Ascending():
		return fmt.Errorf("%w: %s has distances: a point's own is the smallest, or rows ascend; expected similarities: say --distances %s", knn.ErrNeighbors, f.similarities, usage.ShellQuote(f.similarities))
	}
	for at, s := range read.Dists {
		switch {
		case read.IDs[at] == -1:
		case f.graph.Search.Metric.IsCosine() && (s < -1.001 || s > 1.001):
			return fmt.Errorf("%w: %s: row %d, column %d: similarity %v, expected a cosine, -1 to 1", knn.ErrNeighbors, f.similarities, at/read.K, at%read.K, s)
		case f.graph.Search.Metric.IsCosine():
			read.Dists[at] = min(2, max(0, 1-s))
		default:
			read.Dists[at] = -s
		}
	}
	return nil
}
