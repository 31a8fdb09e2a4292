package baseline

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
)

// ErrSize is wrapped by the refusal to make n×n matrices of more than
// adp.MaxDense points.
var ErrSize = errors.New("baseline: too many points for dense matrices")

func checkSize(n int) error {
	if n > adp.MaxDense {
		return fmt.Errorf("%w: %d, at most %d", ErrSize, n, adp.MaxDense)
	}
	return nil
}

func errNotPositive(n int) error {
	return fmt.Errorf("the matrix of %d points is not positive definite", n)
}

// inverse returns (1−α)(I − αM)^-1 for a symmetric M with spectrum in [−1,1].
// Cholesky, n³ multiply-adds.
func inverse(m mat.Matrix, alpha float64) (*mat.SymDense, error) {
	n, _ := m.Dims()
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			v := -alpha * (m.At(i, j) + m.At(j, i)) / 2
			if i == j {
				v++
			}
			sym.SetSym(i, j, v)
		}
	}
	var factor mat.Cholesky
	if !factor.Factorize(sym) {
		return nil, errNotPositive(n)
	}
	if err := factor.InverseTo(sym); err != nil {
		return nil, err
	}
	sym.ScaleSym(1-alpha, sym)
	return sym, nil
}

// lgcKernel returns P = (1−α)(I − αS)^-1, made once for each α.
func (d *Data) lgcKernel(alpha float64) (*mat.SymDense, error) {
	return once(d, fmt.Sprint("P", alpha), func() (*mat.SymDense, error) {
		if err := checkSize(d.N()); err != nil {
			return nil, err
		}
		return inverse(dense(d.normalized().S), alpha)
	})
}

// spectrum is S = Qᵀ diag(λ) Q.
type spectrum struct {
	q      *mat.Dense
	lambda []float64
}

// spectrum returns the eigenvalues and vectors of S, made once. About 6n³.
func (d *Data) spectrum() (*spectrum, error) {
	return once(d, "spectrum", func() (*spectrum, error) {
		if err := checkSize(d.N()); err != nil {
			return nil, err
		}
		return newSpectrum(d.normalized().S)
	})
}

func newSpectrum(s *csr.Matrix) (*spectrum, error) {
	n, _ := s.Dims()
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		cols, vals := s.Row(i)
		for k, j := range cols {
			if int(j) >= i {
				sym.SetSym(i, int(j), float64(vals[k]))
			}
		}
	}
	lambda, q, ok := eigen(sym)
	if !ok {
		return nil, fmt.Errorf("eigenvalues of S of %d points did not converge", n)
	}
	return &spectrum{q, lambda}, nil
}

// tensor returns Σ_{i≥0} α^i S^i M S^i for a symmetric M given as QMQᵀ, which
// it overwrites: the solution X of X = αSXS + M. In the eigenbasis the tensor
// product is diagonal: entry (i,j) is divided by 1 − αλ_iλ_j. 2n³.
func (s *spectrum) tensor(core *mat.Dense, alpha float64) *mat.Dense {
	n := len(s.lambda)
	for i := range n {
		row := core.RawRowView(i)
		for j := range row {
			row[j] /= 1 - alpha*s.lambda[i]*s.lambda[j]
		}
	}
	half, out := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	mul(half, s.q.T(), core)
	mul(out, half, s.q)
	return out
}
