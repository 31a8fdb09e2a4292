package baseline

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
)

// ridgePenalty is scikit-learn's default of Ridge.
const ridgePenalty = 1.0

// Ridge is ridge regression of the one-hot classes on the features of the l seeds:
//
//	min Σ_l ‖Y_l − Θᵀx_l − b‖² + λ‖Θ‖²,  λ = 1,
//
// in closed form, without a penalty on b; features as [Logistic] has them. A Cholesky
// factor of min(l,d) rows.
//
// A. Hoerl, R. Kennard: Ridge Regression. Technometrics 12, 1970.
func Ridge(ctx context.Context, p *Problem) ([]int32, error) {
	x, err := p.points()
	if err != nil {
		return nil, err
	}
	return p.ridge(ctx, x)
}

// signHops is the power of S̃ in the last block: as many hops as SGC takes.
const signHops = 2

// SIGN is ridge regression on the features at 0, 1 and 2 hops side by side,
//
//	(X, S̃X, S̃²X) Θ + b,
//
// each block with rows at unit length, so that none outweighs the others. The text puts a
// network on the blocks. The products of X once for a set; a Cholesky factor of min(l,3d)
// rows.
//
// F. Frasca, E. Rossi, D. Eynard, B. Chamberlain, M. Bronstein, F. Monti: SIGN: Scalable
// Inception Graph Neural Networks. ICML 2020 workshop.
func SIGN(ctx context.Context, p *Problem) ([]int32, error) {
	blocks, err := once(p.Data, "blocks", func() ([]*csr.Matrix, error) {
		x, err := p.points()
		if err != nil {
			return nil, err
		}
		blocks := []*csr.Matrix{divideRows(x, euclidean)}
		for range signHops {
			if x, err = p.hop(ctx, x); err != nil {
				return nil, err
			}
			blocks = append(blocks, divideRows(x, euclidean))
		}
		return blocks, nil
	})
	if err != nil {
		return nil, err
	}
	return p.ridge(ctx, blocks...)
}

// ridge labels by ridge regression on blocks side by side, each n×d.
func (p *Problem) ridge(ctx context.Context, blocks ...*csr.Matrix) ([]int32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := p.ridgeScores(blocks...)
	if err != nil {
		return nil, err
	}
	return largest(f.Rows, f.Row), nil
}

// ridgeScores returns (B − b̄)Θ + ȳ of all nodes, n×c, with means and Θ of the seeds.
func (p *Problem) ridgeScores(blocks ...*csr.Matrix) (*csr.Dense, error) {
	nodes, class := p.samples()
	b, err := sideBySide(blocks, nodes)
	if err != nil {
		return nil, err
	}
	y := mat.NewDense(len(nodes), p.Seeds.Classes, nil)
	for i, k := range class {
		y.Set(i, int(k), 1)
	}
	middle, share := centreColumns(b), centreColumns(y)
	theta, err := ridgeOf(b, y, ridgePenalty)
	if err != nil {
		return nil, err
	}
	f := p.timesBlocks(blocks, theta)
	var offset mat.Dense
	offset.Mul(mat.NewDense(1, len(middle), middle), theta)
	for i := range f.Rows {
		for k, v := range f.Row(i) {
			f.Row(i)[k] = float32(float64(v) + share[k] - offset.At(0, k))
		}
	}
	return f, nil
}

// timesBlocks returns the blocks side by side times Θ, n×c.
func (p *Problem) timesBlocks(blocks []*csr.Matrix, theta *mat.Dense) *csr.Dense {
	_, c := theta.Dims()
	f, part, at := csr.NewDense(p.N(), c), csr.NewDense(p.N(), c), 0
	for _, block := range blocks {
		_, d := block.Dims()
		csr.MulDense(part, block, single(theta.Slice(at, at+d, 0, c).(*mat.Dense)), p.Threads)
		for k, v := range part.Data {
			f.Data[k] += v
		}
		at += d
	}
	return f
}

// sideBySide returns the rows of nodes of all blocks, in float64.
func sideBySide(blocks []*csr.Matrix, nodes []uint32) (*mat.Dense, error) {
	width := 0
	for _, block := range blocks {
		_, d := block.Dims()
		width += d
	}
	if err := checkSize(min(len(nodes), width)); err != nil {
		return nil, err
	}
	out := mat.NewDense(len(nodes), width, nil)
	for i, node := range nodes {
		row := out.RawRowView(i)
		for _, block := range blocks {
			cols, vals := block.Row(int(node))
			for k, j := range cols {
				row[j] = float64(vals[k])
			}
			_, d := block.Dims()
			row = row[d:]
		}
	}
	return out, nil
}

// centreColumns subtracts the mean of each column and returns the means.
func centreColumns(m *mat.Dense) []float64 {
	n, d := m.Dims()
	mean := make([]float64, d)
	for i := range n {
		for j, v := range m.RawRowView(i) {
			mean[j] += v
		}
	}
	for j := range mean {
		mean[j] /= float64(n)
	}
	for i := range n {
		row := m.RawRowView(i)
		for j := range row {
			row[j] -= mean[j]
		}
	}
	return mean
}

// ridgeOf returns Θ = (BᵀB + λI)^-1 BᵀY = Bᵀ(BBᵀ + λI)^-1 Y, by the smaller system.
func ridgeOf(b, y *mat.Dense, lambda float64) (*mat.Dense, error) {
	l, width := b.Dims()
	_, c := y.Dims()
	theta := mat.NewDense(width, c, nil)
	if l > width {
		right := mat.NewDense(width, c, nil)
		mul(right, b.T(), y)
		return theta, solve(theta, cross(b), lambda, right)
	}
	dual := mat.NewDense(l, c, nil)
	if err := solve(dual, cross(b.T()), lambda, y); err != nil {
		return nil, err
	}
	mul(theta, b.T(), dual)
	return theta, nil
}

// solve sets dst to (M + λI)^-1 Y.
func solve(dst *mat.Dense, m *mat.SymDense, lambda float64, y *mat.Dense) error {
	n := m.SymmetricDim()
	for i := range n {
		m.SetSym(i, i, m.At(i, i)+lambda)
	}
	var factor mat.Cholesky
	if !factor.Factorize(m) {
		return fmt.Errorf("the ridge system of %d rows is not positive definite", n)
	}
	return factor.SolveTo(dst, y)
}

// single returns m in float32.
func single(m *mat.Dense) *csr.Dense {
	n, c := m.Dims()
	out := csr.NewDense(n, c)
	for i := range n {
		for j, v := range m.RawRowView(i) {
			out.Set(i, j, float32(v))
		}
	}
	return out
}
