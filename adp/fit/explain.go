package fit

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Amount is a part of a sum: of a column of the features, or of a node.
type Amount struct {
	Index  int
	Amount float64
}

// FeatureSum says why the diffused features of a node speak for one class against another: the
// difference of both scores, as a sum over the columns of the features, and as a sum over the
// nodes whose features they are. Parts that are 0 are left out; the largest come first.
type FeatureSum struct {
	Total   float64
	Columns []Amount
	Nodes   []Amount
}

// FeatureScores are the scores of the ridge regression from the seeds on the diffused features:
// the method "diffused features from the known labels" of the feature step, with all columns.
type FeatureScores struct {
	x       *diffuse.Diffused
	v       *csr.Dense // d×c
	threads int
}

// NewFeatureScores fits the regression to the seeds of an input, on the graph that [NewGraph] made of
// it. Cost: that of a [diffuse.Dual]; more than [diffuse.MostDual] seeds are an error of that.
func NewFeatureScores(ctx context.Context, in Input, g *Graph, threads int) (*FeatureScores, error) {
	p, err := prepare(&in, threads)
	if err != nil {
		return nil, err
	}
	d, err := diffuse.NewDiffused(p.x, diffuse.Normalize(g.W, threads), diffuse.TenHops, threads)
	if err != nil {
		return nil, err
	}
	if d, err = d.Unit(ctx); err != nil {
		return nil, err
	}
	dual, err := diffuse.NewDual(ctx, d, in.Seeds, threads)
	if err != nil {
		return nil, err
	}
	v, err := dual.Solve(ctx, seedRidge)
	return &FeatureScores{x: d, v: v, threads: threads}, err
}

// Sum explains the score of class label of a node less that of class other:
//
//	x̃_i (V_label − V_other) = Σ_j x̃_ij ΔV_j = Σ_l P_il (x_l ΔV).
//
// Cost: 2T products of the graph with a vector.
func (s *FeatureScores) Sum(ctx context.Context, node, label, other int) (*FeatureSum, error) {
	difference := csr.NewDense(s.v.Rows, 1)
	for j := range s.v.Rows {
		difference.Set(j, 0, s.v.At(j, label)-s.v.At(j, other))
	}
	row, weights, err := s.x.Row(ctx, node)
	if err != nil {
		return nil, err
	}
	sum := &FeatureSum{}
	for j, v := range row {
		sum.Columns = add(sum.Columns, j, float64(v)*float64(difference.At(j, 0)))
	}
	own, err := s.x.Own(ctx, difference)
	if err != nil {
		return nil, err
	}
	for l, w := range weights {
		sum.Nodes = add(sum.Nodes, l, float64(w)*float64(own.At(l, 0)))
	}
	for _, part := range sum.Columns {
		sum.Total += part.Amount
	}
	order(sum.Columns)
	order(sum.Nodes)
	return sum, nil
}

func add(parts []Amount, index int, amount float64) []Amount {
	if amount == 0 {
		return parts
	}
	return append(parts, Amount{index, amount})
}

// order puts the largest parts first, of equal ones the one of the smaller index.
func order(parts []Amount) {
	slices.SortFunc(parts, func(a, b Amount) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Amount), math.Abs(a.Amount)), cmp.Compare(a.Index, b.Index))
	})
}
