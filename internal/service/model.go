package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Model is a labelled graph that takes further labels. It is safe for concurrent
// use.
//
// Labels are those of label spreading on the learned graph, or where [Graphs.Mixture] is there those of a mixture
// of methods, which is made in the background.
//
// Memory beside the graphs: F, 4·n·c bytes, and while labels are added a second
// one and five blocks of the columns of their classes; 20 bytes a node.
type Model struct {
	names    *ids.Table
	original *csr.Matrix     // W
	learned  *csr.Matrix     // A
	graph    *diffuse.Graph  // S_A
	opt      diffuse.Options // Within is W, whose components classes are balanced in
	edges    int             // of the learned graph
	fits     func(classes, columns int) error
	keep     func(known []byte) error
	base     map[uint32]string // what was known of nodes before anything was given, by [said]

	change chan struct{} // full while labels are given: the seeds of now change by nobody else
	now    atomic.Pointer[labelling]
	mixer  *mixer // nil where labels are of the graph alone
}

// labelling is what the known labels give. It does not change.
type labelling struct {
	classes []string
	seeds   *diffuse.Seeds
	f       *csr.Dense
	labels  []int32 // -1 for none
	version int
	given   int // nodes of which something else is known than at the start
	stats   diffuse.Stats
	counts  []classRecord // of the classes that have a label
	answers
}

// Graphs are what a model is made from.
type Graphs struct {
	Names    *ids.Table
	Original *csr.Matrix
	Learned  *csr.Matrix // the original one where none was learned
	Classes  []string
	Seeds    *diffuse.Seeds
	// Before is what was known before anything was given here; nil where that is Classes and Seeds.
	Before *Known
	// Keep saves all known labels, as [Model.Labels] has them, before those who gave some are
	// answered. If it fails, nothing changes. It may be nil.
	Keep func(known []byte) error
	// Fits refuses labels of a number of classes, with some columns to solve anew, where
	// they would need too much memory. It may be nil.
	Fits func(classes, columns int) error
	// Mixture makes the answers, beginning with Mixed, n×c, which took some time; Fault is told of its errors. Nil
	// where the graph has the answers.
	Mixture Mixture
	Mixed   *csr.Dense
	Took    time.Duration
	Fault   func(error)
}

// Known are labels of nodes. Nothing known are seeds without a list: &diffuse.Seeds{Nodes: n}.
type Known struct {
	Classes []string
	Seeds   *diffuse.Seeds
}

// said returns what is known of each node that has a label, as one text.
func (k Known) said() map[uint32]string {
	said := map[uint32]string{}
	list := k.Seeds.List()
	for at, s := range list {
		text := k.Classes[s.Class]
		if diffuse.IsSoft(list, at) {
			text = fmt.Sprintf("%s%q %g;", said[s.Node], text, s.Weight)
		}
		said[s.Node] = text
	}
	return said
}

// New spreads the seeds on the learned graph. There is no class prior, as classes
// come and go. Errors: options, as [diffuse.ErrOptions]; ctx.Err().
func New(ctx context.Context, g Graphs, opt diffuse.Options) (*Model, error) {
	opt.Prior = nil
	m := &Model{names: g.Names, original: g.Original, learned: g.Learned, fits: g.Fits, keep: g.Keep, opt: opt, change: make(chan struct{}, 1)}
	if m.fits != nil {
		if err := m.fits(g.Seeds.Classes, g.Seeds.Classes); err != nil {
			return nil, err
		}
	}
	m.graph = diffuse.Normalize(g.Learned, opt.Threads)
	m.edges = edgesOf(g.Learned)
	m.opt.Within = m.graph
	if g.Original != g.Learned { // which may be in more parts
		m.opt.Within = diffuse.PartsOf(g.Original, opt.Threads)
	}
	l := &labelling{classes: g.Classes, seeds: g.Seeds}
	if g.Before == nil {
		g.Before = &Known{g.Classes, g.Seeds}
	}
	m.base = g.Before.said()
	if err := m.spread(ctx, l, csr.NewDense(g.Seeds.Nodes, g.Seeds.Classes), withSeeds(l.seeds, nil)); err != nil {
		return nil, err
	}
	if m.startMixing(&g, l); m.mixer != nil {
		l.judge(m.base)
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

// spread fills in F, which starts from f and keeps it, and the labels. Of the
// classes given only columns are solved for; the others are solved already.
func (m *Model) spread(ctx context.Context, l *labelling, f *csr.Dense, classes []uint32) error {
	l.f, l.stats = f, diffuse.Stats{Converged: true}
	if len(classes) > 0 {
		if err := m.solve(ctx, l, classes); err != nil {
			return err
		}
	}
	l.judge(m.base)
	return nil
}

// count counts the labels of each class, and the nodes whose known labels differ from those at the start.
func (l *labelling) count(base map[uint32]string) {
	isSeed, predicted := l.seeds.Mask(), make([]int, len(l.classes))
	for i, j := range l.labels {
		if j >= 0 && !isSeed[i] {
			predicted[j]++
		}
	}
	l.counts = []classRecord{}
	for j, seeds := range l.seeds.PerClass() {
		if seeds > 0 {
			l.counts = append(l.counts, classRecord{l.classes[j], j, seeds, predicted[j]})
		}
	}
	l.given = differ(base, Known{l.classes, l.seeds}.said())
}

// Differ returns the number of nodes of which a and b say something else.
func (k Known) Differ(other Known) int { return differ(k.said(), other.said()) }

func differ(a, b map[uint32]string) (nodes int) {
	for node, text := range a {
		if other, ok := b[node]; !ok || other != text {
			nodes++
		}
	}
	for node := range b {
		if _, ok := a[node]; !ok {
			nodes++
		}
	}
	return nodes
}

// known returns the known label of a node, of several the one of the largest weight, or "".
func (l *labelling) known(i int) string {
	list := l.seeds.List()
	at, found := slices.BinarySearchFunc(list, uint32(i), bySeed)
	if !found {
		return ""
	}
	best := list[at]
	for _, s := range list[at:] {
		if s.Node == best.Node && s.Weight > best.Weight {
			best = s
		}
	}
	return l.classes[best.Class]
}

func bySeed(s diffuse.Seed, node uint32) int { return cmp.Compare(s.Node, node) }

// solve solves for the columns of some classes.
func (m *Model) solve(ctx context.Context, l *labelling, classes []uint32) error {
	part, seeds, err := m.columns(l, l.f, classes)
	if err != nil {
		return err
	}
	opt := m.opt
	opt.Balance = diffuse.Unbalanced     // seeds have the weights of their classes
	opt.Underflow = diffuse.UnderflowAll // labels of before would stay where seeds are far
	work := diffuse.NewWorkspace(part.Rows, part.Cols, opt.Threads)
	if l.stats, err = work.LGC(ctx, part, m.graph, m.graph.Degrees, seeds, opt); err != nil {
		return err
	}
	if c := len(l.classes); l.stats.Underflow+l.stats.Scaled > 0 && len(classes) < c {
		// Filled or scaled entries of rows that underflow compare only with those filled in
		// all columns at once.
		if m.fits != nil {
			if err := m.fits(c, c); err != nil {
				return fmt.Errorf("%w: %w", ErrLabels, err)
			}
		}
		return m.solve(ctx, l, rows.InOrder[uint32](c))
	}
	for i := range part.Rows {
		for k, j := range classes {
			l.f.Set(i, int(j), part.At(i, k))
		}
	}
	return nil
}

// columns returns the columns of f of some classes, and their seeds, weighed as
// among all classes.
func (m *Model) columns(l *labelling, f *csr.Dense, classes []uint32) (*csr.Dense, *diffuse.Seeds, error) {
	part := csr.NewDense(f.Rows, len(classes))
	for i := range f.Rows {
		for k, j := range classes {
			part.Set(i, k, f.At(i, int(j)))
		}
	}
	scale := m.graph.Scale(l.seeds, m.opt)
	var list []diffuse.Seed
	for at, s := range l.seeds.List() {
		if k, ok := slices.BinarySearch(classes, s.Class); ok {
			weight := max(float32(scale[at]*float64(s.Weight)), math.SmallestNonzeroFloat32)
			list = append(list, diffuse.Seed{Node: s.Node, Class: uint32(k), Weight: weight})
		}
	}
	seeds, err := diffuse.NewSeeds(f.Rows, len(classes), list)
	return part, seeds, err
}

// status says what the label of a node rests on.
func (l *labelling) status(i int) adp.Status {
	_, seed := slices.BinarySearchFunc(l.seeds.List(), uint32(i), bySeed)
	switch {
	case seed:
		return adp.Seed
	case l.labels[i] < 0:
		return adp.Unreached
	case l.ties(i):
		return adp.Uncertain
	}
	return adp.Predicted
}

// class returns the name of a class, "" for none.
func (l *labelling) class(j int32) string {
	if j < 0 {
		return ""
	}
	return l.classes[j]
}

// ErrLabels is wrapped by errors about labels that cannot be given.
var ErrLabels = errors.New("labels not taken")

// ErrKeep is wrapped by errors of [Graphs.Keep].
var ErrKeep = errors.New("labels not taken, as they could not be saved")

// Label sets the label of a node. An empty one removes its known label.
type Label struct {
	Node  int
	Class string
	// Was is the known label that is replaced, empty for none: where another is known by now, somebody
	// else gave it, and nothing is taken. Nil takes any.
	Was *string
}

// Change tells what labels that were given have changed.
type Change struct {
	Labelling  int // the number of the one that they made
	Iterations int // products with S_A, from the labelling before
	Behind     int // how many times labels were given that the answers do not know yet
	Nodes      []Changed
}

// Changed is a node whose label is another one now.
type Changed struct {
	Node          int
	Before, After string
}

// Limits of the classes that labels may make. An answer has up to eleven names of classes
// for each of mostNodes nodes, and is whole in memory.
const (
	mostClasses = 10_000
	mostName    = 1000 // bytes
)

// Give adds labels, or replaces those that the nodes have, and spreads them:
// one solve for the columns of the classes whose labels changed, from the last F.
// A name of a class that is not known makes a new class, in the place of one that has no
// label any more, if there is one.
//
// Errors: [ErrLabels], also where the memory would not do; [ErrKeep]; ctx.Err(), and then nothing has changed.
func (m *Model) Give(ctx context.Context, given []Label) (*Change, error) {
	select {
	case m.change <- struct{}{}:
		defer func() { <-m.change }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	last := m.now.Load()
	next := &labelling{classes: slices.Clone(last.classes)}
	for _, g := range given {
		if known := last.known(g.Node); g.Was != nil && *g.Was != known {
			return nil, fmt.Errorf("%w: node %s %s by now, expected %s: somebody else labelled it", ErrLabels,
				lines.Quote(m.names.AppendName(nil, g.Node)), knownAs(known), knownAs(*g.Was))
		}
	}
	list, err := next.with(last.seeds.List(), given)
	if err != nil {
		return nil, err
	}
	next.seeds = &diffuse.Seeds{Nodes: last.seeds.Nodes, Classes: len(next.classes)}
	if len(list) > 0 {
		if next.seeds, err = diffuse.NewSeeds(last.seeds.Nodes, len(next.classes), list); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrLabels, err)
		}
	}
	columns := withSeeds(next.seeds, last.seeds) // new ones and those that lost or got a seed
	if m.fits != nil {
		if err := m.fits(len(next.classes), len(columns)); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrLabels, err)
		}
	}
	f := m.rescaled(last, next)
	m.forget(f, next.seeds, given)
	if err := m.spread(ctx, next, f, columns); err != nil {
		return nil, err
	}
	if m.keep != nil {
		known, err := m.file(next)
		if err != nil {
			return nil, err
		}
		if err := m.keep(known.content); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrKeep, err)
		}
	}
	m.replace(next)
	iterations := next.stats.Iterations
	next = m.await(ctx, next)
	change := &Change{Labelling: next.version, Iterations: iterations, Behind: next.behind()}
	for i, label := range next.labels {
		if label != last.labels[i] {
			change.Nodes = append(change.Nodes, Changed{i, last.class(last.labels[i]), next.class(label)})
		}
	}
	return change, nil
}

func knownAs(label string) string {
	if label == "" {
		return "without a known label"
	}
	return "known to be " + lines.Quote([]byte(label))
}

// with returns the seeds, changed as given says, and adds new classes to those of before.
func (l *labelling) with(seeds []diffuse.Seed, given []Label) ([]diffuse.Seed, error) {
	known := map[string]uint32{}
	used := make([]bool, len(l.classes))
	for _, s := range seeds {
		used[s.Class] = true
	}
	var free []uint32 // places of classes without a label, whose columns are 0
	for j, name := range l.classes {
		known[name] = uint32(j)
		if !used[j] {
			free = append(free, uint32(j))
		}
	}
	now := map[uint32]string{}
	for _, g := range given {
		if _, twice := now[uint32(g.Node)]; twice {
			return nil, fmt.Errorf("%w: a node is given twice", ErrLabels)
		}
		now[uint32(g.Node)] = g.Class
		at, ok := known[g.Class]
		switch {
		case g.Class == "":
		case ok:
			free = slices.DeleteFunc(free, func(j uint32) bool { return j == at })
		case len(g.Class) > mostName:
			return nil, fmt.Errorf("%w: a new label of %d bytes, expected at most %d", ErrLabels, len(g.Class), mostName)
		case len(free) > 0:
			at, free = free[0], free[1:]
			delete(known, l.classes[at])
			known[g.Class], l.classes[at] = at, g.Class
		default:
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
	return list, nil // NewSeeds sorts it
}

// rescaled returns F of the last labelling with the columns and the weights of
// classes of the next one. In a component a column is in proportion to its class's
// weight, and a new label of one class changes those of all, by the balance: the
// others are then solved already.
func (m *Model) rescaled(last, next *labelling) *csr.Dense {
	type place struct{ component, class uint32 }
	weights := func(l *labelling) map[place]float64 {
		of := map[place]float64{}
		for k, v := range m.graph.Scale(l.seeds, m.opt) {
			s := l.seeds.List()[k]
			of[place{diffuse.ComponentOf(m.opt.Within, int(s.Node)), s.Class}] = v
		}
		return of
	}
	change := map[uint32][]float64{} // of the components with seeds, by class
	after := weights(next)
	for at, before := range weights(last) {
		now, ok := after[at]
		if !ok {
			continue // solved for: it lost its seeds
		}
		if change[at.component] == nil {
			change[at.component] = make([]float64, len(last.classes))
		}
		change[at.component][at.class] = now / before
	}
	f := csr.NewDense(last.f.Rows, len(next.classes))
	for i := range f.Rows {
		by, ok := change[diffuse.ComponentOf(m.opt.Within, i)]
		if !ok {
			continue
		}
		to := f.Row(i)
		for j, v := range last.f.Row(i) {
			to[j] = float32(by[j] * float64(v))
		}
	}
	return f
}

// withSeeds returns the classes, in order, that have seeds now and had others
// before, or none; before may be nil.
func withSeeds(now, before *diffuse.Seeds) (classes []uint32) {
	of := func(y *diffuse.Seeds) [][]diffuse.Seed {
		list := make([][]diffuse.Seed, now.Classes)
		if y != nil {
			for _, s := range y.List() {
				list[s.Class] = append(list[s.Class], s)
			}
		}
		return list
	}
	old := of(before)
	for j, seeds := range of(now) {
		if len(seeds) > 0 && !slices.Equal(seeds, old[j]) {
			classes = append(classes, uint32(j))
		}
	}
	return classes
}

// forget sets F to 0 where a class has no seed left in a component: a solve
// brings it near 0 only, and what no seed reaches must have no label.
func (m *Model) forget(f *csr.Dense, seeds *diffuse.Seeds, given []Label) {
	reached := map[uint32][]bool{} // of the components that given is in, by class
	for _, g := range given {
		reached[diffuse.ComponentOf(m.graph, g.Node)] = make([]bool, f.Cols)
	}
	for _, s := range seeds.List() {
		if classes, ok := reached[diffuse.ComponentOf(m.graph, int(s.Node))]; ok {
			classes[s.Class] = true
		}
	}
	for i := range f.Rows {
		classes, ok := reached[diffuse.ComponentOf(m.graph, i)]
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
