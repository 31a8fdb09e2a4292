package baseline

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/internal/kernel"
)

// eigen returns the eigenvalues of a symmetric matrix, ascending, and their
// vectors as the rows of an orthogonal one: M = Rᵀ diag(λ) R. False where the
// iteration does not converge.
//
// Householder's tridiagonal form by gonum, then implicit QL with Wilkinson's
// shift (EISPACK's tql2). As vectors are rows, a rotation of two of them goes
// along memory; gonum's, of columns, takes ten times as long from some hundred
// rows on. About 3n³ multiply-adds for the form and 3n³ for the rotations.
func eigen(m *mat.SymDense) (values []float64, vectors *mat.Dense, ok bool) {
	n := m.SymmetricDim()
	full := mat.DenseCopyOf(m)
	a := full.RawMatrix()
	values, off, tau := make([]float64, n), make([]float64, n), make([]float64, n)
	if n > 1 {
		lapack, work := gonum.Implementation{}, make([]float64, 64*n)
		lapack.Dsytrd(blas.Upper, n, a.Data, a.Stride, values, off[:n-1], tau[:n-1], work, len(work))
		lapack.Dorgtr(blas.Upper, n, a.Data, a.Stride, tau[:n-1], work, len(work))
	} else {
		values[0], a.Data[0] = a.Data[0], 1
	}
	vectors = mat.DenseCopyOf(full.T())
	if !implicitQL(values, off, vectors) {
		return nil, nil, false
	}
	ascending(values, vectors)
	return values, vectors, true
}

// implicitQL turns the tridiagonal matrix of diagonal d and off-diagonal e,
// e_i beside d_i and d_{i+1}, to its eigenvalues d, and rotates rows with it.
func implicitQL(d, e []float64, vectors *mat.Dense) bool {
	const most = 60 // rounds for one value; 2 to 3 are usual
	n := len(d)
	for l := range n {
		for round := 0; ; round++ {
			m := l
			for m < n-1 && math.Abs(e[m]) > 0x1p-52*(math.Abs(d[m])+math.Abs(d[m+1])) {
				m++
			}
			if m == l {
				break
			}
			if round == most {
				return false
			}
			sweep(d, e, l, m, vectors)
		}
	}
	return true
}

// sweep makes one QL step on the block l to m.
func sweep(d, e []float64, l, m int, vectors *mat.Dense) {
	g := (d[l+1] - d[l]) / (2 * e[l])
	g = d[m] - d[l] + e[l]/(g+math.Copysign(math.Hypot(g, 1), g))
	s, c, p := 1.0, 1.0, 0.0
	for i := m - 1; i >= l; i-- {
		f, b := s*e[i], c*e[i]
		r := math.Hypot(f, g)
		e[i+1] = r
		if r == 0 { // the block falls into two
			d[i+1] -= p
			e[m] = 0
			return
		}
		s, c = f/r, g/r
		g = d[i+1] - p
		r = (d[i]-g)*s + 2*c*b
		p = s * r
		d[i+1] = g + p
		g = c*r - b
		kernel.Rotate(vectors.RawRowView(i), vectors.RawRowView(i+1), c, s)
	}
	d[l] -= p
	e[l], e[m] = g, 0
}

// ascending sorts the values and their rows.
func ascending(values []float64, vectors *mat.Dense) {
	n := len(values)
	row := make([]float64, n)
	for i := range n {
		least := i
		for j := i + 1; j < n; j++ {
			if values[j] < values[least] {
				least = j
			}
		}
		if least == i {
			continue
		}
		values[i], values[least] = values[least], values[i]
		copy(row, vectors.RawRowView(i))
		copy(vectors.RawRowView(i), vectors.RawRowView(least))
		copy(vectors.RawRowView(least), row)
	}
}
