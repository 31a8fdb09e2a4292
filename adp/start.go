package adp

import (
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// startFrom sets F to the best combination of the columns of f, which is in the caller's order.
func (r *run) startFrom(f *csr.Dense) error {
	node := r.callersNode()
	for at := range f.Rows {
		copy(r.F.Row(at), f.Row(int(node(at))))
	}
	scaleStart(r.F)
	if err := r.work.Combine(r.F, r.s.operator.(*diffuse.Graph), r.s.Degrees, r.y, r.solver()); err != nil {
		return err
	}
	r.clearSeedless()
	return nil
}

// scaleStart scales columns whose largest entry is far from 1 by a power of 2. Only their
// directions count, and products near the range of float32 would overflow.
func scaleStart(f *csr.Dense) {
	largest := make([]float32, f.Cols)
	for i := range f.Rows {
		for j, v := range f.Row(i) {
			largest[j] = max(largest[j], v)
		}
	}
	for j, v := range largest {
		if _, exponent := math.Frexp(float64(v)); exponent < -64 || exponent > 64 {
			for at := j; at < len(f.Data); at += f.Cols {
				f.Data[at] = float32(math.Ldexp(float64(f.Data[at]), -exponent))
			}
		}
	}
}

// clearSeedless sets F_ij to 0 where no seed of class j is in the component of node i. This is the
// solution there, and steps of the solver only approach it: the remainder would label a node that
// no seed reaches.
func (r *run) clearSeedless() {
	g := r.s.operator.(*diffuse.Graph)
	has := map[uint32][]bool{}
	for _, seed := range r.y.List() {
		k := diffuse.ComponentOf(g, int(seed.Node))
		if has[k] == nil {
			has[k] = make([]bool, r.y.Classes)
		}
		has[k][seed.Class] = true
	}
	rows.Each(r.F.Rows, r.opt.Threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			classes := has[diffuse.ComponentOf(g, i)]
			for j := range r.F.Row(i) {
				if classes == nil || !classes[j] {
					r.F.Set(i, j, 0)
				}
			}
		}
	})
}
