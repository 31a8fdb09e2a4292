package baseline

import (
	"context"
	"fmt"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// inverseC is 1/C for scikit-learn's default C of LogisticRegression.
const inverseC = 1.0

// Logistic is multinomial logistic regression on the features of the l seeds:
//
//	min ½‖Θ‖² + C Σ_l −log softmax(Θᵀx_l + b)_{y_l},  C = 1,
//
// Θ d×c, without a penalty on b. Rows of counts are at unit length, the columns of other
// features standardised. Newton's method, some hundred passes of the entries of the
// seeds' rows times c.
//
// D. R. Cox: The Regression Analysis of Binary Sequences. J. Royal Statistical Society B
// 20, 1958. The form and C are those of LogisticRegression of scikit-learn.
func Logistic(ctx context.Context, p *Problem) ([]int32, error) {
	h, err := p.logistic(ctx)
	if err != nil {
		return nil, err
	}
	return labels(h), nil
}

// logistic returns the probabilities of [Logistic], n×c.
func (p *Problem) logistic(ctx context.Context) (*csr.Dense, error) {
	x, err := p.points()
	if err != nil {
		return nil, err
	}
	return p.softmax(ctx, x, inverseC/float64(len(p.Seeds.List())))
}

// softmax returns the probabilities n×c of the rows of x by the minimum of
//
//	1/l Σ_l −log softmax(Θᵀx_l + b)_{y_l} + γ/2 ‖Θ‖².
func (p *Problem) softmax(ctx context.Context, x *csr.Matrix, decay float64) (*csr.Dense, error) {
	nodes, class := p.samples()
	rows, err := rowsOf(x, nodes)
	if err != nil {
		return nil, err
	}
	targets := make([][]float64, len(class))
	for i, k := range class {
		targets[i] = make([]float64, p.Seeds.Classes)
		targets[i][k] = 1
	}
	fit, err := diffuse.Logistic(ctx, rows, targets, nil, decay)
	if err != nil {
		return nil, err
	}
	if !fit.Converged {
		return nil, fmt.Errorf("logistic regression of %d samples did not converge", len(class))
	}
	n, _ := x.Dims()
	f, shares := csr.NewDense(n, p.Seeds.Classes), make([]float64, p.Seeds.Classes)
	for i := range n {
		cols, vals := x.Row(i)
		fit.Probabilities(shares, cols, vals)
		for k, v := range shares {
			f.Row(i)[k] = float32(v)
		}
	}
	return f, nil
}
