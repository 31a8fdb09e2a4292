package adp

import (
	"math"
	"sync"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
	"github.com/adp-sparse/adp-sparse/internal/splitmix"
)

// shape says what kind of graph W is. The settings depend on it.
type shape struct {
	// variation is the standard deviation of the numbers of neighbours, divided by their mean.
	variation float64
	// closed is tr S³/tr S²: the share of walks of two steps that the third closes to a triangle.
	// Graphs of neighbours have 0.2 and more, random graphs of classes below 0.05. It is
	// estimated, and only where degrees are alike.
	closed float64
}

const (
	// fewNodes is the number of nodes up to which no setting is fresh: A-steps cost nothing there.
	fewNodes = 1000
	// leastClosed is the closed of a graph below which the walks of an A-step tell nothing.
	leastClosed = 0.1
)

// alike reports whether degrees are alike.
func (g shape) alike() bool { return g.variation <= maxDegreeVariation }

// fresh reports whether A is learned from labels alone: a long memory of A does not help where
// degrees are unlike, or where its walks hardly ever return (docs/decisions/0026-votes.md).
func (o Options) fresh(n int, g shape) bool {
	return o.Method.Has(Tries) && n > fewNodes && (!g.alike() || g.closed < leastClosed)
}

// shape returns the shape of W, measured once.
func (r *run) shape() shape {
	if r.kind == nil {
		var g shape
		if r.own == nil {
			g = r.opt.shapeOf(r.w)
		} else {
			g = r.own.shape(r.opt, r.w)
		}
		r.kind = &g
	}
	return *r.kind
}

// measured is the shape of a graph, found out when it is first asked for.
type measured struct {
	of    *csr.Matrix
	shape func() shape
}

// On returns the options for calls that are all about the graph W: [EstimateBytes], [ResultBytes],
// [Run]. They measure W once instead of each for itself.
func (o Options) On(w *csr.Matrix) Options {
	from := Options{Method: ADP, Threads: o.Threads}
	o.measured = &measured{w, sync.OnceValue(func() shape { return (*rankRows)(nil).shape(from, w) })}
	return o
}

// shapeOf measures W, n×n, all rows of which are here, unless it is known.
func (o Options) shapeOf(w *csr.Matrix) shape {
	if m := o.measured; m != nil && m.of == w && o.Method.Has(Tries) {
		return m.shape()
	}
	return (*rankRows)(nil).shape(o, w)
}

// shape measures W by its own rows.
func (p *rankRows) shape(opt Options, w *csr.Matrix) shape {
	own, n := w.Dims()
	g := shape{variation: p.degreeVariation(w), closed: 1}
	if !g.alike() || n <= fewNodes || !opt.Method.Has(Tries) {
		return g
	}
	// With y = Sz and random signs z, E yᵀSy = tr S³ and E yᵀy = tr S² (Hutchinson 1990).
	probes := min(max(2, 1<<16/n), 32)
	z, y := csr.NewDense(own, probes), csr.NewDense(own, probes)
	first := p.first()
	rows.Each(own, opt.Threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			bits := splitmix.Number(uint64(first + i))
			for j := range probes {
				z.Row(i)[j] = float32(1 - 2*int(bits>>j&1))
			}
		}
	})
	apply := p.operator(w, opt.Threads)
	apply(y, z)
	apply(z, y)
	sums := rows.NewReducer(own, 2).Across(p.partition()).Sum(opt.Threads, func(lo, hi int, sum []float64) {
		for k, v := range y.Data[lo*probes : hi*probes] {
			sum[0] += float64(float64(v) * float64(z.Data[lo*probes+k]))
			sum[1] += float64(float64(v) * float64(v))
		}
	})
	if sums[1] > 0 {
		g.closed = sums[0] / sums[1]
	}
	return g
}

// operator returns X → SX without an S of its own.
func (p *rankRows) operator(w *csr.Matrix, threads int) func(dst, x *csr.Dense) {
	if p != nil && p.graph != nil {
		return p.graph.Apply
	}
	roots := csr.Degrees(w, threads)
	for i, d := range roots {
		roots[i] = 0
		if d > 0 {
			roots[i] = 1 / math.Sqrt(d)
		}
	}
	scale := func(x *csr.Dense) {
		rows.Each(x.Rows, threads, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				for j, v := range x.Row(i) {
					x.Row(i)[j] = float32(float64(v) * roots[i])
				}
			}
		})
	}
	return func(dst, x *csr.Dense) {
		scaled := x.Clone()
		scale(scaled)
		csr.MulDense(dst, w, scaled, threads)
		scale(dst)
	}
}
