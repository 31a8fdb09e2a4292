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
	// Bias is b, one number a class ([stack.MatchBias]); nil, as of older models, is 0.
	Bias []float64 `json:"bias,omitempty"`
	// Near is what a run says of a node by its features and those of its neighbours; nil for none.
	Near *Near `json:"near,omitempty"`
}

// Near is a linear map from the features of a node, and from the mean of those of its neighbours, to the classes of a run:
//
//	z_x = x̂V + Σ_j w_xj A_j / Σ_j w_xj,  A = X̂V₂,
//
// with the weights w of its edges to the nodes of the run. Size, Share and Bias are as those of [Guess]; a node without features has no bias. Blend is u, the part of z beside that of the
// features alone ([Guess.Predict]).
type Near struct {
	V      *csr.Dense `json:"-"` // d×c
	Around *csr.Dense `json:"-"` // A, n×c: what each node of the run says of its neighbours
	Size   float64    `json:"size"`
	Share  float64    `json:"share"`
	Blend  float64    `json:"blend"` // from 0 to 1
	Bias   []float64  `json:"bias,omitempty"`
}

// hardness is τ of the probabilities of a [Guess].
const hardness = 1.5

// Of returns the probabilities of the classes by the features x of m nodes, m×d, as they were given
// to the run:
//
//	H_x ∝ ((1−ε) softmax(τ z/size) + ε/c) e^b,  z = x̂V less its mean,  x̂ = x/‖x‖,
//
// τ = 1.5, ε = 0.02. V has no constant, so that b makes the classes as frequent as they are among the nodes of the run. x is standardised first where the run did so, or becomes the roots of its values. A row without features is 0.
func (g *Guess) Of(ctx context.Context, x diffuse.Features, threads int) (*csr.Dense, error) {
	unit, err := g.unit(x, threads)
	if err != nil {
		return nil, err
	}
	m, _ := unit.Dims()
	return g.ofUnit(ctx, unit, m, threads)
}

// ofUnit is Of by x̂.
func (g *Guess) ofUnit(ctx context.Context, x diffuse.Features, m, threads int) (*csr.Dense, error) {
	h, err := scores(ctx, x, g.V, m, threads)
	if err != nil {
		return nil, err
	}
	stack.Centre(h, threads)
	Harden(h, g.Size, threads)
	stack.AddBias(h, g.Bias, threads)
	return h, nil
}

// unit returns the features x̂ of which V is, and no features as they are.
func (g *Guess) unit(x diffuse.Features, threads int) (diffuse.Features, error) {
	if !has(x) {
		return x, nil
	}
	if err := x.Check(threads); err != nil {
		return x, err
	}
	if g.Standard != nil {
		var err error
		if x, err = g.Standard.Apply(x, threads); err != nil {
			return x, err
		}
	}
	return x.Unit(g.Roots, threads), nil
}

// has reports whether there are features.
func has(x diffuse.Features) bool { return x.Dense != nil || x.Sparse != nil }

// scores returns x̂V of m nodes, 0 of those without features.
func scores(ctx context.Context, x diffuse.Features, v *csr.Dense, m, threads int) (*csr.Dense, error) {
	if !has(x) {
		return csr.NewDense(m, v.Cols), nil
	}
	return diffuse.Scores(ctx, x, v, threads)
}

// Harden makes probabilities of the scores z, m×c, less the mean of each row, see [Guess.Of]. The size is that of the scores of a run's nodes.
func Harden(h *csr.Dense, size float64, threads int) {
	rows.Each(h.Rows, threads, func(lo, hi int) {
		one := make([]float64, h.Cols)
		for i := lo; i < hi; i++ {
			row := h.Row(i)
			if !slices.ContainsFunc(row, func(v float32) bool { return v != 0 }) {
				continue // nothing is known
			}
			stack.Scale{Temperature: hardness}.Probabilities(one, row, size)
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
// ([Guess.Of]). Of a node with edges (m×n, nil for none) it is (1−u) H_x + u N_x, N_x being the probabilities of z_x, with the t and u of [Near].
// Where one of both is 0, P_x is the other. Nodes without features have neither field of x. Rows do not depend on each other.
func (g *Guess) Predict(ctx context.Context, f *csr.Dense, degrees []float64, w, edges *csr.Matrix, x diffuse.Features, alpha, minConfidence float64, threads int) (*Result, error) {
	m, _ := w.Dims()
	x, err := g.unit(x, threads)
	if err != nil {
		return nil, err
	}
	h, err := g.ofUnit(ctx, x, m, threads)
	if err != nil {
		return nil, err
	}
	shares := slices.Repeat([]float64{g.Share}, h.Rows)
	if g.Near != nil && edges != nil {
		if err := g.Near.join(ctx, h, shares, x, edges, threads); err != nil {
			return nil, err
		}
	}
	return stepAnd(h, shares, f, degrees, w, alpha, minConfidence, threads), nil
}

// join adds N_x to H_x of the nodes that have edges, and changes their shares.
func (n *Near) join(ctx context.Context, h *csr.Dense, shares []float64, x diffuse.Features, edges *csr.Matrix, threads int) error {
	z, err := scores(ctx, x, n.V, h.Rows, threads)
	if err != nil {
		return err
	}
	joined := make([]bool, z.Rows)
	rows.Each(z.Rows, threads, func(lo, hi int) {
		mean := make([]float64, z.Cols)
		for i := lo; i < hi; i++ {
			cols, values := edges.Row(i)
			total := 0.0
			clear(mean)
			for at, j := range cols {
				total += float64(values[at])
				for class, v := range n.Around.Row(int(j)) {
					mean[class] += float64(float64(values[at]) * float64(v))
				}
			}
			if joined[i] = total > 0; !joined[i] {
				continue
			}
			for class, v := range mean {
				z.Row(i)[class] += float32(v / total)
			}
		}
	})
	stack.Centre(z, threads)
	Harden(z, n.Size, threads)
	biased := z.Clone()
	stack.AddBias(biased, n.Bias, threads)
	for i, ok := range joined {
		if ok {
			of := z // of the neighbours alone, which the bias is not
			if positive(h.Row(i)) {
				of = biased
			}
			blended(h.Row(i), h.Row(i), of.Row(i), n.Blend)
			shares[i] = n.Share
		}
	}
	return nil
}

// stepAnd is [Predict] with shares of the answers for what else says something of the nodes, m×c.
func stepAnd(own *csr.Dense, shares []float64, f *csr.Dense, degrees []float64, w *csr.Matrix, alpha, minConfidence float64, threads int) *Result {
	r := &Result{F: diffuse.Extend(f, degrees, w, alpha, threads), Converged: true}
	stack.Shares(r.F, threads)
	rows.Each(own.Rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			blended(r.F.Row(i), r.F.Row(i), own.Row(i), shares[i])
		}
	})
	r.judgeRows(minConfidence, threads)
	return r
}

// positive reports whether a row of at least 0 is not 0.
func positive(row []float32) bool { return slices.Max(row) > 0 }
