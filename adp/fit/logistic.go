package fit

import (
	"context"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/exact"
)

// regressed returns Θ, d×c, and b of the logistic regression of the seeds, with ½‖Θ‖² beside the sum over seeds: on rows of unit
// length of words, else on columns at deviation 1, √d times those of [prepared]. Each class counts as much, whatever the number of
// its seeds, and the class prior is added to b.
//
// Cost: some hundred passes over the rows of the seeds times c.
func (t *trainer) regressed(ctx context.Context) (theta *csr.Dense, bias []float64, err error) {
	nodes, shares, weights := t.y.Shares()
	rows, root, err := t.features.rowsOf(nodes)
	if err != nil {
		return nil, nil, err
	}
	fit, err := diffuse.Logistic(ctx, rows, shares, evened(shares, weights), 1/float64(len(nodes)))
	if err != nil {
		return nil, nil, err
	}
	_, d := rows.Dims()
	theta = csr.NewDense(d, t.y.Classes)
	for k, v := range fit.Theta {
		theta.Data[k] = float32(root * v)
	}
	if t.opt.Prior != nil {
		for j, v := range t.opt.Prior {
			fit.Bias[j] += exact.Log(v)
		}
	}
	return theta, fit.Bias, nil
}

// evened returns the weights with which each class that has some counts as much.
func evened(shares [][]float64, weights []float64) []float64 {
	sums := make([]float64, len(shares[0]))
	for i, w := range weights {
		for j, share := range shares[i] {
			sums[j] += float64(w * share)
		}
	}
	out := make([]float64, len(weights))
	for i, w := range weights {
		for j, share := range shares[i] {
			if share > 0 {
				out[i] += float64(w * share / sums[j])
			}
		}
	}
	return out
}

// rowsOf returns the rows of some nodes as [trainer.regressed] takes them, and what they are multiples of X by.
func (p *prepared) rowsOf(nodes []uint32) (rows *csr.Matrix, root float64, err error) {
	_, d := p.x.Dims()
	root = 1
	if p.standard != nil {
		root = math.Sqrt(float64(d))
	}
	indptr := []int64{0}
	var cols []uint32
	var values []float32
	for _, node := range nodes {
		p.each(int(node), func(j int, v float32) {
			if v != 0 {
				cols, values = append(cols, uint32(j)), append(values, float32(root*float64(v)))
			}
		})
		indptr = append(indptr, int64(len(cols)))
	}
	rows, err = csr.New(len(nodes), d, indptr, cols, values)
	return rows, root, err
}

// each calls take with the entries of a row.
func (p *prepared) each(i int, take func(column int, v float32)) {
	if p.x.Sparse != nil {
		cols, values := p.x.Sparse.Row(i)
		for k, j := range cols {
			take(int(j), values[k])
		}
		return
	}
	for j, v := range p.x.Dense.Row(i) {
		take(j, v)
	}
}

// byLogistic returns the scores Θᵀx + b of the logistic regression; rows of nodes without features are 0.
func (t *trainer) byLogistic(ctx context.Context) (*csr.Dense, error) {
	theta, bias, err := t.regressed(ctx)
	if err != nil {
		return nil, err
	}
	out, err := applied(ctx, t.measured, theta)
	if err != nil {
		return nil, err
	}
	for i := range out.Rows {
		if row := out.Row(i); slices.ContainsFunc(row, func(v float32) bool { return v != 0 }) {
			for j, b := range bias {
				row[j] += float32(b)
			}
		}
	}
	return out, nil
}

// logisticReasons are those of the logistic regression: sums over columns, and b.
func (t *trainer) logisticReasons(ctx context.Context) (reason, error) {
	theta, bias, err := t.regressed(ctx)
	return func(ctx context.Context, why *Why, to *Voice) error {
		to.Prior = bias[why.Label] - bias[why.RunnerUp] // the member knows the node: its row is not 0
		return to.sum(ctx, t.measured, unitAt(t.y.Nodes, why.Node, 1), difference(theta, why), t.dims())
	}, err
}
