// Package diagnose measures what a learned graph lost: to the cut of its rows, and to the rounds in which
// it was made.
package diagnose

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Report says how far the learned graph A of a result is from the graphs that it
// approximates. Each figure is ‖(X − X')v‖/‖X'v‖ over random vectors v of ±1. Z = ζ'HHᵀ is made
// from the F of the result.
type Report struct {
	Vectors int `json:"vectors"`
	// Step is the cost of truncation in one A-step: the step from A and F with the top k of each
	// row, compared with the same step without truncation, α_A S(A + Z)S + (1−α_A)I. The anchor is
	// in A, but is added to neither.
	Step RelativeError `json:"step"`
	// FixedPoint compares A as it is used (truncated, after the rounds it took, each with its own
	// F, the anchor added) with A*, the fixed point of the A-step without truncation and anchor. It
	// sums every departure from the paper's joint solution, and a difference in scale that the
	// F-step does not see.
	FixedPoint RelativeError `json:"fixed_point"`
	// Scaled compares Scale·A with A*, where Scale minimises the squared difference, summed over
	// the vectors.
	Scaled RelativeError `json:"scaled"`
	Scale  float64       `json:"scale"`
	// Normalized compares S_A with S_A*, both D^-1/2 · D^-1/2 with their own degrees. The F-step
	// works with these.
	Normalized RelativeError `json:"normalized"`
}

// RelativeError is the mean and the standard deviation of ‖(X − X')v‖/‖X'v‖ over vectors v. Where
// X' is nearly of rank one, as A* is with α_A near 1, some v are nearly orthogonal to it and have
// large ratios. Frobenius, the root of Σ‖(X − X')v‖²/Σ‖X'v‖², is steadier: as E‖Mv‖² = ‖M‖_F² for
// random signs v, it estimates ‖X − X'‖_F/‖X'‖_F.
type RelativeError struct {
	Mean      float64 `json:"mean"`
	SD        float64 `json:"sd"`
	Frobenius float64 `json:"frobenius"`
}

// tolerance ends the series of A*: float32 shows no smaller terms.
const tolerance = 1e-7

// Graph measures the learned graph of a result of [adp.Run] on m random vectors of a PCG of the
// seed, with sparse products alone. w, y's number of nodes and opt must be those of the run; the
// method must be ADP or ADP1.
//
// Cost: one A-step and two calls of [diffuse.AStar]. With T = 16/ln(1/α_A) terms (153 by default),
// these are 2T products of S with an n×c block and 4T with an n×m one. Memory: S, one A-step, and
// three n×c and seven n×m blocks of 4 bytes an entry.
func Graph(ctx context.Context, w *csr.Matrix, r *adp.Result, opt adp.Options, m int, seed uint64) (*Report, error) {
	n := r.F.Rows
	opt, err := opt.WithDefaults(n)
	if err != nil {
		return nil, err
	}
	if !opt.Method.Has(adp.LearnsSparse) || m < 1 {
		return nil, fmt.Errorf("%w: a diagnosis of method %v on %d vectors, expected %s and at least 1", adp.ErrOptions, opt.Method, m, adp.LearnsSparse.Names("or"))
	}
	s := diffuse.Normalize(w, opt.Threads).S
	a := s // A⁰
	if set := r.Rounds[r.Chosen].Setting; set.TopK != 0 {
		opt.TopK, opt.GraphAlpha, a = set.TopK, set.GraphAlpha, r.Graph
	}
	d := &diagnoser{opt: opt, a: a, s: s, h: diffuse.NewFactor(r.F, opt.Harden), v: signs(n, m, seed)}
	d.zeta = d.h.Scale(opt.Zeta, nil)
	report := &Report{Vectors: m}
	if report.Step, err = d.step(ctx); err != nil {
		return nil, err
	}
	return report, d.fixedPoint(ctx, report)
}

// Bytes estimates the memory of [Graph] for m vectors and c classes, W and the result included; 0 where the
// options have faults.
func Bytes(w *csr.Matrix, c int, opt adp.Options, m int) int64 {
	rows, _ := w.Dims()
	n := int64(rows)
	opt, err := opt.WithDefaults(rows)
	if err != nil {
		return 0
	}
	before := 12*int64(w.NNZ()) + 16*n + adp.ResultBytes(w, c, opt)
	return before + 28*n*int64(m) + max(12*n*int64(c), opt.StepBytes(w, c))
}

// diagnoser holds the matrices that all figures of a diagnosis need.
type diagnoser struct {
	opt  adp.Options
	s, a *csr.Matrix
	h    *diffuse.Factor
	zeta float64 // ζ' of Z = ζ'HHᵀ
	v    *csr.Dense
}

// step compares one A-step with and without truncation.
func (d *diagnoser) step(ctx context.Context) (RelativeError, error) {
	truncated, err := diffuse.AStep(ctx, d.s, d.a, d.h, diffuse.AffinityOptions{
		TopK: d.opt.TopK, Alpha: d.opt.GraphAlpha, Zeta: d.zeta, Hubs: d.opt.Hubs, Threads: d.opt.Threads,
	})
	if err != nil {
		return RelativeError{}, err
	}
	whole := diffuse.ExactStep(d.s, d.a, d.h, d.zeta, d.opt.GraphAlpha, d.v, d.opt.Threads)
	return relativeError(columnProducts(d.times(truncated, d.v), whole), 1), nil
}

// fixedPoint compares A with A*, as they are, scaled, and normalised. A*1,
// the degrees of A*, comes with the first products as one more column.
func (d *diagnoser) fixedPoint(ctx context.Context, report *Report) error {
	star, err := d.star(ctx, withOnes(d.v))
	if err != nil {
		return err
	}
	av := columnProducts(d.times(d.a, d.v), star)
	report.FixedPoint = relativeError(av, 1)
	both, own := 0.0, 0.0
	for _, p := range av {
		both += p.xy
		own += p.xx
	}
	if own > 0 {
		report.Scale = both / own
	}
	report.Scaled = relativeError(av, report.Scale)

	m := d.v.Cols
	degrees := make([]float64, star.Rows) // at least 1−α_A each: (1−α_A)I is in A*
	for i := range degrees {
		degrees[i] = float64(star.At(i, m))
	}
	half := scaledRows(d.v, degrees)
	if star, err = d.star(ctx, half); err != nil {
		return err
	}
	sa := diffuse.Normalize(d.a, d.opt.Threads)
	report.Normalized = relativeError(columnProducts(d.times(sa.S, d.v), scaledRows(star, degrees)), 1)
	return nil
}

func (d *diagnoser) star(ctx context.Context, v *csr.Dense) (*csr.Dense, error) {
	return diffuse.AStar(ctx, d.s, d.h, d.zeta, d.opt.GraphAlpha, tolerance, v, d.opt.Threads)
}

func (d *diagnoser) times(a *csr.Matrix, v *csr.Dense) *csr.Dense {
	product := csr.NewDense(v.Rows, v.Cols)
	csr.MulDense(product, a, v, d.opt.Threads)
	return product
}

// signs returns n×m random numbers of ±1.
func signs(n, m int, seed uint64) *csr.Dense {
	rng := rand.New(rand.NewPCG(seed, 0))
	v := csr.NewDense(n, m)
	for k := range v.Data {
		v.Data[k] = float32(1 - 2*int(rng.Uint32()>>31))
	}
	return v
}

// withOnes returns v with a column of ones at its end.
func withOnes(v *csr.Dense) *csr.Dense {
	out := csr.NewDense(v.Rows, v.Cols+1)
	for i := range v.Rows {
		copy(out.Row(i), v.Row(i))
		out.Set(i, v.Cols, 1)
	}
	return out
}

// scaledRows returns D^-1/2 V.
func scaledRows(v *csr.Dense, degrees []float64) *csr.Dense {
	out := csr.NewDense(v.Rows, v.Cols)
	for i, degree := range degrees {
		factor := 1 / math.Sqrt(degree)
		for j, x := range v.Row(i) {
			out.Set(i, j, float32(factor*float64(x)))
		}
	}
	return out
}

// products are x·x, x·y and y·y of two columns.
type products struct{ xx, xy, yy float64 }

// columnProducts returns the products of the columns of x with those of y,
// which may have more.
func columnProducts(x, y *csr.Dense) []products {
	all := make([]products, x.Cols)
	for i := range x.Rows {
		yr := y.Row(i)
		for j, v := range x.Row(i) {
			a, b := float64(v), float64(yr[j])
			all[j].xx += float64(a * a)
			all[j].xy += float64(a * b)
			all[j].yy += float64(b * b)
		}
	}
	return all
}

// relativeError compares scale·x with y, given the products of their columns.
func relativeError(all []products, scale float64) RelativeError {
	ratios := make([]float64, len(all))
	var s RelativeError
	differences, norms := 0.0, 0.0
	for k, p := range all {
		difference := max(float64(scale*scale*p.xx)-float64(2*scale*p.xy)+p.yy, 0)
		differences += difference
		norms += p.yy
		if p.yy > 0 {
			ratios[k] = math.Sqrt(difference / p.yy)
		}
		s.Mean += ratios[k] / float64(len(all))
	}
	for _, v := range ratios {
		s.SD += float64((v - s.Mean) * (v - s.Mean))
	}
	s.SD = math.Sqrt(s.SD / float64(max(len(all)-1, 1)))
	if norms > 0 {
		s.Frobenius = math.Sqrt(differences / norms)
	}
	return s
}
