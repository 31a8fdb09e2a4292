package diffuse

import (
	"context"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/exact"
)

// Logistic returns the V, d×c, of multinomial logistic regression on the seeds' rows,
// that minimises
//
//	−Σ_i w_i Σ_j y_ij log p_ij + (λ/2)‖V‖²,  p_i = softmax(x̃_iV),
//
// without an intercept. The matrix of second derivatives is at most that of ridge with
// half the weights, so that each step is a ridge with the targets XV + 2(Y − p) and 2λ,
// which never raises the objective: O(m²c) a step, one form of K for all. It ends when
// the scores of the seeds move by less than tolerance of their size, or at 1,000 steps;
// Stats has that ratio for the residual.
//
// D. Böhning, B. Lindsay: Monotonicity of Quadratic-Approximation Algorithms, Annals of
// the Institute of Statistical Mathematics 40, 1988.
func (d *Dual) Logistic(ctx context.Context, lambda, tolerance float64) (*csr.Dense, Stats, error) {
	const steps = 1000
	f, err := d.factor(2 * lambda)
	if err != nil {
		return nil, Stats{}, err
	}
	scores, b := block64(len(d.targets), len(d.Nodes)), block64(len(d.targets), len(d.Nodes))
	var stats Stats
	for stats.Iterations < steps && !stats.Converged {
		if err := ctx.Err(); err != nil {
			return nil, stats, err
		}
		d.workingTargets(b, scores)
		targets := make([][]float64, len(b))
		for j := range b {
			targets[j] = slices.Clone(b[j])
		}
		d.form.reflect(b, true)
		for _, x := range b {
			f.solve(x)
		}
		d.form.reflect(b, false)
		moved, size := 0.0, 0.0
		for j := range b { // √W·XV = K'b = (K'+2λI)b − 2λb
			for i, root := range d.root {
				next := (targets[j][i] - float64(2*lambda*b[j][i])) / root
				moved += square(next - scores[j][i])
				size += square(next)
				scores[j][i] = next
			}
		}
		stats.Iterations++
		stats.Residual = 0
		if size > 0 {
			stats.Residual = math.Sqrt(moved / size)
		}
		stats.Converged = stats.Residual <= tolerance
	}
	v, err := d.primal(ctx, b)
	return v, stats, err
}

func block64(n, m int) [][]float64 {
	b := make([][]float64, n)
	for j := range b {
		b[j] = make([]float64, m)
	}
	return b
}

// workingTargets sets b to √W(XV + 2(Y − p)) for the scores XV, a class after the other.
func (d *Dual) workingTargets(b, scores [][]float64) {
	p := make([]float64, len(scores))
	for i, root := range d.root {
		top, sum := math.Inf(-1), 0.0
		for j := range scores {
			top = max(top, scores[j][i])
		}
		for j := range scores {
			p[j] = exact.Exp(scores[j][i] - top)
			sum += p[j]
		}
		for j := range scores {
			y := d.targets[j][i] + d.Mean[j]
			b[j][i] = root * (scores[j][i] + float64(2*(y-p[j]/sum)))
		}
	}
}
