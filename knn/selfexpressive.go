package knn

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
)

// SelfExpressiveScale is the scaling of the coefficients of one point before both directions are
// added.
type SelfExpressiveScale int

// The scales of [SelfExpressive].
const (
	// SelfExpressiveBounded keeps |c|, but divides the coefficients of a point
	// by the largest of them where that is above 1 (default). For points of
	// unit length an exact duplicate has a coefficient just below 1, so only a
	// point that needs opposing large coefficients is changed: an outlier
	// cannot set the degrees of the graph. A point that is represented badly
	// keeps its small weights.
	SelfExpressiveBounded SelfExpressiveScale = iota
	// SelfExpressiveByMax divides each point's coefficients by the largest of
	// them in absolute value (Algorithm 1 of sparse subspace clustering).
	SelfExpressiveByMax
	// SelfExpressiveByNorm divides them by their Euclidean norm (the code of
	// the elastic net's authors).
	SelfExpressiveByNorm
)

// DefaultKeep is the default number of coefficients of a point that [SelfExpressive] keeps.
const DefaultKeep = 50

// SelfExpressiveOptions are the options of [SelfExpressive]; zero values are
// the defaults named with each field.
type SelfExpressiveOptions struct {
	// Gamma > 1 sets λ_i = max_{j≠i} |⟨x_j,x_i⟩| / (Tau·Gamma): at Gamma = 1
	// the combination is empty, larger values fit the point more closely.
	// Default 20.
	Gamma float64
	// Tau in (0,1] divides the penalty between ℓ1 and squared ℓ2; 1 is the
	// lasso. Default 1.
	Tau float64
	// Candidates is the size of the active set: the points most correlated
	// with x_i at first, then its combination and the points that violate
	// optimality most. It changes the time, not the result. Default 31: with the point
	// itself one panel of the kernel.
	Candidates int
	// Rounds is how often optimality over all n points is checked, and the
	// active set renewed where it fails. Each round costs one product of the
	// failing points with all points. Default 20; -1 solves over the first
	// candidates only.
	Rounds int
	// Keep is the largest number of coefficients kept for a point, those of
	// largest absolute value (smaller id first). Default 50; -1 keeps all.
	Keep    int
	Scale   SelfExpressiveScale
	Threads int // zero means GOMAXPROCS
}

// SelfExpressiveReport describes how well the combinations solve their problem.
type SelfExpressiveReport struct {
	// Zero counts rows of zeros, Isolated points (those among them) without
	// any coefficient.
	Zero     int `json:"zero"`
	Isolated int `json:"isolated"`
	// Certified counts points whose optimality was confirmed over all n
	// points; the rest ran out of rounds (or had none).
	Certified int `json:"certified"`
	// Rounds is the largest number of checks that one point needed.
	Rounds int `json:"rounds"`
	// Checks is how many points were checked, over all rounds: the cost of
	// certification is Checks·n·d multiplications.
	Checks int `json:"checks"`
	// Truncated counts points that had more than Keep coefficients.
	Truncated int `json:"truncated"`
	// Support is the mean number of non-zero coefficients before truncation,
	// Residual the mean ‖x_i − Σ_j c_j x_j‖ of the unit-length points.
	Support  float64 `json:"support"`
	Residual float64 `json:"residual"`
}

// SelfExpressive returns the sparse-representation (ℓ1) graph of the n×d
// row-major points x: W = |C| + |C|ᵀ, symmetric, non-negative, without
// diagonal. Row i of C writes the point, scaled to unit length, as a sparse
// combination of the others:
//
//	min_c λ_i τ ‖c‖₁ + λ_i (1−τ)/2 ‖c‖² + ½ ‖x_i − Σ_{j≠i} c_j x_j‖²
//	λ_i = max_{j≠i} |⟨x_j,x_i⟩| / (τγ)
//
// with τ = 1 and γ = 20 unless said otherwise: the problem and the default
// (there α = 20) of sparse subspace clustering [1], with the penalty set a
// point as in [2], Proposition 1. In [1] one λ is set from the least of these
// maxima, so that one outlier sets it for all. The rows of |C| are then
// bounded, see [SelfExpressiveScale].
//
// The lasso is solved over an active set by coordinate descent with exact steps, the products
// of the residual with all points (the oracle point of [2]) are compared with
// λ_i τ, and points that exceed it by more than 0.1 % enter the active set
// until there are none: the optimum over all n points, not over a
// neighbourhood.
//
// A row of zeros, and a point orthogonal to all others, is isolated: products that are
// within the rounding of float32 count as 0. A point
// with exact duplicates is (1−1/γ) times one of them, for the lasso the one with
// the smallest id among its candidates.
//
// Errors: [ErrFeatures] names a value that is not finite; [ErrOptions]; ctx.Err().
//
// Cost: (1 + mean rounds)·n²d multiplications in float32. Memory: 8nd bytes
// for the scaled points, as rows and as the kernel's panels, at most 16·Keep·n for C and Cᵀ and as much for W,
// and per thread 4d·(64 + Candidates) bytes for residuals and candidates
// and at most 4·Candidates² for their Gram matrix.
//
// [1] Elhamifar, Vidal: Sparse Subspace Clustering: Algorithm, Theory, and
// Applications. IEEE TPAMI 35(11), 2013, Eq. (13)–(14).
// [2] You, Li, Robinson, Vidal: Oracle Based Active Set Algorithm for
// Scalable Elastic Net Subspace Clustering. CVPR 2016.
func SelfExpressive(ctx context.Context, x *csr.Dense, opt SelfExpressiveOptions) (*csr.Matrix, *SelfExpressiveReport, error) {
	if err := opt.setDefaults(); err != nil {
		return nil, nil, err
	}
	points, err := newExpressPoints(x, opt.Threads)
	if err != nil {
		return nil, nil, err
	}
	run := &expression{points: points, opt: opt, found: make([]combination, x.Rows), fate: make([]expressFate, x.Rows)}
	if err := run.solve(ctx); err != nil {
		return nil, nil, err
	}
	c := combinationMatrix(run.found, opt.Scale, opt.Threads)
	return csr.Add(c, 1, csr.Transpose(c, opt.Threads), opt.Threads), run.report(), nil
}

func (o *SelfExpressiveOptions) setDefaults() error {
	if o.Gamma == 0 {
		o.Gamma = 20
	}
	if o.Tau == 0 {
		o.Tau = 1
	}
	if o.Candidates == 0 {
		o.Candidates = kernel.Rows - 1
	}
	if o.Rounds == 0 {
		o.Rounds = 20
	}
	if o.Keep == 0 {
		o.Keep = DefaultKeep
	}
	var faults []error
	expect := func(ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, fmt.Errorf("%w: "+format, append([]any{ErrOptions}, args...)...))
		}
	}
	expect(o.Gamma > 1 && !math.IsInf(o.Gamma, 0), "gamma %v, expected more than 1", o.Gamma)
	expect(o.Tau > 0 && o.Tau <= 1, "tau %v, expected above 0 and at most 1", o.Tau)
	expect(o.Candidates > 0, "%d candidates, expected at least 1", o.Candidates)
	expect(o.Rounds >= -1, "%d rounds, expected -1 or more", o.Rounds)
	expect(o.Keep > 0 || o.Keep == -1, "%d coefficients kept, expected at least 1, or -1 for all", o.Keep)
	expect(o.Scale >= SelfExpressiveBounded && o.Scale <= SelfExpressiveByNorm, "scale %d, expected bounded, by max or by norm", o.Scale)
	return errors.Join(faults...)
}
