package diffuse

import (
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Extend returns the m×c classification of m nodes that were not in the graph, by one step of LGC's
// equation F = αSF + (1−α)Y for each, without seeds:
//
//	F_x = α Σ_j S_xj F_j,   S_xj = w_xj / √(D_x D_j),   D_x = Σ_j w_xj,
//
// with the weights w_xj (m×n, at least 0) between new and old nodes, and the old nodes' F (n×c),
// which is not changed. degrees are the D_j of the graph that F was solved on. nil means 1 for all,
// for an F whose rows are shares of 1: F_x is then proportional to their weighted mean. For a D_j
// of 0, an isolated node, w_xj is used: its degree if x were in the graph.
//
// Each new node is labelled as if it were the only one: rows do not depend on each other. A row out
// of the range of float32, at either end, is scaled into it. A node without an edge to one that a
// seed reaches gets a row of 0. An alpha of zero means 0.99; one that is not in (0,1) panics. Sums
// are in float64 in the order of columns: the same bits for any number of threads. Cost: c
// multiply-adds for each entry of w.
func Extend(f *csr.Dense, degrees []float64, w *csr.Matrix, alpha float64, threads int) *csr.Dense {
	m, n := w.Dims()
	if n != f.Rows || degrees != nil && len(degrees) != n {
		panic(fmt.Sprintf("diffuse: weights to %d nodes, F of %d, %d degrees", n, f.Rows, len(degrees)))
	}
	if alpha == 0 {
		alpha = 0.99
	}
	if !(alpha > 0 && alpha < 1) {
		panic(fmt.Sprintf("diffuse: alpha %v, expected between 0 and 1, both excluded", alpha))
	}
	out := csr.NewDense(m, f.Cols)
	if f.Cols == 0 {
		return out
	}
	rows.Each(m, threads, func(lo, hi int) {
		sum := make([]float64, f.Cols)
		for x := lo; x < hi; x++ {
			clear(sum)
			cols, vals := w.Row(x)
			degree := 0.0
			for k, j := range cols {
				v, d := float64(vals[k]), 1.0
				if v == 0 {
					continue
				}
				degree += v
				if degrees != nil {
					if d = degrees[j]; d == 0 {
						d = v
					}
				}
				v /= math.Sqrt(d)
				for class, old := range f.Row(int(j)) {
					sum[class] += float64(v * float64(old))
				}
			}
			if degree > 0 {
				scale := alpha / math.Sqrt(degree)
				switch top := slices.Max(sum) * scale; {
				case top > 0 && top < least:
					scale *= least / top
				case top > most: // of an F that is no solution
					scale *= most / top
				}
				for class, v := range sum {
					out.Set(x, class, float32(scale*v))
				}
			}
		}
	})
	return out
}
