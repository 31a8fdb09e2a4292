package diffuse

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// drawGram returns XXᵀ of m rows of some rank, row-major.
func drawGram(m, rank int, rng *rand.Rand) []float64 {
	x := mat.NewDense(m, rank, nil)
	x.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, x)
	var k mat.Dense
	k.Mul(x, x.T())
	return k.RawMatrix().Data
}

// TestCholeskyAgreesWithSolve: for sizes beside blocks, singular matrices and small λ, with the same bits for any threads. What is above the
// diagonal is not read.
func TestCholeskyAgreesWithSolve(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, m := range []int{0, 1, 2, 31, 32, 33, 100, 300} {
		for _, lambda := range []float64{1e-6, 0.02, 1, 1e6} {
			rank := max(1, m/(1+rng.IntN(4)))
			k := []float64{}
			if m > 0 {
				k = drawGram(m, rank, rng)
			}
			right := [][]float64{make([]float64, m), make([]float64, m)}
			for i := range m {
				right[0][i], right[1][i] = rng.NormFloat64(), float64(i%2)
			}
			var first [][]float64
			for _, threads := range []int{1, 2, 3} {
				lower := slices.Clone(k)
				for i := range m {
					for j := i + 1; j < m; j++ {
						lower[i*m+j] = math.NaN()
					}
				}
				got := [][]float64{slices.Clone(right[0]), slices.Clone(right[1])}
				if err := solveCholesky(t.Context(), lower, m, lambda, got, threads); err != nil {
					t.Fatalf("m = %d, rank %d, lambda %v: %v", m, rank, lambda, err)
				}
				if first == nil {
					first = got
				}
				for j := range got {
					if !slices.Equal(got[j], first[j]) {
						t.Fatalf("m = %d, %d threads: other bits", m, threads)
					}
				}
			}
			if m == 0 {
				continue
			}
			whole := mat.NewDense(m, m, slices.Clone(k))
			for i := range m {
				whole.Set(i, i, whole.At(i, i)+lambda)
			}
			largest := mat.Norm(whole, 1)
			for j, x := range first {
				var want mat.VecDense
				if err := want.SolveVec(whole, mat.NewVecDense(m, right[j])); err != nil && !errors.As(err, new(mat.Condition)) {
					t.Fatal(err)
				}
				// The error of either is a few roundings times the condition.
				allowed := 1e-14 * largest / lambda * mat.Norm(&want, math.Inf(1))
				for i, v := range x {
					if !(math.Abs(v-want.AtVec(i)) <= allowed) {
						t.Fatalf("m = %d, rank %d, lambda %v: x[%d] = %v, expected %v", m, rank, lambda, i, v, want.AtVec(i))
					}
				}
			}
		}
	}
}

// TestCholeskyErrors: a λ below the rounding of a singular K, numbers that are none, and an end of the context.
func TestCholeskyErrors(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	one := func() [][]float64 { return [][]float64{{1, 1}} }
	for name, c := range map[string]struct {
		ctx    context.Context
		k      []float64
		lambda float64
		want   error
	}{
		"no lambda to tell":   {t.Context(), []float64{1e30, 0, 1e30, 1e30}, 1, ErrOptions},
		"not a number":        {t.Context(), []float64{1, 0, math.NaN(), 1}, 1, ErrFeatures},
		"past float64":        {t.Context(), []float64{1, 0, 0, math.Inf(1)}, 1, ErrFeatures},
		"negative":            {t.Context(), []float64{-2, 0, 0, 1}, 1, ErrOptions},
		"the context's end":   {ended, []float64{1, 0, 0, 1}, 1, context.Canceled},
		"nothing of the kind": {t.Context(), []float64{1, 0, 1, 1}, 1, nil},
	} {
		if err := solveCholesky(c.ctx, c.k, 2, c.lambda, one(), 1); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
