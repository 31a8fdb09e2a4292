package csr

import (
	"math"

	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Degrees returns d_i = Σ_j w_ij, the row sums of m, in float64.
func Degrees(m *Matrix, threads int) []float64 {
	d := make([]float64, m.rows)
	rows.Each(m.rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			_, vals := m.Row(i)
			for _, v := range vals {
				d[i] += float64(v)
			}
		}
	})
	return d
}

// NormalizeSym returns S = D^-1/2 W D^-1/2 for a symmetric W with values of at least 0, and D's
// diagonal, the degrees of W. S shares the pattern of W and costs 4 bytes an entry; S is above 0
// where W is. The spectrum of S lies in [-1,1].
//
// An isolated node (d_i = 0) has no entries in W, so its row and column of S are empty.
func NormalizeSym(w *Matrix, threads int) (s *Matrix, degrees []float64) {
	s, degrees, _ = (*Space)(nil).NormalizeSym(w, threads)
	return s, degrees
}

// ScaleSym normalises some rows of a symmetric matrix as [NormalizeSym] does all: row i of w is
// that of node first+i, degrees are those of its columns. It shares the pattern of w.
func ScaleSym(w *Matrix, first int, degrees []float64, threads int) *Matrix {
	data := make([]float32, len(w.data))
	scaleSym(data, w, first, degrees, threads)
	return w.WithData(data)
}

// scaleSym computes the values of ScaleSym.
func scaleSym(data []float32, w *Matrix, first int, degrees []float64, threads int) {
	inv := inverseRoots(degrees)
	rows.Each(w.rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for k := w.indptr[i]; k < w.indptr[i+1]; k++ {
				// The degrees' product first: it commutes, so S is symmetric to the bit.
				data[k] = nonzero(float64(w.data[k]) * (inv[first+i] * inv[w.indices[k]]))
			}
		}
	})
}

// inverseRoots returns d^-1/2, and 0 for d = 0.
func inverseRoots(degrees []float64) []float64 {
	inv := make([]float64, len(degrees))
	for i, d := range degrees {
		if d > 0 {
			inv[i] = 1 / math.Sqrt(d)
		}
	}
	return inv
}
