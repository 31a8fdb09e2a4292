// Package suggest tells which nodes to label next: uncertain nodes whose label reaches much
// uncertainty.
//
// With u the uncertainty of all nodes, see [Doubt], and
//
//	K = (1−α)(I − αS)^-1,   α = 0.8,
//
// a node has the coverage (K u)_i and the value u_i (K u)_i. As K is symmetric, (K u)_i is the
// effect of a label at node i on all nodes, weighted by their uncertainty. With the α of labels,
// near 1, hubs would cover everything.
//
// docs/decisions/0013-next-label.md measures this rule beside others.
package suggest

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Alpha is α of the coverage: walks of about five steps.
const Alpha = 0.8

// Suggestion is a node whose label would help.
type Suggestion struct {
	Node int
	// Value is the product of the two, divided by the largest of all nodes.
	Value float64
	// Uncertainty is that of the node, 0 to 1.
	Uncertainty float64
	// Coverage is the uncertainty of all nodes that a label here reaches, divided by the largest of
	// all nodes.
	Coverage float64
}

// unseen is τ of [Doubt].
const unseen = 0.1

// Doubt returns the uncertainty of every node, 0 to 1, by its row of F, n×c: the score of the
// second label over that of the first, f₁ and f₂,
//
//	u_i = (f₂ + τm) / (f₁ + τm),   τ = 0.1,
//
// with m the mean of f₁ over the nodes that a label reaches, as if another label gave a tenth of m
// to every node. Near a known label the two scores decide; far from all of them doubt grows, even
// if only one label reaches the node. It is 1 where no label reaches, and 0 where the label is
// known. For a nil F, without any known label, it is 1 for all other nodes.
//
// Cost: n·c operations. Another number of rows than of known panics.
func Doubt(f *csr.Dense, known []bool) []float32 {
	u := make([]float32, len(known))
	mean, reached := 0.0, 0
	if f != nil {
		if f.Rows != len(known) {
			panic(fmt.Sprintf("suggest: F of %d rows, %d nodes", f.Rows, len(known)))
		}
		for i := range f.Rows {
			if first, _ := leading(f.Row(i)); first > 0 {
				mean, reached = mean+first, reached+1
			}
		}
	}
	other := unseen * mean / float64(max(reached, 1))
	for i := range u {
		switch {
		case known[i]:
		case reached == 0:
			u[i] = 1
		default:
			first, second := leading(f.Row(i))
			u[i] = float32((second + other) / (first + other))
		}
	}
	return u
}

// leading returns the two largest scores of a row of F, 0 where there is none.
func leading(row []float32) (first, second float64) {
	top := diffuse.TopOf(row)
	if top.Class >= 0 {
		first = float64(row[top.Class])
	}
	if top.Second >= 0 {
		second = float64(row[top.Second])
	}
	return first, second
}

// Next returns the nodes of the largest values on a graph S, the best first, at most `count`. It
// leaves out nodes of uncertainty 0, and neighbours, in the matrix w of S, of a node before: the
// label of that will inform about them. Among equal values the first node comes first.
//
// Cost: one solve of one column, about 15 products of S with a vector, and sorting n values.
// Memory: about 60 bytes a node. The result has the same bits for any number of threads.
//
// Errors: ctx.Err(). An uncertainty that is not in [0,1], and another number of them than nodes,
// panic.
func Next(ctx context.Context, s *diffuse.Graph, w *csr.Matrix, uncertainty []float32, count, threads int) ([]Suggestion, error) {
	n := s.Dim()
	if rows, _ := w.Dims(); rows != n || len(uncertainty) != n {
		panic(fmt.Sprintf("suggest: S of %d nodes, W of %d, uncertainty of %d", n, rows, len(uncertainty)))
	}
	var doubts []diffuse.Seed
	for i, u := range uncertainty {
		if !(u >= 0 && u <= 1) {
			panic(fmt.Sprintf("suggest: uncertainty %v of node %d, expected 0 to 1", u, i))
		}
		if u > 0 {
			doubts = append(doubts, diffuse.Seed{Node: uint32(i), Weight: u})
		}
	}
	if len(doubts) == 0 || count < 1 {
		return nil, nil
	}
	column, err := diffuse.NewSeeds(n, 1, doubts)
	if err != nil {
		return nil, err
	}
	coverage, _, err := diffuse.LGC(ctx, s, column, diffuse.Options{Alpha: Alpha, Balance: diffuse.Unbalanced, Tolerance: 1e-4, Threads: threads})
	if err != nil {
		return nil, err
	}
	value := func(i uint32) float64 { return float64(uncertainty[i]) * float64(coverage.Data[i]) }
	slices.SortFunc(doubts, func(a, b diffuse.Seed) int {
		return cmp.Or(cmp.Compare(value(b.Node), value(a.Node)), cmp.Compare(a.Node, b.Node))
	})
	best := max(value(doubts[0].Node), math.SmallestNonzeroFloat64)
	covers := max(slices.Max(coverage.Data), math.SmallestNonzeroFloat32)
	var next []Suggestion
	near := map[uint32]bool{}
	for _, d := range doubts {
		if len(next) == count {
			break
		}
		if near[d.Node] {
			continue
		}
		next = append(next, Suggestion{
			Node: int(d.Node), Value: value(d.Node) / best,
			Uncertainty: float64(d.Weight), Coverage: float64(coverage.Data[d.Node]) / float64(covers),
		})
		cols, _ := w.Row(int(d.Node))
		for _, j := range cols {
			near[j] = true
		}
	}
	return next, nil
}
