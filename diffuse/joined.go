package diffuse

import (
	"context"
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Joined are several maps of the same nodes side by side, (X̃_1 … X̃_b), n×Σd: hops of
// features as blocks of their own. V has the rows of the first map first.
type Joined []*Diffused

// Dims returns n and Σd.
func (j Joined) Dims() (n, d int) {
	for k, x := range j {
		rows, cols := x.Dims()
		if k > 0 && rows != n {
			panic(fmt.Sprintf("diffuse: features of %d and %d nodes side by side", n, rows))
		}
		n, d = rows, d+cols
	}
	return n, d
}

// part returns the rows of v that are of map k.
func (j Joined) part(v *csr.Dense, k int) *csr.Dense {
	lo := 0
	for _, x := range j[:k] {
		_, cols := x.Dims()
		lo += cols
	}
	_, cols := j[k].Dims()
	return &csr.Dense{Rows: cols, Cols: v.Cols, Data: v.Data[lo*v.Cols : (lo+cols)*v.Cols]}
}

// pass hands what map k took for its products to the next one: the blocks, and Xᵀ of the same X.
func (j Joined) pass(k int) {
	x, next := j[k], j[(k+1)%len(j)]
	if x == next {
		return
	}
	next.blocks, x.blocks = x.blocks, [3][]float32{}
	if x.x.Sparse == next.x.Sparse {
		next.across = x.across
	}
}

func (j Joined) letGo() {
	for _, x := range j {
		x.letGo()
	}
}

// Apply computes dst ← Σ X̃_kV_k; an n×c block beside those of the maps.
func (j Joined) Apply(ctx context.Context, dst, v *csr.Dense) error {
	part := dst
	for k, x := range j {
		if k == 1 {
			part = csr.NewDense(dst.Rows, dst.Cols)
		}
		if err := x.Apply(ctx, part, j.part(v, k)); err != nil {
			return err
		}
		j.pass(k)
		if k > 0 {
			rows.Each(len(dst.Data), x.threads, func(lo, hi int) {
				for at := lo; at < hi; at++ {
					dst.Data[at] += part.Data[at]
				}
			})
		}
	}
	return nil
}

// ApplyT computes the rows of dst ← X̃_kᵀR of each map.
func (j Joined) ApplyT(ctx context.Context, dst, r *csr.Dense) error {
	for k, x := range j {
		if err := x.ApplyT(ctx, j.part(dst, k), r); err != nil {
			return err
		}
		j.pass(k)
	}
	return nil
}

// Gram returns Σ X̃_k,L X̃_k,Lᵀ.
func (j Joined) Gram(ctx context.Context, nodes []uint32) ([]float64, error) {
	sum := make([]float64, len(nodes)*len(nodes))
	for k, x := range j {
		gram, err := x.Gram(ctx, nodes)
		if err != nil {
			return nil, err
		}
		j.pass(k)
		for at, v := range gram {
			sum[at] += v
		}
	}
	return sum, nil
}

// Parts returns the terms of Σ rᵀX̃_kv_k, as [Diffused.Parts] does: by columns those of the first map first,
// by nodes the sums over the maps.
func (j Joined) Parts(ctx context.Context, r, v *csr.Dense) (columns, nodes []float64, err error) {
	nodes = make([]float64, r.Rows)
	for k, x := range j {
		some, own, err := x.Parts(ctx, r, j.part(v, k))
		if err != nil {
			return nil, nil, err
		}
		j.pass(k)
		columns = append(columns, some...)
		for l, amount := range own {
			nodes[l] += amount
		}
	}
	return columns, nodes, nil
}

// exponent is the largest of those of the maps.
func (j Joined) exponent() int {
	most := math.MinInt
	for _, x := range j {
		most = max(most, x.exponent())
	}
	return most
}

func (j Joined) workers() int { return j[0].threads }
