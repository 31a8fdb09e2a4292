package diffuse

import (
	"context"
	"fmt"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

const (
	// mostCombined is the largest number of classes whose columns are combined. Combining costs as
	// many products of a block with a vector.
	mostCombined = 128
	// combineStrips is the fixed number of parts of a sum over rows, for any number of threads.
	combineStrips = 64
)

// Combine makes f, the F of other seeds or of a similar graph, a better start for [Workspace.LGC]:
// the combination of its columns nearest to the solution,
//
//	F ← F C,   (Fᵀ M F) C = Fᵀ B,   M = I − αS,   B = (1−α) Ỹ,
//
// in the norm ‖X‖² = Σ_j x_j·M x_j that conjugate gradients minimise. The result is at least as
// near to the solution as 0, and as f with its columns scaled in any way. New seeds, another balance and a new
// class are all combinations, as far as the old classes tell. With the old seeds f stays the same,
// but for rounding. Columns that depend on others, and zero ones, are not used. With more than 128
// classes it does nothing.
//
// Cost: one product of S with an n×c block, and n·c² multiply-adds twice.
func (w *Workspace) Combine(f *csr.Dense, s Operator, degrees []float64, y *Seeds, opt Options) error {
	opt, err := opt.WithDefaults(y.Classes)
	if err != nil {
		return err
	}
	if s.Dim() != y.Nodes || f.Rows != y.Nodes || f.Cols != y.Classes {
		panic(fmt.Sprintf("diffuse: %d nodes, seeds for %d, F %d×%d", s.Dim(), y.Nodes, f.Rows, f.Cols))
	}
	w.checkWhole()
	c := y.Classes
	if c > mostCombined {
		return nil
	}
	s.Apply(w.q, f)
	axpby(w.q, -opt.Alpha, f, 1, w.threads)
	gram := w.products(f, w.q)
	right := make([]float64, c*c)
	scale := scaleOn(s, degrees, y, opt, w.partition)
	for k, seed := range y.list {
		v := seed.scaled((1 - opt.Alpha) * scale[k])
		for a, u := range f.Row(int(seed.Node)) {
			right[a*c+int(seed.Class)] += float64(v * float64(u))
		}
	}
	solveSemidefinite(gram, right, c)
	rows.Each(f.Rows, w.threads, func(lo, hi int) {
		sum := make([]float64, c)
		for i := lo; i < hi; i++ {
			row := f.Row(i)
			clear(sum)
			for a, u := range row {
				if u != 0 {
					for j, v := range right[a*c : (a+1)*c] {
						sum[j] += float64(float64(u) * v)
					}
				}
			}
			for j, v := range sum {
				row[j] = float32(v)
			}
		}
	})
	return nil
}

// products returns XᵀY, c×c, in float64.
func (w *Workspace) products(x, y *csr.Dense) []float64 {
	n, c := x.Rows, x.Cols
	partial := make([][]float64, combineStrips)
	err := rows.Tasks(context.Background(), combineStrips, w.threads, func(_, k int) error {
		sum := make([]float64, c*c)
		for i := k * n / combineStrips; i < (k+1)*n/combineStrips; i++ {
			other := y.Row(i)
			for a, u := range x.Row(i) {
				if u != 0 {
					to := sum[a*c:][:len(other)]
					for b, v := range other {
						to[b] += float64(u) * float64(v)
					}
				}
			}
		}
		partial[k] = sum
		return nil
	})
	if err != nil {
		panic(err) // a rows.Fault
	}
	total := make([]float64, c*c)
	for _, sum := range partial {
		for k, v := range sum {
			total[k] += v
		}
	}
	return total
}

// solveSemidefinite solves G X = R for symmetric positive semidefinite G and c×c R, by Cholesky
// factors, into R. Rows of X that depend on earlier ones, to nine digits, are 0. It overwrites G.
func solveSemidefinite(g, r []float64, c int) {
	const dependent = 1e-9
	used := make([]bool, c)
	for a := range c { // G = L D Lᵀ, row by row; D on the diagonal
		diagonal := g[a*c+a]
		for b := range a {
			if !used[b] {
				g[a*c+b] = 0
				continue
			}
			v := g[a*c+b]
			for k := range b {
				v -= float64(g[a*c+k] * g[b*c+k] * g[k*c+k])
			}
			g[a*c+b] = v / g[b*c+b]
		}
		v := diagonal
		for k := range a {
			v -= float64(g[a*c+k] * g[a*c+k] * g[k*c+k])
		}
		used[a] = v > dependent*diagonal
		g[a*c+a] = v
		if !used[a] {
			g[a*c+a] = 0
		}
	}
	for j := range c { // L D Lᵀ x = r, column by column
		for a := range c {
			for k := range a {
				r[a*c+j] -= float64(g[a*c+k] * r[k*c+j])
			}
		}
		for a := c - 1; a >= 0; a-- {
			if !used[a] {
				r[a*c+j] = 0
				continue
			}
			r[a*c+j] /= g[a*c+a]
			for k := a + 1; k < c; k++ {
				r[a*c+j] -= float64(g[k*c+a] * r[k*c+j])
			}
		}
	}
}
