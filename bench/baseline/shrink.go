package baseline

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// shrinker lowers the singular values of a series of n×n matrices that change
// little, by a threshold: the proximal map of the nuclear norm.
type shrinker struct {
	v *mat.Dense // n×r, the right singular vectors of the last call
	// most bounds r: of more singular values above the threshold only the
	// largest stay.
	most int
}

// whole is the n up to which all singular values are computed.
const whole = 100

func newShrinker(n, most int) *shrinker {
	s := &shrinker{most: min(most, n)}
	if n > whole {
		s.widen(n, 20)
	}
	return s
}

func (s *shrinker) clone() *shrinker {
	c := &shrinker{most: s.most}
	if s.v != nil {
		c.v = mat.DenseCopyOf(s.v)
	}
	return c
}

// widen adds random directions, up to r in all.
func (s *shrinker) widen(n, r int) {
	v := mat.NewDense(n, min(r, s.most), nil)
	randomize(v, 0)
	if s.v != nil {
		_, had := s.v.Dims()
		v.Slice(0, n, 0, min(had, r, s.most)).(*mat.Dense).Copy(s.v)
	}
	s.v = v
}

// randomize sets the columns of v from the given one on.
func randomize(v *mat.Dense, from int) {
	n, r := v.Dims()
	rng := rand.New(rand.NewPCG(uint64(from), uint64(r)))
	for i := range n {
		row := v.RawRowView(i)
		for k := from; k < r; k++ {
			row[k] = rng.NormFloat64()
		}
	}
}

// apply computes dst ← U max(Σ − τ, 0) Vᵀ for M = UΣVᵀ. Above 100 points the
// part of M above τ is found by subspace iteration from the last one, widened
// until its smallest singular value is below τ.
func (s *shrinker) apply(dst, m *mat.Dense, tau float64) {
	n, _ := m.Dims()
	if n <= whole {
		var svd mat.SVD
		if svd.Factorize(m, mat.SVDThin) {
			var u, v mat.Dense
			svd.UTo(&u)
			svd.VTo(&v)
			low(dst, &u, svd.Values(nil), &v, tau)
			return
		}
	}
	for {
		_, r := s.v.Dims()
		left, right := mat.NewDense(n, r, nil), mat.NewDense(n, r, nil)
		mul(left, m, s.v)
		orthogonal(left)
		mul(right, m.T(), left)
		// right·rightᵀ = QᵀM MᵀQ has the squares of the singular values.
		u, sigma := s.turn(right)
		s.v = right
		if sigma[r-1] <= tau || r == s.most {
			mul(left, left, u)
			low(dst, left, sigma, right, tau)
			s.fitWidth(sigma, tau)
			return
		}
		s.widen(n, 2*r)
	}
}

// turn makes the columns of b = MᵀQ the right singular vectors, largest
// first; it returns the rotation of Q and the singular values.
func (s *shrinker) turn(b *mat.Dense) (u *mat.Dense, sigma []float64) {
	_, r := b.Dims()
	values, q, _ := eigen(cross(b))
	u, sigma = mat.NewDense(r, r, nil), make([]float64, r)
	for k := range r {
		sigma[k] = math.Sqrt(max(values[r-1-k], 0))
		u.SetCol(k, q.RawRowView(r-1-k))
	}
	mul(b, b, u)
	n, _ := b.Dims()
	for i := range n {
		row := b.RawRowView(i)
		for k := range row {
			if sigma[k] > 0 {
				row[k] /= sigma[k]
			}
		}
	}
	return u, sigma
}

// fitWidth keeps some more directions than were above the threshold.
func (s *shrinker) fitWidth(sigma []float64, tau float64) {
	above := 0
	for above < len(sigma) && sigma[above] > tau {
		above++
	}
	n, r := s.v.Dims()
	// Directions in which M is 0 would stay 0.
	alive := 0
	for alive < r && sigma[alive] > 1e-12*sigma[0] {
		alive++
	}
	randomize(s.v, alive)
	if want := max(above+10+above/10, 20); want < r {
		s.v = mat.DenseCopyOf(s.v.Slice(0, n, 0, want))
	} else if above+5 > r && r < s.most {
		s.widen(n, want)
	}
}

// low computes dst ← U max(Σ − τ, 0) Vᵀ over the values above τ.
func low(dst, u *mat.Dense, sigma []float64, v *mat.Dense, tau float64) {
	n, _ := u.Dims()
	k := 0
	for k < len(sigma) && sigma[k] > tau {
		k++
	}
	if k == 0 {
		dst.Zero()
		return
	}
	left := mat.DenseCopyOf(u.Slice(0, n, 0, k))
	for i := range n {
		row := left.RawRowView(i)
		for j := range row {
			row[j] *= sigma[j] - tau
		}
	}
	mul(dst, left, v.Slice(0, n, 0, k).T())
}

// orthogonal replaces the columns of y by an orthonormal basis of their span,
// padded with zeros, twice for the digits: by Cholesky's y R^-1 with yᵀy = RᵀR
// where the columns are independent enough, else by y (yᵀy)^-1/2.
func orthogonal(y *mat.Dense) {
	for range 2 {
		inner := cross(y)
		if !byCholesky(y, inner) {
			byEigen(y, inner)
		}
	}
}

func byCholesky(y *mat.Dense, inner *mat.SymDense) bool {
	const worst = 1e10 // condition of yᵀy, of which the second time makes 1
	var factor mat.Cholesky
	if !factor.Factorize(inner) || factor.Cond() > worst {
		return false
	}
	var upper, inverse mat.TriDense
	factor.UTo(&upper)
	if inverse.InverseTri(&upper) != nil {
		return false
	}
	mul(y, y, mat.DenseCopyOf(&inverse))
	return true
}

func byEigen(y *mat.Dense, inner *mat.SymDense) {
	values, q, _ := eigen(inner)
	mul(y, y, q.T())
	n, r := y.Dims()
	for i := range n {
		row := y.RawRowView(i)
		for k := range row {
			if values[k] > 1e-13*values[r-1] {
				row[k] /= math.Sqrt(values[k])
			} else {
				row[k] = 0
			}
		}
	}
}
