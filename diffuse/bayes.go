package diffuse

import (
	"context"
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/exact"
)

// Bayes returns the coefficients V, d×c, of complement naive Bayes on counts X of at least 0, n×d: the scores XV of a node are high for
// the classes without which its words would be rare. For C = XᵀP, with the shares P of the nodes in the classes, n×c, and a count a > 0
// that each word has in addition,
//
//	u_wj = −ln((Σ_{l≠j} C_wl + a) / Σ_w (Σ_{l≠j} C_wl + a)),   v_wj = u_wj − mean_l u_wl.
//
// A class is known by all others, so that one with few words has no scores by chance. Nodes with rows of 0 in P do not count. All v are 0
// with one class.
//
// Cost: one product of Xᵀ with c columns, and d·c logarithms. It returns an [ErrOptions] for another a, an [ErrFeatures] where a sum of counts is
// below 0, and ctx.Err().
//
// J. Rennie and others: Tackling the Poor Assumptions of Naive Bayes Text Classifiers, ICML 2003.
func Bayes(ctx context.Context, x *Diffused, p *csr.Dense, a float64) (*csr.Dense, error) {
	if !(a > 0) || math.IsInf(a, 0) {
		return nil, fmt.Errorf("%w: a count of %v in addition, expected a finite number above 0", ErrOptions, a)
	}
	_, d := x.Dims()
	v := csr.NewDense(d, p.Cols)
	if err := x.ApplyT(ctx, v, p); err != nil {
		return nil, err
	}
	all := make([]float64, p.Cols) // Σ_w of the other classes
	for w := range d {
		row, sum := v.Row(w), 0.0
		for j, count := range row {
			if count < 0 {
				return nil, fmt.Errorf("%w: column %d has a sum of %v in class %d, expected counts of at least 0", ErrFeatures, w, count, j)
			}
			sum += float64(count)
		}
		for j, count := range row {
			all[j] += sum - float64(count) + a
		}
	}
	for j, sum := range all {
		all[j] = exact.Log(sum)
	}
	one := make([]float64, p.Cols)
	for w := range d {
		row, sum, mean := v.Row(w), 0.0, 0.0
		for _, count := range row {
			sum += float64(count)
		}
		for j, count := range row {
			one[j] = all[j] - exact.Log(sum-float64(count)+a)
			mean += one[j]
		}
		for j := range row {
			row[j] = float32(one[j] - mean/float64(len(row)))
		}
	}
	return v, nil
}
