package baseline

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Poisson is Poisson learning: the solution U, n×c, of
//
//	L U = Σ_l δ_l (Y_l − ȳ),  Σ_i D_ii U_i = 0,  L = D − W,
//
// with ȳ the mean of the labels: sources and sinks at the labelled points
// instead of boundary values, which keeps its meaning with few labels. It is
// the minimum of ½ Σ_ij W_ij ‖U_i − U_j‖²/2 − Σ_l ⟨Y_l − ȳ, U_l⟩. The label
// is the largest of U_ij / ȳ_j (equal class priors), by [diffuse.Poisson].
// Conjugate gradients, O(nnz·c) an iteration.
//
// J. Calder, B. Cook, M. Thorpe, D. Slepčev: Poisson Learning: Graph Based
// Semi-Supervised Learning At Very Low Label Rates. ICML 2020.
func Poisson(ctx context.Context, p *Problem) ([]int32, error) {
	f, _, err := diffuse.Poisson(ctx, p.normalized(), p.Seeds, diffuse.Options{Tolerance: 1e-7, Threads: p.Threads})
	if err != nil {
		return nil, err
	}
	return labels(f), ctx.Err() // where no component has two classes nothing is solved
}

// laplacian computes dst ← (D − W) X.
func laplacian(dst *mat.Dense, w *csr.Matrix, degrees []float64, x *mat.Dense) {
	mulSparse(dst, w, x)
	for i, d := range degrees {
		row, xrow := dst.RawRowView(i), x.RawRowView(i)
		for j := range row {
			row[j] = d*xrow[j] - row[j]
		}
	}
}
