package adp

import (
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// startFrom sets F to the best combination of the columns of f, which is in the
// caller's order.
func (r *run) startFrom(f *csr.Dense) error {
	node := r.callersNode()
	for at := range f.Rows {
		copy(r.F.Row(at), f.Row(int(node(at))))
	}
	if err := r.work.Combine(r.F, r.s.operator.(*diffuse.Graph), r.s.Degrees, r.y, r.opt.solver()); err != nil {
		return err
	}
	r.clearSeedless()
	return nil
}

// clearSeedless sets F_ij to 0 where no seed of class j is in the component of
// node i. That is the solution there, and steps of the solver only come near it:
// what they left would be a label for a node that no seed reaches.
func (r *run) clearSeedless() {
	of, sizes := csr.Components(r.w)
	c := r.y.Classes
	place := make([]int, len(sizes)) // 1 + the place of a component in has, 0 for none
	var has []bool
	for _, seed := range r.y.List() {
		k := of[seed.Node]
		if place[k] == 0 {
			has = append(has, make([]bool, c)...)
			place[k] = len(has) / c
		}
		has[(place[k]-1)*c+int(seed.Class)] = true
	}
	rows.Each(r.F.Rows, r.opt.Threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row, p := r.F.Row(i), place[of[i]]
			for j := range row {
				if p == 0 || !has[(p-1)*c+j] {
					row[j] = 0
				}
			}
		}
	})
}
