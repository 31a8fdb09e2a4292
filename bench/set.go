package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/csr/store"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/outfile"
	"github.com/adp-sparse/adp-sparse/knn"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// Set is a data set in a folder, as a graph of some kind. It is written
// NAME[:CLASSES][@KIND]: only the nodes of the first CLASSES classes, in the
// order of their labels; the kind is edges (the set's own graph), knn, l1, lle
// (of its features), or auto: knn, and for each draw the graph that its seeds
// choose ([fit.NewGraph]), as run does; or both: that of edges and features together
// ([csr.Blend]), as run has it for --edges with --features. Without a kind it is edges if the set
// has any, else knn.
type Set struct {
	Name    string // as written
	base    string
	classes int // 0 for all
	kind    string
	dir     string
	// Cache is a folder in which graphs made of features are kept, made where
	// it is not there; empty for none.
	Cache string
}

var edgeEndings = []string{".edges.tsv.gz", ".edges.tsv"}

var featureEndings = []string{".features.npy.gz", ".features.npy", ".features.csr.npz"}

// ParseSet returns the set of a folder that is written so, or an error if
// its files are not there.
func ParseSet(dir, text string) (Set, error) {
	s := Set{Name: text, dir: dir}
	text, s.kind, _ = strings.Cut(text, "@")
	base, classes, limited := strings.Cut(text, ":")
	s.base = base
	if limited {
		n, err := strconv.Atoi(classes)
		if err != nil || n < 1 {
			return s, fmt.Errorf("set %q: %q is not a number of classes", s.Name, classes)
		}
		s.classes = n
	}
	if s.kind == "" {
		s.kind = "edges"
		if _, err := s.path(edgeEndings...); err != nil {
			s.kind = "knn"
		}
	}
	var err error
	switch s.kind {
	case "edges":
		_, err = s.path(edgeEndings...)
	case "knn", "l1", "lle", "auto":
		_, err = s.path(featureEndings...)
	case "both":
		if _, err = s.path(edgeEndings...); err == nil {
			_, err = s.path(featureEndings...)
		}
	default:
		err = fmt.Errorf("set %q: kind %q, expected edges, knn, l1, lle, auto or both", s.Name, s.kind)
	}
	if err == nil && s.kind == "edges" && limited {
		err = fmt.Errorf("set %q: only sets of features can be cut to some classes", s.Name)
	}
	return s, err
}

// ParseSets parses a list of sets.
func ParseSets(dir string, texts []string) ([]Set, error) {
	var sets []Set
	for _, text := range texts {
		s, err := ParseSet(dir, text)
		if err != nil {
			return nil, err
		}
		sets = append(sets, s)
	}
	return sets, nil
}

// FromFeatures reports whether the graph of the set is made of features.
func (s Set) FromFeatures() bool { return s.kind != "edges" }

// path returns the first of the set's files with the given endings that is
// there.
func (s Set) path(endings ...string) (string, error) {
	for _, ending := range endings {
		path := filepath.Join(s.dir, s.base+ending)
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("set %s: no file %s%s in %s", s.Name, s.base, strings.Join(endings, " or "+s.base), s.dir)
}

// Files returns the files that the set is read from.
func (s Set) Files() (paths []string) {
	for _, endings := range [][]string{edgeEndings, featureEndings, {".labels.tsv"}, {splitsEnding}, {splitEnding}} {
		if path, err := s.path(endings...); err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}

// Graph is a set in memory: its graph and the true class of each node (−1
// where it is not known).
type Graph struct {
	W       *csr.Matrix
	IDs     *ids.Table
	Truth   []int32
	Classes []string
	// Input and Made are what a choice of the graph by seeds is of, of the kinds auto and both,
	// whose W is the graph that it starts from.
	Input fit.Input
	Made  fit.GraphOptions

	X     *vecs.Features // the features, a row a node; nil of the kind edges
	Edges *csr.Matrix    // the set's own edges, of the kind both alone; nil else
}

// labelled returns the number of nodes with a true label.
func (g *Graph) labelled() (count int) {
	for _, y := range g.Truth {
		if y >= 0 {
			count++
		}
	}
	return count
}

// Load reads or makes the graph of the set, and reads its true labels if it
// has any.
func (s Set) Load(ctx context.Context) (*Graph, error) {
	if s.kind == "edges" {
		return s.loadEdges()
	}
	return s.loadFeatures(ctx)
}

func (s Set) loadEdges() (*Graph, error) {
	g := &Graph{}
	if s.classes > 0 { // of the kind both
		return nil, fmt.Errorf("set %s: only sets of features can be cut to some classes", s.Name)
	}
	path, err := s.path(edgeEndings...)
	if err != nil {
		return nil, err
	}
	if err := g.readEdges(path); err != nil {
		return nil, err
	}
	g.Input.Edges = g.W
	return g, s.readTruth(g)
}

// readEdges reads an edge list.
func (g *Graph) readEdges(path string) error {
	return ReadFile(path, func(f io.Reader, _ int64) error {
		read, err := edgelist.Read(f, path, edgelist.Options{})
		if err == nil {
			g.W, g.IDs = read.W, read.IDs
		}
		return err
	})
}

// readTruth reads the labels of the nodes of g, if the set has any.
func (s Set) readTruth(g *Graph) error {
	g.Truth = make([]int32, g.IDs.Len())
	for i := range g.Truth {
		g.Truth[i] = -1
	}
	path, err := s.path(".labels.tsv")
	if err != nil {
		return nil // a set without labels
	}
	return ReadFile(path, func(f io.Reader, _ int64) error {
		labels, err := labelfile.Read(f, path, g.IDs, labelfile.Options{SkipUnknown: true})
		if err != nil {
			return err
		}
		g.Classes = labels.Classes
		for _, seed := range labels.Seeds {
			g.Truth[seed.Node] = int32(seed.Class)
		}
		return nil
	})
}

func (s Set) loadFeatures(ctx context.Context) (*Graph, error) {
	x, err := s.readFeatures()
	if err != nil {
		return nil, err
	}
	g := &Graph{IDs: ids.Sequence(x.Rows())}
	if err := s.readTruth(g); err != nil {
		return nil, err
	}
	if s.classes > 0 {
		if x.Dense == nil || s.classes > len(g.Classes) {
			return nil, fmt.Errorf("set %s: %d classes of %d, or sparse features", s.Name, s.classes, len(g.Classes))
		}
		x.Dense, g.Truth = FirstClasses(x.Dense, g.Truth, s.classes)
		g.Classes = g.Classes[:s.classes]
		g.IDs = ids.Sequence(x.Dense.Rows)
	}
	g.X = x
	switch s.kind {
	case "auto":
		return g, s.open(ctx, g, x, nil)
	case "both":
		edges, err := s.loadEdges()
		if err != nil {
			return nil, err
		}
		at, missing := edges.IDs.Match(g.IDs)
		if len(missing) > 0 {
			return nil, fmt.Errorf("set %s: node %q of the edges has no row of features", s.Name, edges.IDs.Name(missing[0]))
		}
		g.Edges = csr.Embed(edges.W, at, x.Rows(), 0)
		return g, s.open(ctx, g, x, g.Edges)
	}
	g.W, err = s.cached(s.kind, func() (*csr.Matrix, error) { return s.build(ctx, x) })
	return g, err
}

// open makes the graph that a choice starts from, with the edges unless they are nil. Graphs of
// the features are made once.
func (s Set) open(ctx context.Context, g *Graph, x *vecs.Features, edges *csr.Matrix) error {
	made := map[knn.Start]*csr.Matrix{}
	g.Input = fit.Input{Edges: edges, Dense: x.Dense, Sparse: x.Sparse}
	g.Made = fit.GraphOptions{Keep: func(start knn.Start, build func() (*csr.Matrix, error)) (*csr.Matrix, error) {
		if w, ok := made[start]; ok {
			return w, nil
		}
		w, err := s.cached(strings.ReplaceAll(start.String(), " ", "-"), build)
		if err == nil {
			made[start] = w
		}
		return w, err
	}}
	first, err := fit.NewGraph(ctx, g.Input, g.Made)
	if err == nil {
		g.W = first.W
	}
	return err
}

// Choose returns the graph that the seeds choose: W for the kinds that leave none to them.
func (g *Graph) Choose(ctx context.Context, seeds *diffuse.Seeds) (*csr.Matrix, error) {
	if g.Made.Keep == nil {
		return g.W, nil
	}
	in := g.Input
	in.Seeds = seeds
	chosen, err := fit.NewGraph(ctx, in, g.Made)
	if err != nil {
		return nil, err
	}
	return chosen.W, nil
}

func (s Set) readFeatures() (x *vecs.Features, err error) {
	path, err := s.path(featureEndings...)
	if err != nil {
		return nil, err
	}
	err = ReadFile(path, func(f io.Reader, size int64) error {
		x, err = vecs.Read(f, path, size, vecs.Options{})
		return err
	})
	return x, err
}

// FirstClasses keeps the points of the first c classes.
func FirstClasses(x *csr.Dense, truth []int32, c int) (*csr.Dense, []int32) {
	out := &csr.Dense{Cols: x.Cols}
	var kept []int32
	for i, y := range truth {
		if y >= 0 && int(y) < c {
			out.Data = append(out.Data, x.Row(i)...)
			kept = append(kept, y)
		}
	}
	out.Rows = len(kept)
	return out, kept
}

// build makes the graph of the set's kind, with the defaults of each.
func (s Set) build(ctx context.Context, x *vecs.Features) (*csr.Matrix, error) {
	switch {
	case s.kind == "knn" && x.Sparse != nil:
		return graphOf(ctx, x, knn.Start{Metric: knn.Cosine})
	case s.kind == "knn":
		return graphOf(ctx, x, knn.Start{Metric: knn.L2})
	case x.Dense == nil:
		return nil, fmt.Errorf("set %s: sparse features make a knn graph only", s.Name)
	case s.kind == "l1":
		return graphOf(ctx, x, knn.Start{L1: true})
	}
	nb, _, err := knn.Search(ctx, x.Dense, knn.Options{})
	if err != nil {
		return nil, err
	}
	return knn.LLE(ctx, x.Dense, nb, knn.LLEOptions{})
}

// graphOf makes a graph that labels can start from. Sparse features have no ℓ1
// graph.
func graphOf(ctx context.Context, x *vecs.Features, start knn.Start) (w *csr.Matrix, err error) {
	opt := knn.GraphOptions{Search: knn.Options{Metric: start.Metric}}
	switch {
	case start.L1:
		w, _, err = knn.SelfExpressive(ctx, x.Dense, knn.SelfExpressiveOptions{})
	case x.Sparse != nil:
		w, _, err = knn.GraphSparse(ctx, x.Sparse, opt)
	default:
		w, _, err = knn.Graph(ctx, x.Dense, opt)
	}
	return w, err
}

// cached returns the graph that an earlier call with the same cache made. The
// file is whole or not there, however a run ends; where two runs make one graph at
// once, one of them keeps it.
func (s Set) cached(kind string, build func() (*csr.Matrix, error)) (*csr.Matrix, error) {
	if s.Cache == "" {
		return build()
	}
	if err := os.MkdirAll(s.Cache, 0o777); err != nil {
		return nil, err
	}
	path := filepath.Join(s.Cache, s.base+"-"+strconv.Itoa(s.classes)+"-"+kind+".csr")
	if f, err := os.Open(path); err == nil {
		defer f.Close()
		m, _, err := store.Read(f, path, -1)
		return m, err
	}
	m, err := build()
	if err != nil || m == nil {
		return nil, err
	}
	out, err := outfile.Create(outfile.OS{}, path)
	switch {
	case errors.As(err, new(outfile.Busy)):
		return m, nil
	case err != nil:
		return nil, err
	}
	err = store.Write(out, m, nil)
	if err == nil {
		err = out.Finish()
	}
	if err == nil {
		err = out.Replace()
	}
	return m, errors.Join(err, out.Discard())
}

// ReadFile opens a file and passes it on with its size.
func ReadFile(path string, read func(f io.Reader, size int64) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return read(f, info.Size())
}
