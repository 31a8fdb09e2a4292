package knn

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// LLESign is the way in which reconstruction weights become non-negative, as weights of a graph
// must be.
type LLESign int

// The ways of [LLE].
const (
	// LLENonNegative solves with w ≥ 0 as a constraint, as linear neighbourhood propagation does
	// (default): a point is a mean of neighbours around it, and a neighbour behind another gets
	// nothing.
	LLENonNegative LLESign = iota
	// LLEAbsolute solves without the constraint, as Roweis and Saul do, and
	// takes |w|.
	LLEAbsolute
)

// LLEOptions are the options of [LLE]; zero values are the defaults.
type LLEOptions struct {
	Sign LLESign
	// Regularization r > 0 adds r·trace(G) to the diagonal of the local Gram
	// matrix. Default 1e-3, the value of Roweis and Saul.
	Regularization float64
	// Symmetry makes one weight of w_ij and w_ji; default the mean.
	Symmetry csr.Symmetry
	Threads  int // zero means GOMAXPROCS
}

// LLE returns the graph of the locally linear embedding weights of the n×d
// row-major points x over their neighbours nb: row i of w minimises
//
//	‖x_i − Σ_k w_ik x_{n_k}‖²  with  Σ_k w_ik = 1  (and w_ik ≥ 0)
//
// through the local Gram matrix G_kl = ⟨x_i−x_{n_k}, x_i−x_{n_l}⟩ with
// r·trace(G) added to its diagonal [1, and the regulariser of the authors'
// notes]. The sign constraint, without which weights of both signs would have
// to be clipped, follows [2], Eq. (5). The rows are then symmetrised. Weights
// do not change when the points are moved, rotated or scaled together.
//
// Where all neighbours are duplicates of the point (G = 0), each weighs 1/K.
//
// Errors name the point: [ErrFeatures] for a value of x that is not finite,
// [ErrNeighbors] for a neighbour that is not below n, the point itself or given twice,
// [ErrOptions] for a regularization too small for the rounding of G; ctx.Err().
// Disagreeing shapes panic.
//
// Cost: O(K²d + K³) a point without the constraint; with it, that for each of
// the few changes of the support. Memory: 8·K·n bytes for the rows, as much
// twice for the result, 8·(K·d + 2K²) a thread.
//
// [1] Roweis, Saul: Nonlinear Dimensionality Reduction by Locally Linear
// Embedding. Science 290, 2000.
// [2] Wang, Zhang: Label Propagation through Linear Neighborhoods. IEEE TKDE
// 20(1), 2008.
func LLE(ctx context.Context, x *csr.Dense, nb *Neighbors, opt LLEOptions) (*csr.Matrix, error) {
	if nb.N != x.Rows || len(nb.IDs) != nb.N*nb.K {
		panic(fmt.Sprintf("knn: %d×%d neighbours in %d ids for %d points", nb.N, nb.K, len(nb.IDs), x.Rows))
	}
	if opt.Regularization == 0 {
		opt.Regularization = 1e-3
	}
	if !(opt.Regularization > 0) || math.IsInf(opt.Regularization, 0) {
		return nil, fmt.Errorf("%w: regularization %v, expected a number above 0", ErrOptions, opt.Regularization)
	}
	if opt.Sign != LLENonNegative && opt.Sign != LLEAbsolute {
		return nil, fmt.Errorf("%w: sign %d, expected non-negative or absolute", ErrOptions, opt.Sign)
	}
	if opt.Symmetry < csr.Mean || opt.Symmetry > csr.Min {
		return nil, fmt.Errorf("%w: symmetry %d", ErrOptions, opt.Symmetry)
	}
	if _, err := largestOf(x, opt.Threads); err != nil {
		return nil, err
	}
	if err := checkWhole(nb); err != nil {
		return nil, err
	}
	buffer, singular := csr.NewRowBuffer(nb.N, nb.N, nb.K), make([]bool, nb.N)
	err := rows.Do(ctx, nb.N, opt.Threads, func(_, lo, hi int) error {
		local := newLLESolver(nb.K, x.Cols)
		for i := lo; i < hi; i++ {
			ids := nb.IDs[i*nb.K : (i+1)*nb.K]
			local.gram(x, i, ids, opt.Regularization)
			if opt.Sign == LLEAbsolute {
				local.free()
			} else {
				local.nonNegative()
			}
			singular[i] = !local.store(buffer, i, ids)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if i := slices.Index(singular, true); i >= 0 {
		return nil, fmt.Errorf("%w: point %d: its neighbours are not independent to a regularization of %g, expected more", ErrOptions, i, opt.Regularization)
	}
	return csr.Symmetrize(buffer.Matrix(opt.Threads), opt.Symmetry, opt.Threads), nil
}

// checkWhole names the first point that does not have K neighbours, each another one.
func checkWhole(nb *Neighbors) error {
	for i := range nb.N {
		seen := nb.IDs[i*nb.K : (i+1)*nb.K]
		for k, id := range seen {
			switch {
			case int64(id) >= int64(nb.N):
				return fmt.Errorf("%w: point %d has neighbour %d, expected below %d", ErrNeighbors, i, id, nb.N)
			case int(id) == i:
				return fmt.Errorf("%w: point %d is its own neighbour", ErrNeighbors, i)
			}
			for _, before := range seen[:k] {
				if before == id {
					return fmt.Errorf("%w: point %d has neighbour %d twice", ErrNeighbors, i, id)
				}
			}
		}
	}
	return nil
}
