package adp

import (
	"context"
	"iter"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Order is the order in which the nodes of the graph are worked on. It changes the result by no
// more than the rounding of sums and the choice among equal entries of A. Labels and graph come
// back in the caller's order.
type Order int

const (
	// AutoOrder is ClusterOrder for ADP and ADP1 with at least [OrderNodes] nodes, else GivenOrder.
	// It also is GivenOrder where settings are fresh ([Setting]): the order costs up to an F-step
	// there, and the rows of hubs, which take most of an A-step, gain nothing from it. (default)
	AutoOrder Order = iota
	// GivenOrder is the caller's.
	GivenOrder
	// DegreeOrder puts nodes with many neighbours first ([csr.DegreeOrder]).
	DegreeOrder
	// ClusterOrder puts densely joined nodes near each other ([csr.ClusterOrder]). An A-step then
	// finds its operands in a cache, and takes a half to a third of the time on kNN graphs. The
	// order costs about one F-step.
	ClusterOrder
	orderEnd
)

// OrderNodes is the least number of nodes that [AutoOrder] reorders: the accumulators of smaller
// graphs fit a first-level cache.
const OrderNodes = 4096

// orderOn returns the order for the graph w, never AutoOrder.
func (o Options) orderOn(w *csr.Matrix) Order {
	n, _ := w.Dims()
	order := o.orderOf(n)
	if o.Order == AutoOrder && order != GivenOrder && len(o.Settings) == 0 && o.fresh(n, o.shapeOf(w)) {
		return GivenOrder
	}
	return order
}

// orderBehind returns the order that the run worked in that led to r.
func (o Options) orderBehind(r *Result) Order {
	fresh := slices.ContainsFunc(r.Rounds, func(round Round) bool { return round.Fresh })
	switch {
	case o.Order == AutoOrder && fresh:
		return GivenOrder
	case r.Rounds[r.Chosen].TopK == 0 && r.Graph != nil: // W itself
		return o.orderOn(r.Graph)
	}
	return o.orderOf(len(r.Labels))
}

// orderOf returns the order for a graph of n nodes with degrees alike, never AutoOrder.
func (o Options) orderOf(n int) Order {
	switch {
	case o.Order != AutoOrder:
		return o.Order
	case o.Method.Has(LearnsSparse) && n >= OrderNodes:
		return ClusterOrder
	}
	return GivenOrder
}

// NodeOrder returns the order in which a run on w works, as the node at each place; nil for the
// given order. Its only error is that of a context that ended.
func (o Options) NodeOrder(ctx context.Context, w *csr.Matrix) ([]uint32, error) {
	switch o.orderOn(w) {
	case DegreeOrder:
		return csr.DegreeOrder(w), ctx.Err()
	case ClusterOrder:
		return csr.ClusterOrder(ctx, w)
	}
	return nil, ctx.Err()
}

// reordering takes a run to another order of the nodes, and its result back.
type reordering struct {
	order []uint32 // the caller's node at each place
	place []uint32 // its inverse
}

func newReordering(order []uint32) *reordering {
	o := &reordering{order, make([]uint32, len(order))}
	for at, i := range order {
		o.place[i] = uint32(at)
	}
	return o
}

// nodesOf returns the caller's nodes at the places lo to hi−1.
func (o *reordering) nodesOf(lo, hi int) []uint32 {
	nodes := make([]uint32, hi-lo)
	for i, at := range o.place {
		if int(at) >= lo && int(at) < hi {
			nodes[int(at)-lo] = uint32(i)
		}
	}
	return nodes
}

// seeds returns the seeds with the places of their nodes.
func (o *reordering) seeds(y *diffuse.Seeds) *diffuse.Seeds {
	moved, err := diffuse.NewSeeds(y.Nodes, y.Classes, o.list(y.List()))
	if err != nil {
		panic(err) // valid seeds stay valid
	}
	return moved
}

func (o *reordering) list(seeds []diffuse.Seed) []diffuse.Seed {
	moved := make([]diffuse.Seed, len(seeds))
	for k, s := range seeds {
		s.Node = o.place[s.Node]
		moved[k] = s
	}
	return moved
}

// folds reorders the folds of the caller's seeds, which are the same for every order.
func (o *reordering) folds(folds iter.Seq2[*diffuse.Seeds, []diffuse.Seed]) iter.Seq2[*diffuse.Seeds, []diffuse.Seed] {
	return func(yield func(*diffuse.Seeds, []diffuse.Seed) bool) {
		for train, hidden := range folds {
			if !yield(o.seeds(train), o.list(hidden)) {
				return
			}
		}
	}
}

// observe wraps an observer so that it sees the labels in the caller's order.
func (o *reordering) observe(observer func(Round)) func(Round) {
	if observer == nil {
		return nil
	}
	labels := make([]int32, len(o.order))
	return func(r Round) {
		restore(labels, r.Labels, o.order)
		r.Labels = labels
		observer(r)
	}
}

// result returns a result to the caller's order, its graph in the space. F and Graph may be nil.
func (o *reordering) result(r *Result, space *csr.Space, threads int) (err error) {
	r.Labels = restored(r.Labels, o.order)
	r.Confidence = restored(r.Confidence, o.order)
	r.Margin = restored(r.Margin, o.order)
	r.Status = restored(r.Status, o.order)
	first := r.First
	if r.F != nil {
		f := o.block(r.F)
		if first == r.F {
			first = f
		} else if first != nil {
			first = o.block(first)
		}
		r.F = f
	}
	r.First = first
	if r.Graph != nil { // nil unless gathered
		r.Graph, err = space.Permute(r.Graph, o.place, threads)
	}
	return err
}

// block returns an n×c block to the caller's order.
func (o *reordering) block(x *csr.Dense) *csr.Dense {
	back := csr.NewDense(x.Rows, x.Cols)
	for at, i := range o.order {
		copy(back.Row(int(i)), x.Row(at))
	}
	return back
}

func restored[T any](values []T, order []uint32) []T {
	to := make([]T, len(values))
	restore(to, values, order)
	return to
}

func restore[T any](to, from []T, order []uint32) {
	for at, i := range order {
		to[i] = from[at]
	}
}
