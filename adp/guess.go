package adp

import (
	"context"
	"slices"

	"github.com/adp-sparse/adp-sparse/adp/stack"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Guess is what a run says of a node by its features alone: a linear map from
// features to the classes of the run. New nodes get their labels by it and by one step of the graph
// ([Guess.Predict]). Package fit makes it.
type Guess struct {
	V *csr.Dense `json:"-"` // d×c
	// Standard is the change of the columns before rows get unit length; nil for none.
	Standard *diffuse.Standard `json:"standard,omitempty"`
	// Roots says that the values are words: rows are those of [diffuse.Features.UnitRoots].
	Roots bool    `json:"roots,omitempty"`
	Size  float64 `json:"size"`  // of the scores of the run's nodes, see [stack.Size]
	Share float64 `json:"share"` // t, from 0 to 1: the part of the answer
}

// hardness is τ of the probabilities of a [Guess].
const hardness = 1.5

// Of returns the probabilities of the classes by the features x of m nodes, m×d, as they were given
// to the run:
//
//	H_x = (1−ε) softmax(τ z/size) + ε/c,  z = x̂V less its mean,  x̂ = x/‖x‖,
//
// τ = 1.5, ε = 0.02. x is standardised first where the run did so, or becomes the roots of its values. A row without features is 0.
func (g *Guess) Of(ctx context.Context, x diffuse.Features, threads int) (*csr.Dense, error) {
	if err := x.Check(threads); err != nil {
		return nil, err
	}
	if g.Standard != nil {
		var err error
		if x, err = g.Standard.Apply(x, threads); err != nil {
			return nil, err
		}
	}
	h, err := diffuse.Scores(ctx, x.Unit(g.Roots, threads), g.V, threads)
	if err != nil {
		return nil, err
	}
	stack.Centre(h, threads)
	g.Harden(h, threads)
	return h, nil
}

// Harden makes probabilities of the scores z, m×c, less the mean of each row, see [Guess.Of].
func (g *Guess) Harden(h *csr.Dense, threads int) {
	rows.Each(h.Rows, threads, func(lo, hi int) {
		one := make([]float64, h.Cols)
		for i := lo; i < hi; i++ {
			row := h.Row(i)
			if !slices.ContainsFunc(row, func(v float32) bool { return v != 0 }) {
				continue // nothing is known
			}
			stack.Scale{Temperature: hardness}.Probabilities(one, row, g.Size)
			for j, v := range one {
				row[j] = float32(v)
			}
		}
	})
}

// Predict labels m nodes that were not in the run, as the function [Predict] does, and by their
// features x, m×d:
//
//	P_x = (1−t) F_x/Σ_j F_xj + t H_x,
//
// F_x being one step over the weights w, m×n, from the F of the run, and H_x what the features say
// ([Guess.Of]). Where one of both is 0, P_x is the other. Rows do not depend on each other.
func (g *Guess) Predict(ctx context.Context, f *csr.Dense, degrees []float64, w *csr.Matrix, x diffuse.Features, alpha, minConfidence float64, threads int) (*Result, error) {
	h, err := g.Of(ctx, x, threads)
	if err != nil {
		return nil, err
	}
	return stepAnd(h, g.Share, f, degrees, w, alpha, minConfidence, threads), nil
}

// stepAnd is [Predict] with a share of the answer for what else says something of the nodes, m×c.
func stepAnd(own *csr.Dense, share float64, f *csr.Dense, degrees []float64, w *csr.Matrix, alpha, minConfidence float64, threads int) *Result {
	r := &Result{F: diffuse.Extend(f, degrees, w, alpha, threads), Converged: true}
	stack.Shares(r.F, threads)
	rows.Each(own.Rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			step, own := r.F.Row(i), own.Row(i)
			switch {
			case !positive(own):
			case !positive(step):
				copy(step, own)
			default:
				for j, v := range own {
					step[j] = float32(float64((1-share)*float64(step[j])) + float64(share*float64(v)))
				}
			}
		}
	})
	r.judgeRows(minConfidence, threads)
	return r
}

// positive reports whether a row of at least 0 is not 0.
func positive(row []float32) bool { return slices.Max(row) > 0 }
