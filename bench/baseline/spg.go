package baseline

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
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
// Gram matrix, n for each change of a coefficient among all, and k among the k
// points that have one, once for a set.
//
// R. He, W.-S. Zheng, B.-G. Hu, X.-W. Kong: Nonnegative Sparse Coding for
// Discriminative Semi-supervised Learning. CVPR 2011.
func SPG(ctx context.Context, p *Problem) (*csr.Matrix, error) {
	return probabilities(spgGamma)(ctx, p)
}

func probabilities(gamma float64) learner {
	return func(ctx context.Context, p *Problem) (*csr.Matrix, error) {
		return once(p.Data, fmt.Sprint("SPG ", gamma), func() (*csr.Matrix, error) { return p.probabilities(ctx, gamma) })
	}
}

func (p *Problem) probabilities(ctx context.Context, gamma float64) (*csr.Matrix, error) {
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
		nonNegative(row, xx, i, spgPenalty(xx, i, gamma))
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
}

func spgPenalty(xx *mat.Dense, i int, gamma float64) float64 {
	most := 0.0
	for j, v := range xx.RawRowView(i) {
		if j != i {
			most = max(most, v)
		}
	}
	return most / gamma
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
	d := descent{penalty: penalty}
	// rest_j = ⟨x_j, x_i − Σ_k a_k x_k⟩
	rest := slices.Clone(xx.RawRowView(i))
	for range sweeps {
		worst := 0.0
		for j := range a {
			if j == i {
				continue
			}
			next, off := d.best(a[j], rest[j], xx.At(j, j))
			if change := next - a[j]; change != 0 {
				a[j] = next
				floats.AddScaled(rest, -change, xx.RawRowView(j))
			}
			worst = max(worst, off)
		}
		if worst <= tolerance*penalty {
			return
		}
		d.gather(a, rest, xx)
		for range sweeps {
			if d.sweep() <= tolerance*penalty/2 {
				break
			}
		}
		for k, j := range d.points {
			if change := d.a[k] - a[j]; change != 0 {
				a[j] = d.a[k]
				floats.AddScaled(rest, -change, xx.RawRowView(j))
			}
		}
	}
}

// descent is the problem among the points that have a coefficient: most of the
// steps are made there, where one takes as many operations as there are such
// points, not n.
type descent struct {
	penalty float64
	points  []int
	a, rest []float64
	xx      []float64 // of the points
}

// best returns the best coefficient when all others stay, and by how much the
// optimality condition was off.
func (d *descent) best(a, rest, norm float64) (next, off float64) {
	if norm == 0 {
		return a, 0
	}
	next = max(a+(rest-d.penalty)/norm, 0)
	return next, math.Abs(next-a) * norm
}

func (d *descent) gather(a, rest []float64, xx *mat.Dense) {
	d.points, d.a, d.rest, d.xx = d.points[:0], d.a[:0], d.rest[:0], d.xx[:0]
	for j, v := range a {
		if v > 0 {
			d.points, d.a, d.rest = append(d.points, j), append(d.a, v), append(d.rest, rest[j])
		}
	}
	for _, j := range d.points {
		row := xx.RawRowView(j)
		for _, k := range d.points {
			d.xx = append(d.xx, row[k])
		}
	}
}

// sweep changes each coefficient once and returns by how much the worst was off.
func (d *descent) sweep() float64 {
	worst, n := 0.0, len(d.points)
	for k := range n {
		row := d.xx[k*n : (k+1)*n]
		next, off := d.best(d.a[k], d.rest[k], row[k])
		if change := next - d.a[k]; change != 0 {
			d.a[k] = next
			for m, v := range row {
				d.rest[m] -= change * v
			}
		}
		worst = max(worst, off)
	}
	return worst
}
