package baseline

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Alpha is the paper's α, of every diffusion that has one.
const Alpha = 0.99

// labels returns the class of the largest entry of each row of F, the smaller
// of equal ones, -1 for a row without any above 0.
func labels(f *csr.Dense) []int32 {
	y := make([]int32, f.Rows)
	for i := range y {
		y[i] = diffuse.TopOf(f.Row(i)).Class
	}
	return y
}

// largest is labels for scores of any sign, n rows.
func largest[T float32 | float64](n int, row func(i int) []T) []int32 {
	y := make([]int32, n)
	for i := range y {
		row := row(i)
		for j, v := range row {
			if v > row[y[i]] {
				y[i] = int32(j)
			}
		}
	}
	return y
}

// largestAbove is labels for a float64 F.
func largestAbove(f *mat.Dense) []int32 {
	n, _ := f.Dims()
	y := largest(n, f.RawRowView)
	for i := range y {
		if f.At(i, int(y[i])) <= 0 {
			y[i] = -1
		}
	}
	return y
}

// options are those of the paper: α = 0.99, Y as it is.
func (p *Problem) options() diffuse.Options {
	return diffuse.Options{Alpha: Alpha, Balance: diffuse.Unbalanced, Threads: p.Threads}
}

// oneHot returns Y, n×c.
func (p *Problem) oneHot() *mat.Dense {
	y := mat.NewDense(p.Seeds.Nodes, p.Seeds.Classes, nil)
	for _, s := range p.Seeds.List() {
		y.Set(int(s.Node), int(s.Class), float64(s.Weight))
	}
	return y
}

// lgcOn labels by LGC on a learned affinity, as the paper does.
func (p *Problem) lgcOn(ctx context.Context, a *csr.Matrix) ([]int32, error) {
	f, _, err := diffuse.LGC(ctx, diffuse.Normalize(a, p.Threads), p.Seeds, p.options())
	if err != nil {
		return nil, err
	}
	return labels(f), nil
}

// gfhfOn labels by GFHF on a learned affinity, as Fang et al. do.
func (p *Problem) gfhfOn(ctx context.Context, a *csr.Matrix) ([]int32, error) {
	f, _, err := diffuse.Harmonic(ctx, diffuse.Normalize(a, p.Threads), p.Seeds, p.options())
	if err != nil {
		return nil, err
	}
	return labels(f), nil
}

// sparse returns the mean of A and Aᵀ as an affinity: entries of at most 0
// and the diagonal are dropped, and only the k largest of a row are kept
// before the mean is taken (all for k = 0).
func sparse(a *mat.Dense, k, threads int) *csr.Matrix {
	n, _ := a.Dims()
	if k == 0 {
		k = n
	}
	buffer := csr.NewRowBuffer(n, n, k)
	top := csr.NewTopK(k)
	for i := range n {
		top.Reset()
		for j, v := range a.RawRowView(i) {
			if v := float32(v); v > 0 && i != j {
				top.Offer(uint32(j), v)
			}
		}
		cols, vals := top.Entries()
		buffer.Set(i, cols, vals)
	}
	return csr.Symmetrize(buffer.Matrix(threads), csr.Mean, threads)
}

// dense returns m in float64.
func dense(m *csr.Matrix) *mat.Dense {
	n, c := m.Dims()
	d := mat.NewDense(n, c, nil)
	for i := range n {
		cols, vals := m.Row(i)
		row := d.RawRowView(i)
		for k, j := range cols {
			row[j] = float64(vals[k])
		}
	}
	return d
}

// mulSparse computes dst ← M X for a sparse M and dense X.
func mulSparse(dst *mat.Dense, m *csr.Matrix, x *mat.Dense) {
	n, _ := m.Dims()
	for i := range n {
		row := dst.RawRowView(i)
		clear(row)
		cols, vals := m.Row(i)
		for k, j := range cols {
			w := float64(vals[k])
			for c, v := range x.RawRowView(int(j)) {
				row[c] += w * v
			}
		}
	}
}
