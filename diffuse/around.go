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
	spare *csr.Dense
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
	if err := a.x.Apply(ctx, dst, own); err != nil {
		return err
	}
	return a.walk(ctx, a.other, false, func(i int, row []float32) {
		for j, v := range row {
			dst.Row(i)[j] += v
		}
	})
}

// ApplyT computes dst ← (X̃ᵀR, X̃ᵀPᵀR), 2d×c.
func (a *Around) ApplyT(ctx context.Context, dst, r *csr.Dense) error {
	own, mean := a.Halves(dst)
	a.hold(r.Cols)
	a.other.CopyFrom(r)
	if err := a.walk(ctx, a.other, true, func(i int, row []float32) { copy(a.other.Row(i), row) }); err != nil {
		return err
	}
	if err := a.x.ApplyT(ctx, mean, a.other); err != nil {
		return err
	}
	return a.x.ApplyT(ctx, own, r)
}

func (a *Around) hold(c int) {
	if a.other == nil || a.other.Cols != c {
		n, _ := a.x.Dims()
		a.other, a.spare = csr.NewDense(n, c), csr.NewDense(n, c)
	}
}

// walk gives take the rows of PX, or of PᵀX, and overwrites X. With s = D^1/2 they are s^-1 S s and its transpose. Roots are over the largest one,
// lest float32 underflows.
func (a *Around) walk(ctx context.Context, x *csr.Dense, transposed bool, take func(i int, row []float32)) error {
	scale := func(row []float32, i int, up bool) {
		root := math.Sqrt(a.g.Degrees[i]) / a.most
		switch {
		case !(root > 0): // it has no neighbours
			clear(row)
		case up:
			times(row, root)
		default:
			times(row, 1/root)
		}
	}
	rows.Each(x.Rows, a.x.threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			scale(x.Row(i), i, !transposed)
		}
	})
	if err := rows.Do(ctx, x.Rows, a.x.threads, func(_, lo, hi int) error {
		a.g.ApplyRows(a.spare, x, lo, hi)
		return nil
	}); err != nil {
		return err
	}
	rows.Each(x.Rows, a.x.threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			scale(a.spare.Row(i), i, transposed)
			take(i, a.spare.Row(i))
		}
	})
	return nil
}

func (a *Around) exponent() int { return a.x.exponent() }

func (a *Around) workers() int { return a.x.threads }
