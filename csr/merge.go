package csr

import (
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Symmetry is the way in which [Symmetrize] makes one weight of w_ij and w_ji.
type Symmetry int

// The ways to symmetrise. An entry that is not stored counts as 0.
const (
	Mean Symmetry = iota // (w_ij + w_ji) / 2, the default: favours mutual edges; above 0 where that is
	Max                  // max(w_ij, w_ji): the union of both directions
	Min                  // min(w_ij, w_ji): only mutual edges stay
)

// Symmetrize returns the symmetric matrix of the square matrix m and its transpose. Values must not
// be negative for Min. Cost: one transpose and two passes; memory: mᵀ and the result beside m. An
// unknown way panics.
func Symmetrize(m *Matrix, how Symmetry, threads int) *Matrix {
	if m.rows != m.cols {
		panic(fmt.Sprintf("csr: Symmetrize of a %d×%d matrix", m.rows, m.cols))
	}
	return SymmetrizeWith(m, Transpose(m, threads), how, threads)
}

// SymmetrizeWith is Symmetrize for some rows of a matrix, given the same rows t of its transpose.
func SymmetrizeWith(m, t *Matrix, how Symmetry, threads int) *Matrix {
	if m.rows != t.rows || m.cols != t.cols {
		panic(fmt.Sprintf("csr: SymmetrizeWith of %d×%d and %d×%d matrices", m.rows, m.cols, t.rows, t.cols))
	}
	switch how {
	case Max:
		return merge(m, t, false, threads, func(a, b float32) float32 { return max(a, b) })
	case Min:
		return merge(m, t, true, threads, func(a, b float32) float32 { return min(a, b) })
	case Mean:
		return merge(m, t, false, threads, mean)
	}
	panic(fmt.Sprintf("csr: unknown symmetry %d", int(how)))
}

// Add returns a + w·b, two matrices of the same shape.
func Add(a *Matrix, w float32, b *Matrix, threads int) *Matrix {
	if a.rows != b.rows || a.cols != b.cols {
		panic(fmt.Sprintf("csr: sum of %d×%d and %d×%d", a.rows, a.cols, b.rows, b.cols))
	}
	return merge(a, b, false, threads, func(x, y float32) float32 { return scaledSum(x, w, y) })
}

// Blend returns the sum of two affinities of the same nodes, 0 ≤ share < 1, in which x has the
// given share of the total weight:
//
//	W + β X,  β = share/(1−share) · Σ w_ij / Σ x_ij.
//
// It returns W itself and β = 0 if X has no weight, X and β = 1 if W has none. The weights of W
// stay the same, up to the largest finite one.
func Blend(w, x *Matrix, share float64, threads int) (sum *Matrix, beta float64) {
	if w.rows != x.rows || w.cols != x.cols || !(share >= 0 && share < 1) {
		panic(fmt.Sprintf("csr: blend of %d×%d and %d×%d with a share of %v", w.rows, w.cols, x.rows, x.cols, share))
	}
	ofW, ofX := w.sum(threads), x.sum(threads)
	switch {
	case ofX == 0 || share == 0:
		return w, 0
	case ofW == 0:
		return x, 1
	}
	beta = share / (1 - share) * ofW / ofX
	return Blended(w, x, beta, threads), beta
}

// Blended returns W + β X, two matrices of the same shape, such as the rows of new nodes in a sum
// that [Blend] made.
func Blended(w, x *Matrix, beta float64, threads int) *Matrix {
	return merge(w, x, false, threads, func(a, b float32) float32 {
		return nonzero(min(float64(a)+float64(beta*float64(b)), math.MaxFloat32))
	})
}

// sum returns the sum of all values.
func (m *Matrix) sum(threads int) (sum float64) {
	for _, d := range Degrees(m, threads) {
		sum += d
	}
	return sum
}

func mean(a, b float32) float32 { return nonzero((float64(a) + float64(b)) / 2) }

// nonzero rounds a weight to float32, and a weight above 0 to no less than the smallest: a weak
// edge stays an edge.
func nonzero(w float64) float32 {
	if rounded := float32(w); rounded != 0 || !(w > 0) {
		return rounded
	}
	return math.SmallestNonzeroFloat32
}

func scaledSum(x, w, y float32) float32 { return x + float32(w*y) }

// merge combines two matrices entry by entry: over the union of their patterns, with 0 for a
// missing entry, or over the intersection.
func merge(a, b *Matrix, both bool, threads int, f func(x, y float32) float32) *Matrix {
	out := &Matrix{rows: a.rows, cols: a.cols, indptr: make([]int64, a.rows+1)}
	rows.Each(a.rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			count := int64(0)
			mergeRowPair(a, b, i, both, func(uint32, float32, float32) { count++ })
			out.indptr[i+1] = count
		}
	})
	for i := range out.rows {
		out.indptr[i+1] += out.indptr[i]
	}
	out.indices = make([]uint32, out.indptr[out.rows])
	out.data = make([]float32, out.indptr[out.rows])
	rows.Each(a.rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			at := out.indptr[i]
			mergeRowPair(a, b, i, both, func(j uint32, x, y float32) {
				out.indices[at], out.data[at] = j, f(x, y)
				at++
			})
		}
	})
	return out
}

func mergeRowPair(a, b *Matrix, i int, both bool, visit func(j uint32, x, y float32)) {
	ac, av := a.Row(i)
	bc, bv := b.Row(i)
	mergeRows(ac, av, bc, bv, both, visit)
}

// EachShared visits the columns that two rows have in common, ascending, with the value of each. Cost: the entries of both.
func EachShared(ac []uint32, av []float32, bc []uint32, bv []float32, visit func(j uint32, x, y float32)) {
	mergeRows(ac, av, bc, bv, true, visit)
}

// mergeRows visits the union of two rows, with 0 for a missing entry, or with both their
// intersection.
func mergeRows(ac []uint32, av []float32, bc []uint32, bv []float32, both bool, visit func(j uint32, x, y float32)) {
	p, q := 0, 0
	for p < len(ac) || q < len(bc) {
		switch {
		case q == len(bc) || p < len(ac) && ac[p] < bc[q]:
			if !both {
				visit(ac[p], av[p], 0)
			}
			p++
		case p == len(ac) || bc[q] < ac[p]:
			if !both {
				visit(bc[q], 0, bv[q])
			}
			q++
		default:
			visit(ac[p], av[p], bv[q])
			p++
			q++
		}
	}
}
