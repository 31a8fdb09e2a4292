package diffuse

import (
	"context"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Around is the map (X̃, PX̃), n×2d: the features of a node, and the mean of those of its neighbours,
//
//	P = D^-1 U,
//
// U being the affinity of a graph and D its degrees. The mean of a node without neighbours is 0. V has the rows of X̃ first. Unlike that of
// [Hops] the mean leaves the node itself out, so that it is known of a node that is not in the graph, from its edges alone.
type Around struct {
	x     *Diffused
	g     *Graph
	most  float64 // the largest root of a degree
	other *csr.Dense
	means *csr.Dense
}

// NewAround returns the map of X̃ on a graph of the same nodes. It holds two n×c blocks beside those of X̃, once needed.
func NewAround(x *Diffused, g *Graph) *Around {
	if n, _ := x.Dims(); n != g.Dim() {
		panic("diffuse: features and a graph of other nodes")
	}
	a := &Around{x: x, g: g}
	for _, degree := range g.Degrees {
		a.most = max(a.most, math.Sqrt(degree))
	}
	return a
}

// Dims returns n and 2d.
func (a *Around) Dims() (n, d int) {
	n, d = a.x.Dims()
	return n, 2 * d
}

// Halves returns the rows of V, 2d×c, that are of X̃, and those of PX̃. Both share its memory.
func (a *Around) Halves(v *csr.Dense) (own, mean *csr.Dense) {
	_, d := a.x.Dims()
	return &csr.Dense{Rows: d, Cols: v.Cols, Data: v.Data[:d*v.Cols]}, &csr.Dense{Rows: d, Cols: v.Cols, Data: v.Data[d*v.Cols:]}
}

// Apply computes dst ← X̃V₁ + P(X̃V₂), n×c.
func (a *Around) Apply(ctx context.Context, dst, v *csr.Dense) error {
	own, mean := a.Halves(v)
	a.hold(v.Cols)
	if err := a.x.Apply(ctx, a.other, mean); err != nil {
		return err
	}
	if err := a.walk(ctx, false); err != nil {
		return err
	}
	if err := a.x.Apply(ctx, dst, own); err != nil {
		return err
	}
	rows.Each(len(dst.Data), a.x.threads, func(lo, hi int) {
		for at := lo; at < hi; at++ {
			dst.Data[at] += a.means.Data[at]
		}
	})
	return nil
}

// ApplyT computes dst ← (X̃ᵀR, X̃ᵀPᵀR), 2d×c.
func (a *Around) ApplyT(ctx context.Context, dst, r *csr.Dense) error {
	own, mean := a.Halves(dst)
	a.hold(r.Cols)
	a.other.CopyFrom(r)
	if err := a.walk(ctx, true); err != nil {
		return err
	}
	if err := a.x.ApplyT(ctx, mean, a.means); err != nil {
		return err
	}
	return a.x.ApplyT(ctx, own, r)
}

func (a *Around) hold(c int) {
	if a.other == nil || a.other.Cols != c {
		n, _ := a.x.Dims()
		a.other, a.means = csr.NewDense(n, c), csr.NewDense(n, c)
	}
}

// walk computes means ← P other, or Pᵀ other, and changes other. With s = D^1/2 they are s^-1 S s and its transpose. Roots are over the largest
// one, lest float32 underflows.
func (a *Around) walk(ctx context.Context, transposed bool) error {
	up := func(i int) float64 { return math.Sqrt(a.g.Degrees[i]) / a.most }
	down := func(i int) float64 {
		if a.g.Degrees[i] == 0 {
			return 0
		}
		return 1 / up(i)
	}
	if a.most == 0 { // no edges
		clear(a.means.Data)
		return ctx.Err()
	}
	first, last := up, down
	if transposed {
		first, last = down, up
	}
	a.x.scale(a.other, first)
	if err := rows.Do(ctx, a.other.Rows, a.x.threads, func(_, lo, hi int) error {
		a.g.ApplyRows(a.means, a.other, lo, hi)
		return nil
	}); err != nil {
		return err
	}
	a.x.scale(a.means, last)
	return nil
}

func (a *Around) exponent() int { return a.x.exponent() }

func (a *Around) workers() int { return a.x.threads }
