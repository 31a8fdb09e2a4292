package knn

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
)

// ErrSelfExpressive is wrapped by every error of [SelfExpressive] about its
// data or options.
var ErrSelfExpressive = errors.New("knn: self-expressive graph")

// SelfExpressiveMethod says how each point is written as a sparse combination
// of the others.
type SelfExpressiveMethod int

// The methods of [SelfExpressive].
const (
	// SelfExpressiveLasso minimises the lasso, or with Tau < 1 the elastic
	// net, by an active set that grows until the optimality conditions hold
	// over all points (default).
	SelfExpressiveLasso SelfExpressiveMethod = iota
	// SelfExpressiveOMP picks Keep points one after the other by orthogonal
	// matching pursuit: no λ, and one pass over all points a pick.
	SelfExpressiveOMP
)

// SelfExpressiveScale says how the coefficients of one point are scaled
// before both directions are added.
type SelfExpressiveScale int

// The scales of [SelfExpressive].
const (
	// SelfExpressiveByMax divides each point's coefficients by the largest of
	// them in absolute value, as sparse subspace clustering does (default).
	// Every point then speaks with the same voice: neither an outlier whose
	// combination needs huge coefficients nor one with tiny ones sets the
	// degrees of the graph.
	SelfExpressiveByMax SelfExpressiveScale = iota
	// SelfExpressiveByNorm divides by their Euclidean norm (EnSC's code).
	SelfExpressiveByNorm
	// SelfExpressiveRaw keeps |c| as it is.
	SelfExpressiveRaw
)

// SelfExpressiveOptions are the options of [SelfExpressive]; zero values are
// the defaults named with each field.
type SelfExpressiveOptions struct {
	Method SelfExpressiveMethod
	// Gamma > 1 sets λ_i = max_{j≠i} |⟨x_j,x_i⟩| / (Tau·Gamma): at Gamma = 1
	// the combination is empty, larger values fit the point more closely.
	// Default 50.
	Gamma float64
	// Tau in (0,1] divides the penalty between ℓ1 and squared ℓ2; 1 is the
	// lasso. Default 1.
	Tau float64
	// Candidates is the size of the active set: the points most correlated
	// with x_i at first, then its combination and the points that violate
	// optimality most. It changes the time, not the result. Default 100.
	Candidates int
	// Rounds is how often optimality over all n points is checked, and the
	// active set renewed where it fails. Each round costs one product of the
	// failing points with all points. Default 20; -1 solves over the first
	// candidates only.
	Rounds int
	// Keep is the largest number of coefficients kept for a point, those of
	// largest absolute value (smaller id first). Default 50, for OMP 10; -1
	// keeps all, for the lasso only.
	Keep    int
	Scale   SelfExpressiveScale
	Threads int // zero means GOMAXPROCS
}

// SelfExpressiveReport says how well the combinations solve their problem.
type SelfExpressiveReport struct {
	// Zero counts rows of zeros, Isolated points (those among them) without
	// any coefficient.
	Zero, Isolated int
	// Certified counts points whose optimality was confirmed over all n
	// points; the rest ran out of rounds (or had none).
	Certified int
	// Rounds is the largest number of checks that one point needed.
	Rounds int
	// Checks is how many points were checked, over all rounds: the cost of
	// certification is Checks·n·d multiplications.
	Checks int
	// Truncated counts points that had more than Keep coefficients.
	Truncated int
	// Support is the mean number of non-zero coefficients before truncation,
	// Residual the mean ‖x_i − Σ_j c_j x_j‖ of the unit-length points.
	Support, Residual float64
}

// SelfExpressive returns the sparse-representation (ℓ1) graph of the n×d
// row-major points x: W = |C| + |C|ᵀ, symmetric, non-negative, without
// diagonal. Row i of C writes the point, scaled to unit length, as a sparse
// combination of the others:
//
//	min_c λ_i τ ‖c‖₁ + λ_i (1−τ)/2 ‖c‖² + ½ ‖x_i − Σ_{j≠i} c_j x_j‖²
//	λ_i = max_{j≠i} |⟨x_j,x_i⟩| / (τγ)
//
// with γ = 50 and τ = 1 unless said otherwise: the problem of sparse subspace
// clustering [1], with the penalty set a point as in [2], Proposition 1 (in
// [1] one λ is set from the least of these maxima, and an outlier sets it for
// all). Each row of |C| is then scaled, see [SelfExpressiveScale].
//
// The lasso is solved over an active set by coordinate descent, the products
// of the residual with all points (the oracle point of [2]) are compared with
// λ_i τ, and points that exceed it by more than 0.1 % enter the active set
// until there are none: the optimum over all n points, not over a
// neighbourhood. OMP follows [3].
//
// A row of zeros, and a point orthogonal to all others, is isolated. A point
// with an exact duplicate is a combination of the duplicate (of several, the
// smallest id) and nothing else that matters. A value that is not finite is
// an error that names it.
//
// Cost: (1 + mean rounds)·n²d multiplications in float32. Memory: 4nd bytes
// for the scaled points, at most 16·Keep·n for C and Cᵀ and as much for W,
// and about 128·(8·Candidates + 8d) bytes a thread.
//
// [1] Elhamifar, Vidal: Sparse Subspace Clustering: Algorithm, Theory, and
// Applications. IEEE TPAMI 35(11), 2013, Eq. (13)–(14).
// [2] You, Li, Robinson, Vidal: Oracle Based Active Set Algorithm for
// Scalable Elastic Net Subspace Clustering. CVPR 2016.
// [3] You, Robinson, Vidal: Scalable Sparse Subspace Clustering by Orthogonal
// Matching Pursuit. CVPR 2016.
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
	return csr.Add(c, 1, csr.Transpose(c), opt.Threads), run.report(), nil
}

func (o *SelfExpressiveOptions) setDefaults() error {
	if o.Gamma == 0 {
		o.Gamma = 50
	}
	if o.Tau == 0 {
		o.Tau = 1
	}
	if o.Candidates == 0 {
		o.Candidates = 100
	}
	if o.Rounds == 0 {
		o.Rounds = 20
	}
	if o.Keep == 0 {
		o.Keep = 50
		if o.Method == SelfExpressiveOMP {
			o.Keep = 10
		}
	}
	var faults []error
	expect := func(ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, fmt.Errorf("%w: "+format, append([]any{ErrSelfExpressive}, args...)...))
		}
	}
	expect(o.Method == SelfExpressiveLasso || o.Method == SelfExpressiveOMP, "method %d, expected the lasso or OMP", o.Method)
	expect(o.Gamma > 1 && !math.IsInf(o.Gamma, 0), "gamma %v, expected more than 1", o.Gamma)
	expect(o.Tau > 0 && o.Tau <= 1, "tau %v, expected above 0 and at most 1", o.Tau)
	expect(o.Candidates > 0, "%d candidates, expected at least 1", o.Candidates)
	expect(o.Rounds >= -1, "%d rounds, expected -1 or more", o.Rounds)
	expect(o.Keep > 0 || o.Keep == -1 && o.Method == SelfExpressiveLasso, "%d coefficients kept, expected at least 1, or -1 for all of the lasso's", o.Keep)
	expect(o.Scale >= SelfExpressiveByMax && o.Scale <= SelfExpressiveRaw, "scale %d, expected by max, by norm or raw", o.Scale)
	return errors.Join(faults...)
}
