package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Model is a labelled graph that takes further labels. It is safe for concurrent
// use.
//
// Memory beside the graphs: F, and while a label is added a second F and four
// blocks of its size, 4·n·c bytes each; 20 bytes a node.
type Model struct {
	names    *ids.Table
	original *csr.Matrix    // W
	learned  *csr.Matrix    // A
	graph    *diffuse.Graph // S_A
	opt      diffuse.Options
	part     []uint32 // the component of each node
	edges    int      // of the learned graph

	change sync.Mutex // held while a labelling is made from the last one
	now    atomic.Pointer[labelling]
}

// labelling is what the known labels give. It does not change.
type labelling struct {
	classes []string
	seeds   *diffuse.Seeds
	f       *csr.Dense
	labels  []int32 // -1 for none
	version int
	given   int // labels that were given since the start
	stats   diffuse.Stats
}

// Graphs are what a model is made from.
type Graphs struct {
	Names    *ids.Table
	Original *csr.Matrix
	Learned  *csr.Matrix // the original one where none was learned
	Classes  []string
	Seeds    *diffuse.Seeds
}

// New spreads the seeds on the learned graph. Errors: options, as
// [diffuse.ErrOptions]; ctx.Err().
func New(ctx context.Context, g Graphs, opt diffuse.Options) (*Model, error) {
	m := &Model{names: g.Names, original: g.Original, learned: g.Learned, opt: opt}
	m.graph = diffuse.Normalize(g.Learned, opt.Threads)
	m.part, _ = csr.Components(g.Learned)
	m.edges = edgesOf(g.Learned)
	l := &labelling{classes: g.Classes, seeds: g.Seeds}
	if err := m.spread(ctx, l, csr.NewDense(g.Seeds.Nodes, g.Seeds.Classes)); err != nil {
		return nil, err
	}
	m.now.Store(l)
	return m, nil
}

// edgesOf counts the entries above the diagonal.
func edgesOf(a *csr.Matrix) (edges int) {
	n, _ := a.Dims()
	for i := range n {
		cols, _ := a.Row(i)
		at, on := slices.BinarySearch(cols, uint32(i))
		if on {
			at++
		}
		edges += len(cols) - at
	}
	return edges
}

// spread fills in F, which starts from f and keeps it, and the labels.
func (m *Model) spread(ctx context.Context, l *labelling, f *csr.Dense) error {
	work := diffuse.NewWorkspace(f.Rows, f.Cols, m.opt.Threads)
	stats, err := work.LGC(ctx, f, m.graph, m.graph.Degrees, l.seeds, m.opt)
	if err != nil {
		return err
	}
	l.f, l.stats = f, stats
	l.labels = make([]int32, f.Rows)
	for i := range l.labels {
		l.labels[i] = diffuse.TopOf(f.Row(i)).Class
	}
	list := l.seeds.List()
	for k, s := range list {
		if !several(list, k) { // what was said stands, whatever the diffusion says
			l.labels[s.Node] = int32(s.Class)
		}
	}
	return nil
}

// several reports whether the node of the k-th seed has another one.
func several(list []diffuse.Seed, k int) bool {
	return k > 0 && list[k-1].Node == list[k].Node || k+1 < len(list) && list[k+1].Node == list[k].Node
}

// status says what the label of a node rests on.
func (l *labelling) status(i int) adp.Status {
	_, seed := slices.BinarySearchFunc(l.seeds.List(), uint32(i), func(s diffuse.Seed, node uint32) int {
		return int(int64(s.Node) - int64(node))
	})
	switch {
	case seed:
		return adp.Seed
	case l.labels[i] < 0:
		return adp.Unreached
	case diffuse.TopOf(l.f.Row(i)).Margin <= tieMargin:
		return adp.Uncertain
	}
	return adp.Predicted
}

// tieMargin is the margin below which two classes are equal.
const tieMargin = 1e-6

// class returns the name of a class, "" for none.
func (l *labelling) class(j int32) string {
	if j < 0 {
		return ""
	}
	return l.classes[j]
}

// ErrLabels is wrapped by errors about labels that cannot be given.
var ErrLabels = errors.New("labels not taken")

// Label says what a node is. An empty one takes what is known of the node away.
type Label struct {
	Node  int
	Class string
}

// Change tells what labels that were given have changed.
type Change struct {
	Iterations int // products with S_A, from the labelling before
	Nodes      []Changed
}

// Changed is a node whose label is another one now.
type Changed struct {
	Node          int
	Before, After string
}

// mostClasses bounds the classes that labels may make.
const mostClasses = 10_000

// Give adds labels, or replaces those that the nodes have, and spreads them. The
// solve starts from the last F. A name of a class that is not known makes a new
// class.
//
// Errors: [ErrLabels], also where no label would be left; ctx.Err(), and then
// nothing has changed.
func (m *Model) Give(ctx context.Context, given []Label) (*Change, error) {
	m.change.Lock()
	defer m.change.Unlock()
	last := m.now.Load()
	next := &labelling{classes: slices.Clone(last.classes), version: last.version + 1, given: last.given + len(given)}
	list, err := next.with(last.seeds.List(), given)
	if err != nil {
		return nil, err
	}
	if next.seeds, err = diffuse.NewSeeds(last.seeds.Nodes, len(next.classes), list); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLabels, err)
	}
	f := widen(last.f, len(next.classes))
	m.forget(f, next.seeds, given)
	if err := m.spread(ctx, next, f); err != nil {
		return nil, err
	}
	m.now.Store(next)
	change := &Change{Iterations: next.stats.Iterations}
	for i, label := range next.labels {
		if label != last.labels[i] {
			change.Nodes = append(change.Nodes, Changed{i, last.class(last.labels[i]), next.class(label)})
		}
	}
	return change, nil
}

// with returns the seeds, changed as given says, and adds new classes.
func (l *labelling) with(seeds []diffuse.Seed, given []Label) ([]diffuse.Seed, error) {
	known := map[string]uint32{}
	for j, name := range l.classes {
		known[name] = uint32(j)
	}
	now := map[uint32]string{}
	for _, g := range given {
		if _, twice := now[uint32(g.Node)]; twice {
			return nil, fmt.Errorf("%w: a node is given twice", ErrLabels)
		}
		now[uint32(g.Node)] = g.Class
		if _, ok := known[g.Class]; !ok && g.Class != "" {
			if len(l.classes) >= mostClasses {
				return nil, fmt.Errorf("%w: more than %d classes", ErrLabels, mostClasses)
			}
			known[g.Class] = uint32(len(l.classes))
			l.classes = append(l.classes, g.Class)
		}
	}
	var list []diffuse.Seed
	for _, s := range seeds {
		if _, replaced := now[s.Node]; !replaced {
			list = append(list, s)
		}
	}
	for node, class := range now {
		if class != "" {
			list = append(list, diffuse.Seed{Node: node, Class: known[class], Weight: 1})
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%w: no node would have one", ErrLabels)
	}
	return list, nil // NewSeeds sorts it
}

// widen returns a copy of f with c columns.
func widen(f *csr.Dense, c int) *csr.Dense {
	wide := csr.NewDense(f.Rows, c)
	for i := range f.Rows {
		copy(wide.Row(i), f.Row(i))
	}
	return wide
}

// forget sets F to 0 where a class has no seed left in a component: a solve
// brings it near 0 only, and what no seed reaches must have no label.
func (m *Model) forget(f *csr.Dense, seeds *diffuse.Seeds, given []Label) {
	reached := map[uint32][]bool{} // of the components that given is in, by class
	for _, g := range given {
		reached[m.part[g.Node]] = make([]bool, f.Cols)
	}
	for _, s := range seeds.List() {
		if classes, ok := reached[m.part[s.Node]]; ok {
			classes[s.Class] = true
		}
	}
	for i := range f.Rows {
		classes, ok := reached[m.part[i]]
		if !ok {
			continue
		}
		for j, v := range f.Row(i) {
			if v != 0 && !classes[j] {
				f.Set(i, j, 0)
			}
		}
	}
}
