package diffuse

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// RidgeOptions are the options of [Ridge].
type RidgeOptions struct {
	// Lambda is λ, above 0. In AL it is 0.02 · mean ‖x̃_i‖², see [Diffused.MeanSquare].
	Lambda float64
	// MaxIterations bounds the iterations of conjugate gradients. Zero means 15. Reaching
	// it is no error; Stats tells. Stopping early is itself a penalty: where λ is so small
	// that it does, V depends on it, and a solve without iterations has another.
	MaxIterations int
	// Tolerance is the largest ‖residual‖₂/‖right side‖₂ of a class column that ends
	// them. Zero means 1e-4.
	Tolerance float64
}

func (o RidgeOptions) withDefaults() (RidgeOptions, error) {
	if o.MaxIterations == 0 {
		o.MaxIterations = 15
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-4
	}
	if err := checkLambda(o.Lambda); err != nil {
		return o, err
	}
	_, err := Options{Tolerance: o.Tolerance, MaxIterations: o.MaxIterations}.WithDefaults(0)
	return o, err
}

func checkLambda(lambda float64) error {
	if !(lambda > 0) || math.IsInf(lambda, 0) {
		return fmt.Errorf("%w: lambda %v, expected a finite number above 0", ErrOptions, lambda)
	}
	return nil
}

// mostDirect is the most columns of a formed X̃ for which X̃ᵀX̃ is made and solved with.
const mostDirect = 512

// Ridge returns the coefficients V, d×c, that minimise
//
//	Σ_i w_i ‖x̃_iV − t_i‖² + λ‖V‖²,
//
// the solution of (X̃ᵀWX̃ + λI) V = X̃ᵀWT, for targets T, n×c, and weights of at least 0,
// nil for 1. Where X̃ is formed, with up to 512 columns, the d×d matrix is made and
// solved with, for the n rows that have a weight: nd²/2 + d³/6 multiply-adds, 16·d² bytes a worker. Else conjugate gradients
// run on all columns of V at once, two products of X̃ an iteration; two n×c blocks and
// four d×c ones beside those of X̃. A map that is none of [Diffused], [Joined] and [Around] is an [ErrOptions]: the ApplyT of others need not be
// the transpose of their Apply.
//
// A. Hoerl, R. Kennard: Ridge Regression, Technometrics 12, 1970.
func Ridge(ctx context.Context, x Columns, targets *csr.Dense, weights []float32, opt RidgeOptions) (*csr.Dense, Stats, error) {
	opt, err := opt.withDefaults()
	if err != nil {
		return nil, Stats{}, err
	}
	n, _ := x.Dims()
	mustBe(targets, n, targets.Cols)
	if err := checkWeights(weights, n); err != nil {
		return nil, Stats{}, err
	}
	if x, ok := x.(*Diffused); ok && x.Formed() && x.x.Dense.Cols <= mostDirect {
		x, targets, weights = x.weighted(targets, weights)
		v, err := ridgeDirect(ctx, x, targets, weights, opt)
		return v, Stats{Converged: err == nil}, err
	}
	columns, ok := x.(columnMap)
	if !ok {
		return nil, Stats{}, fmt.Errorf("%w: ridge by the columns of a %T, expected Diffused, Joined or Around", ErrOptions, x)
	}
	return ridgeCG(ctx, columns, targets, weights, opt)
}

func checkWeights(weights []float32, n int) error {
	if weights == nil {
		return nil
	}
	if len(weights) != n {
		panic(fmt.Sprintf("diffuse: %d weights of %d nodes", len(weights), n))
	}
	for i, w := range weights {
		if !(w >= 0) || !isFinite(float64(w)) {
			return fmt.Errorf("%w: weight %v of node %d, expected a finite number of at least 0", ErrOptions, w, i)
		}
	}
	return nil
}

// weighted returns a formed X̃, the targets and the weights of the rows that have a weight, where these
// are fewer than half or rows are divided by their lengths: the others take no part.
func (d *Diffused) weighted(targets *csr.Dense, weights []float32) (*Diffused, *csr.Dense, []float32) {
	var some []int
	for i := range d.x.Dense.Rows {
		if weights == nil || weights[i] > 0 {
			some = append(some, i)
		}
		if d.norm == nil && 2*len(some) >= d.x.Dense.Rows {
			return d, targets, weights
		}
	}
	part := &Diffused{x: Features{Dense: csr.NewDense(len(some), d.x.Dense.Cols)}, threads: d.threads}
	to := csr.NewDense(len(some), targets.Cols)
	var own []float32
	for k, i := range some {
		copy(part.x.Dense.Row(k), d.x.Dense.Row(i))
		copy(to.Row(k), targets.Row(i))
		if weights != nil {
			own = append(own, weights[i])
		}
		d.divideRow(part.x.Dense.Row(k), i)
	}
	return part, to, own
}

// ridgeDirect makes G = (√W X̃)ᵀ(√W X̃) and (√W X̃)ᵀ(√W T) in float64.
func ridgeDirect(ctx context.Context, x *Diffused, targets *csr.Dense, weights []float32, opt RidgeOptions) (*csr.Dense, error) {
	_, d := x.Dims()
	var roots []float32
	if weights != nil {
		roots = make([]float32, len(weights))
		for i, w := range weights {
			roots[i] = sqrt32(w)
		}
	}
	gram, err := cross(ctx, x.x.Dense, x.x.Dense, roots, x.threads)
	if err != nil {
		return nil, err
	}
	right, err := cross(ctx, x.x.Dense, targets, roots, x.threads)
	if err != nil {
		return nil, err
	}
	columns := turned(right, d, targets.Cols)
	if err := solveCholesky(ctx, gram, d, opt.Lambda, columns, x.threads); err != nil {
		return nil, err
	}
	v := csr.NewDense(d, targets.Cols)
	for j, column := range columns {
		for k, value := range column {
			v.Set(k, j, float32(value))
		}
	}
	return v, nil
}

// mirror copies the part below the diagonal of an m×m matrix to above it.
func mirror(a []float64, m int) {
	for i := range m {
		for j := range i {
			a[j*m+i] = a[i*m+j]
		}
	}
}

// turned returns the columns of an m×c matrix.
func turned(a []float64, m, c int) [][]float64 {
	columns := make([][]float64, c)
	for j := range columns {
		columns[j] = make([]float64, m)
		for i := range m {
			columns[j][i] = a[i*c+j]
		}
	}
	return columns
}

// ridgeCG solves (I + N/λ') V' = X'ᵀW'T'/λ', N = X'ᵀW'X', as a system I − αS with
// S = −N/λ' and α = 1. X', W' and T' are X̃, W and T over the powers of 2 that bring
// their numbers near 1, lest sums of products leave float32; λ' and V = V' follow.
func ridgeCG(ctx context.Context, x columnMap, targets *csr.Dense, weights []float32, opt RidgeOptions) (*csr.Dense, Stats, error) {
	n, d := x.Dims()
	c := targets.Cols
	s := &normal{ctx: ctx, x: x, weights: weights, scores: csr.NewDense(n, c), part: csr.NewDense(d, c)}
	threads := x.workers()
	ex, ew, et := x.exponent(), exponentOf(weights, threads), exponentOf(targets.Data, threads)
	s.scale, s.weigh = math.Ldexp(1, -ex), math.Ldexp(1, -ew)
	s.lambda = math.Ldexp(opt.Lambda, -2*ex-ew)
	if s.lambda < leastLambda {
		return nil, Stats{}, tooSmall(opt.Lambda)
	}
	right := csr.NewDense(d, c)
	s.scores.CopyFrom(targets)
	times(s.scores.Data, math.Ldexp(1, -et))
	s.back(right, 1)
	w, v := NewWorkspace(d, c, threads), csr.NewDense(d, c)
	started := false
	stats, err := w.conjugateGradients(ctx, v, columnNorms(w, right), Options{Tolerance: opt.Tolerance, MaxIterations: opt.MaxIterations}, system{s: s, alpha: 1}, func(v *csr.Dense, _ int) {
		w.r.CopyFrom(right)
		if !started { // V is 0
			started = true
			return
		}
		s.Apply(w.q, v)
		axpby(w.r, 1, v, -1, threads)
		axpby(w.r, 1, w.q, 1, threads)
	})
	if err == nil {
		err = ctx.Err() // the products end early then
	}
	if err != nil {
		return nil, stats, err
	}
	times(v.Data, math.Ldexp(1, et-ex))
	return v, stats, nil
}

// leastLambda is the least λ, beside features and weights near 1, that float32 can tell
// from none.
const leastLambda = 0x1p-64

func tooSmall(lambda float64) error {
	return fmt.Errorf("%w: lambda %v is below the rounding of the products of features, expected more", ErrOptions, lambda)
}

func columnNorms(w *Workspace, x *csr.Dense) []float64 {
	norms := make([]float64, x.Cols)
	for j, v := range w.dot(x, x) {
		norms[j] = math.Sqrt(v)
	}
	return norms
}

func times(x []float32, factor float64) {
	for k, v := range x {
		x[k] = float32(float64(v) * factor)
	}
}

// normal is the operator −X'ᵀW'X'/λ' on d×c blocks, see ridgeCG.
type normal struct {
	ctx          context.Context
	x            columnMap
	weights      []float32
	scale, weigh float64 // X' = scale·X̃, W' = weigh·W
	lambda       float64
	scores, part *csr.Dense
}

// Dim returns d.
func (s *normal) Dim() int { return s.part.Rows }

// Apply computes dst ← −X'ᵀW'X'V/λ'.
func (s *normal) Apply(dst, v *csr.Dense) {
	copy(s.part.Data, v.Data)
	times(s.part.Data, s.scale)
	if s.x.Apply(s.ctx, s.scores, s.part) == nil {
		s.back(dst, -1)
	}
}

// back computes dst ← sign·X'ᵀW'(scores)/λ', and overwrites the scores.
func (s *normal) back(dst *csr.Dense, sign float64) {
	rows.Each(s.scores.Rows, s.x.workers(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			f := s.scale
			if s.weights != nil {
				f *= float64(s.weights[i]) * s.weigh
			}
			times(s.scores.Row(i), f)
		}
	})
	if s.x.ApplyT(s.ctx, dst, s.scores) == nil {
		times(dst.Data, sign/s.lambda)
	}
}

// Columns is a linear map X̃, n×d.
type Columns interface {
	Dims() (n, d int)
	// Apply computes dst ← X̃V, n×c, for V d×c, and ApplyT dst ← X̃ᵀR, d×c, for R n×c.
	Apply(ctx context.Context, dst, v *csr.Dense) error
	ApplyT(ctx context.Context, dst, r *csr.Dense) error
}

// columnMap are [Columns] whose ApplyT is the transpose of their Apply, with the exponent of their numbers and their threads.
type columnMap interface {
	Columns
	exponent() int
	workers() int
}

func (d *Diffused) workers() int { return d.threads }

// exponent is that of the numbers of X.
func (d *Diffused) exponent() int {
	if d.x.Dense != nil {
		return exponentOf(d.x.Dense.Data, d.threads)
	}
	_, _, data := d.x.Sparse.Arrays()
	return exponentOf(data, d.threads)
}

// exponentOf returns e such that the largest |x_k| is in [2^(e−1), 2^e), 0 for none.
func exponentOf(x []float32, threads int) int {
	most := make([]float64, (len(x)+rows.BlockSize-1)/rows.BlockSize)
	rows.Each(len(x), threads, func(lo, hi int) {
		for _, v := range x[lo:hi] {
			most[lo/rows.BlockSize] = max(most[lo/rows.BlockSize], math.Abs(float64(v)))
		}
	})
	_, e := math.Frexp(slices.Max(append(most, 0)))
	return e
}

// MeanSquare returns mean ‖x̃_i‖²; λ is often a share of it. Where X̃ is not formed, it is an
// estimate: that of X̃z for 32 draws z of ±1 by a fixed rule (M. Hutchinson, 1989). Its
// relative standard error is ¼ at most, where all rows are along one direction.
func (d *Diffused) MeanSquare(ctx context.Context) (float64, error) {
	n, _ := d.Dims()
	if n == 0 {
		return 0, nil
	}
	x, draws := d.x.Dense, 1.0
	if !d.Formed() {
		var err error
		if x, err = d.probe(ctx); err != nil {
			return 0, err
		}
		draws = probes
	}
	sum := rows.NewReducer(n, 1).Sum(d.threads, func(lo, hi int, sum []float64) {
		for i := lo; i < hi; i++ {
			sum[0] += squares(x.Row(i))
		}
	})
	return sum[0] / (float64(n) * draws), nil
}

// probes is the number of draws that lengths of rows are estimated by.
const probes = 32

// probe returns X̃z, n×32, for the draws z of ±1: the mean square of a row is ‖x̃_i‖² in the
// mean over draws.
func (d *Diffused) probe(ctx context.Context) (*csr.Dense, error) {
	n, cols := d.Dims()
	z := signs(cols, probes)
	x := csr.NewDense(n, probes)
	return x, d.apply(ctx, x, z)
}

// signs returns a block of ±1 by a fixed rule.
func signs(n, c int) *csr.Dense {
	z := csr.NewDense(n, c)
	state := uint64(1)
	for k := range z.Data {
		state = state*6364136223846793005 + 1442695040888963407 // Knuth's, MMIX
		z.Data[k] = 1 - 2*float32(state>>63)
	}
	return z
}
