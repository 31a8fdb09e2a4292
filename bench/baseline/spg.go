package baseline

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// spgGamma sets the penalty of SPG: at λ_i = max_j ⟨x_j, x_i⟩ the
// combination is empty.
const spgGamma = 20

// SPG returns the sparse probability graph: row i is the non-negative sparse
// combination
//
//	min_{a ≥ 0, a_i = 0}  λ_i Σ_j a_j + ½ ‖x_i − Σ_j a_j x_j‖²,
//
// scaled to sum 1, so that it is a distribution over the other points; then
// W = (A + Aᵀ)/2. λ_i = max_j ⟨x_j, x_i⟩/20, the penalty of the ℓ1 graph.
// Coordinate descent over the points with a coefficient and, in turns, over
// all, until no optimality condition is off by more than 1e-4 λ_i: the exact
// problem, where the authors approximate it over neighbours. O(n²r) for the
// Gram matrix and n for each change of a coefficient, once for a set.
//
// R. He, W.-S. Zheng, B.-G. Hu, X.-W. Kong: Nonnegative Sparse Coding for
// Discriminative Semi-supervised Learning. CVPR 2011.
func SPG(ctx context.Context, p *Problem) (*csr.Matrix, error) {
	return once(p.Data, "SPG", func() (*csr.Matrix, error) {
		if err := checkSize(p.N()); err != nil {
			return nil, err
		}
		g, err := p.gram()
		if err != nil {
			return nil, err
		}
		xx := g.matrix()
		n := p.N()
		a := mat.NewDense(n, n, nil)
		err = rows.Tasks(ctx, n, p.Threads, func(_, i int) error {
			row := a.RawRowView(i)
			nonNegative(row, xx, i, spgPenalty(xx, i))
			sum := 0.0
			for _, v := range row {
				sum += v
			}
			if sum > 0 {
				scale(1/sum, row)
			}
			return nil
		})
		return sparse(a, 0, p.Threads), err
	})
}

func spgPenalty(xx *mat.Dense, i int) float64 {
	most := 0.0
	for j, v := range xx.RawRowView(i) {
		if j != i {
			most = max(most, v)
		}
	}
	return most / spgGamma
}

// nonNegative solves SPG's problem for point i into a, which is 0 at first.
func nonNegative(a []float64, xx *mat.Dense, i int, penalty float64) {
	const (
		tolerance = 1e-4
		sweeps    = 1000
	)
	if penalty <= 0 {
		return // no point has a positive product with it
	}
	// rest_j = ⟨x_j, x_i − Σ_k a_k x_k⟩
	rest := append([]float64(nil), xx.RawRowView(i)...)
	update := func(j int) float64 {
		norm := xx.At(j, j)
		if norm == 0 || j == i {
			return 0
		}
		next := max(a[j]+(rest[j]-penalty)/norm, 0)
		change := next - a[j]
		if change != 0 {
			a[j] = next
			for k, v := range xx.RawRowView(j) {
				rest[k] -= change * v
			}
		}
		return math.Abs(change) * norm
	}
	for range sweeps {
		worst := 0.0
		for j := range a {
			worst = max(worst, update(j))
		}
		if worst <= tolerance*penalty {
			return
		}
		for range sweeps {
			worst = 0
			for j, v := range a {
				if v > 0 {
					worst = max(worst, update(j))
				}
			}
			if worst <= tolerance*penalty/2 {
				break
			}
		}
	}
}
